//! Deliveries that come again, as they do from a platform that tries again: HK-ONCE-1.

use hookproof_model::kernel::json::same;
use serde_json::Value;

use super::exchange::{Came, Response};
use super::{Exam, Good};
use crate::handler::check::checks;
use crate::words::quote;

checks! {
    REPEATED = "webhook-delivery-repeated", Should, [Clause("HK-ONCE-1"), Clause("HK-ORDER-2")],
        "A HookInput that is delivered again, with the same `deliveryId`, gets the same answer.";
    ALIKE = "webhook-answers-repeat", Should, [Clause("HK-ORDER-2")],
        "Deliveries that differ in `deliveryId` alone get the same answer; where they do not, this is told and \
         is no fault.";
}

/// Delivers at every point an input and the user's own once, once more, and once as another delivery.
pub(super) async fn examine(exam: &Exam<'_>, good: &[Good]) {
    for Good { point, input } in good {
        let own = exam.own(*point).map(|(number, input)| (format!("input {number} of --input"), input));
        let all = std::iter::once(("a full input".to_owned(), exam.inputs.again(input))).chain(own);
        for (on, input) in all {
            let first = exam.ask(&input).await;
            // A first answer that is none has been told already.
            let Some(first) = first.whole().filter(|response| response.status.is_success()) else { continue };
            repeated(exam, point.name(), &on, &input, first).await;
        }
    }
}

async fn repeated(exam: &Exam<'_>, place: &str, on: &str, input: &Value, first: &Response) {
    let again = exam.ask(input).await;
    exam.findings.judged(&REPEATED);
    if !is_same(first, &again) {
        let message = format!(
            "on {on}: the delivery was answered {}, and when it came again {}",
            quote(&first.body),
            told(&again)
        );
        let cost = "where a platform tries again, it goes by another answer than the one it lost";
        exam.findings.broken_on(&REPEATED, place, on, message, cost);
    }
    let another = exam.ask(&exam.inputs.again(input)).await;
    exam.findings.judged(&ALIKE);
    if !is_same(first, &another) {
        let note = format!(
            "{place}: deliveries of {on} that differ in `deliveryId` alone were answered {} and {}",
            quote(&first.body),
            told(&another)
        );
        exam.findings.note(&ALIKE, note);
    }
}

fn is_same(first: &Response, second: &Came) -> bool {
    let Some(second) = second.whole() else { return false };
    let value = |response: &Response| serde_json::from_slice::<Value>(&response.body).ok();
    let same_bodies = match (value(first), value(second)) {
        (Some(first), Some(second)) => same(&first, &second),
        _ => first.body == second.body,
    };
    first.status == second.status && same_bodies
}

fn told(came: &Came) -> String {
    match came.whole() {
        Some(response) if response.status.is_success() => quote(&response.body),
        Some(response) => format!("with status {}", response.status),
        None => format!("not at all: the webhook {}", came.told()),
    }
}
