//! Requests at once, as they come from threads that run beside each other.

use std::collections::BTreeMap;

use futures::future::join_all;
use hookproof_model::matrices::Point;
use serde_json::Value;

use super::exchange::Came;
use super::{Exam, Good};
use crate::handler::check::checks;
use crate::handler::cost;
use crate::words::quote;

checks! {
    ANSWERED = "webhook-together-answered", Must, [Clause("MX-FAIL-3"), Clause("MX-DL-1")],
        "Of 32 requests at once, each is answered as it is alone.";
    MATCHED = "webhook-together-matched", Must, [Clause("HK-ORDER-2"), Clause("MX-WIRE-2")],
        "Of requests at once, each gets its own answer, the one that it gets alone.";
}

/// How many requests are under way at once.
pub(super) const AT_ONCE: usize = 32;
/// How many inputs a point has at least: the user's own, which are answered in different ways, and some of ours.
const A_POINT: usize = 3;

/// An input, and what it is answered alone.
struct Alone {
    point: Point,
    input: Value,
    body: Vec<u8>,
}

/// Sends requests of all points at once.
pub(super) async fn examine(exam: &Exam<'_>, good: &[Good]) {
    let mut all = Vec::new();
    for (point, input) in inputs(exam, good) {
        let came = exam.ask(&input).await;
        if let Some(response) = came.whole().filter(|response| response.status.is_success()) {
            all.push(Alone { point, input, body: response.body.clone() });
        }
    }
    if all.is_empty() {
        for check in CHECKS {
            exam.findings.not_reached(check, "a request alone is not answered either");
        }
        return;
    }
    let asked: Vec<_> = all.iter().cycle().take(AT_ONCE).collect();
    let inputs: Vec<_> = asked.iter().map(|alone| exam.inputs.again(&alone.input)).collect();
    let came = join_all(inputs.iter().map(|input| exam.ask(input))).await;
    for check in CHECKS {
        exam.findings.judged(check);
    }
    answered(exam, &asked, &came);
    matched(exam, &all, &asked, &came);
}

/// As many inputs as are sent at once, or fewer: of every point some.
fn inputs(exam: &Exam<'_>, good: &[Good]) -> Vec<(Point, Value)> {
    let of_points: Vec<Vec<_>> = good
        .iter()
        .map(|Good { point, input }| {
            let mut all: Vec<_> = exam.own(*point).map(|(_, input)| input).take(AT_ONCE).collect();
            all.push(exam.inputs.again(input));
            let text = |number: usize| exam.inputs.text(*point, &format!("This is number {number}."));
            all.extend((all.len()..A_POINT).map(text));
            all.into_iter().map(|input| (*point, input)).collect()
        })
        .collect();
    let longest = of_points.iter().map(Vec::len).max().unwrap_or_default();
    let by_turns = (0..longest).flat_map(|number| of_points.iter().filter_map(move |all| all.get(number)));
    by_turns.take(AT_ONCE).cloned().collect()
}

fn answered(exam: &Exam<'_>, asked: &[&Alone], came: &[Came]) {
    let is_answered = |came: &Came| came.whole().is_some_and(|response| response.status.is_success());
    let mut unanswered = asked.iter().zip(came).filter(|(_, came)| !is_answered(came));
    if let Some((alone, first)) = unanswered.next() {
        let count = 1 + unanswered.count();
        let message = format!(
            "of {AT_ONCE} requests at once {count} were not answered as they are alone; to the first of them \
             the webhook {}",
            first.told()
        );
        exam.findings.broken(&ANSWERED, alone.point.name(), message, cost::no_answer(alone.point));
    }
}

fn matched(exam: &Exam<'_>, all: &[Alone], asked: &[&Alone], came: &[Came]) {
    let known: BTreeMap<&[u8], Point> = all.iter().map(|alone| (&*alone.body, alone.point)).collect();
    if known.len() < 2 {
        let note = "every input is answered alike, so that a mix-up would not show; give inputs by --input";
        exam.findings.note(&MATCHED, note);
    }
    let mixed: Vec<_> = asked
        .iter()
        .zip(came)
        .filter_map(|(alone, came)| Some((alone, came.whole()?)))
        .filter(|(alone, whole)| alone.body != whole.body && known.contains_key(&*whole.body))
        .collect();
    if let Some((alone, whole)) = mixed.first() {
        let message = format!(
            "of {AT_ONCE} requests at once {} got the answer of another, such as {} in place of {}",
            mixed.len(),
            quote(&whole.body),
            quote(&alone.body)
        );
        let cost = "a decision about one thing is applied to another";
        exam.findings.broken(&MATCHED, alone.point.name(), message, cost);
    }
}
