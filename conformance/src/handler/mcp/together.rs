//! Calls at once, and calls that are cancelled: VO-SRV-6.

use std::collections::BTreeMap;

use futures::future::join_all;
use hookproof_model::voiceos::EventKind;
use serde_json::{Value, json};

use super::{Exam, Subject, payload_json};
use crate::handler::check::checks;
use crate::handler::cost;
use crate::handler::rpc::message::Reply;
use crate::handler::rpc::session::{Outcome, Session};
use crate::words::quote;

checks! {
    ANSWERED = "together-answered", Must, [Clause("VO-SRV-6")],
        "Of 32 calls at once, each is answered.";
    MATCHED = "together-matched", Must, [Clause("VO-SRV-6"), Mcp("Requests")],
        "Of calls at once, each gets its own answer, the one that it gets alone.";
    CANCELLED = "cancelled-call", Must, [Mcp("Cancellation"), Clause("VO-DL-3")],
        "After a call is cancelled, as it is when its budget is used up, the server goes on answering others.";
}

/// How many calls are under way at once.
pub(super) const AT_ONCE: usize = 32;

/// Calls every hook many times at once.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    for event in subject.listing.hooks.iter().copied() {
        let session = match exam.shared(subject).await {
            Ok(session) => session,
            Err(why) => {
                exam.findings.stop(format!("the server {why}"));
                return;
            }
        };
        if exam.wants(&ANSWERED) || exam.wants(&MATCHED) {
            at_once(exam, subject, &session, event).await;
        }
        if exam.wants(&CANCELLED) {
            cancelled(exam, subject, &session, event).await;
        }
        if let Some(why) = session.link.ended().await {
            drop(session);
            exam.findings.note(&ANSWERED, format!("the server {why}, and was started again"));
            exam.end_shared(std::time::Duration::ZERO).await;
        }
    }
}

/// The payloads of calls at once: the user's own, which are answered in different ways, else some of ours.
fn payloads(exam: &Exam<'_>, subject: &Subject, event: EventKind) -> Vec<Value> {
    let own = exam.plan.inputs.iter().filter(|input| input["event"] == event.name());
    let mut all: Vec<_> = own.take(AT_ONCE).cloned().collect();
    let text = |number: usize| subject.payloads.text(event, &format!("This is number {number}."));
    all.extend((all.len()..4).map(text));
    all
}

async fn at_once(exam: &Exam<'_>, subject: &Subject, session: &Session, event: EventKind) {
    let payloads = payloads(exam, subject, event);
    let mut alone = Vec::new();
    for payload in &payloads {
        let outcome = session.call(event.tool(), payload_json(payload)).wait(exam.patience()).await;
        let Some(text) = text(&outcome) else {
            let why = format!("{}: a call alone is not answered either", event.name());
            exam.findings.not_reached(&ANSWERED, &why);
            exam.findings.not_reached(&MATCHED, why);
            return;
        };
        alone.push(text);
    }
    let numbers: Vec<_> = (0..payloads.len()).cycle().take(AT_ONCE).collect();
    let calls: Vec<_> = numbers
        .iter()
        .filter_map(|number| payloads.get(*number))
        .map(|payload| session.call(event.tool(), payload_json(payload)))
        .collect();
    let outcomes = join_all(calls.into_iter().map(|call| call.wait(exam.patience()))).await;
    exam.findings.judged(&ANSWERED);
    exam.findings.judged(&MATCHED);
    let unanswered: Vec<_> = outcomes.iter().filter(|outcome| text(outcome).is_none()).collect();
    if let Some(first) = unanswered.first() {
        let message = format!(
            "of {AT_ONCE} calls at once {} got no result; the first of them {}",
            unanswered.len(),
            first.instead()
        );
        exam.findings.broken(&ANSWERED, event.name(), message, cost::no_handler(event));
    }
    // Which payload a text answers; none where several are answered alike.
    let mut whose = BTreeMap::new();
    for (number, text) in alone.iter().enumerate() {
        whose.entry(text).and_modify(|whose| *whose = None).or_insert(Some(number));
    }
    if whose.len() < 2 {
        let note =
            "every payload is answered alike, so that a mix-up would not show; give payloads by --input";
        exam.findings.note(&MATCHED, format!("{}: {note}", event.name()));
    }
    let mut mixed = 0;
    let mut example = String::new();
    for (number, outcome) in numbers.iter().zip(&outcomes) {
        let Some(text) = text(outcome) else { continue };
        let (Some(own), Some(other)) = (alone.get(*number), whose.get(&text)) else { continue };
        if *own != text && *other != Some(*number) {
            mixed += 1;
            example = format!("{} in place of {}", quote(text.as_bytes()), quote(own.as_bytes()));
        }
    }
    if mixed > 0 {
        let message =
            format!("of {AT_ONCE} calls at once {mixed} got the answer of another, such as {example}");
        exam.findings.broken(
            &MATCHED,
            event.name(),
            message,
            "a decision about one call is applied to another",
        );
    }
}

async fn cancelled(exam: &Exam<'_>, subject: &Subject, session: &Session, event: EventKind) {
    let payload = payload_json(&subject.payloads.full(event));
    for _ in 0..3 {
        let call = session.call(event.tool(), payload.clone());
        session.notify("notifications/cancelled", json!({ "requestId": call.id, "reason": "deadline" }));
    }
    let outcome = session.call(event.tool(), payload).wait(exam.patience()).await;
    exam.findings.judged(&CANCELLED);
    if !matches!(outcome, Outcome::Reply(..)) {
        let message = format!("after three cancelled calls the next one {}", outcome.instead());
        exam.findings.broken(&CANCELLED, event.name(), message, cost::no_handler(event));
    }
}

/// The text of a result, an error's included; the content as it is where that is not one text.
fn text(outcome: &Outcome) -> Option<String> {
    let Outcome::Reply(Reply::Result(result), _) = outcome else { return None };
    let content = result.get("content")?;
    let text = content.get(0).and_then(|item| item.get("text")).and_then(Value::as_str);
    Some(text.map_or_else(|| content.to_string(), str::to_owned))
}
