//! Payloads that are none: VO-SRV-5. A hook owes an answer whatever it was handed, though not a good one.

use hookproof_model::voiceos::EventKind;
use serde_json::{Value, json};

use super::{Exam, Subject, payload_json};
use crate::handler::check::{Check, checks};
use crate::handler::cost;
use crate::handler::envelope::judge;
use crate::handler::rpc::message::Reply;
use crate::handler::rpc::session::Outcome;
use crate::words::quote;

checks! {
    MALFORMED = "payload-malformed", Must, [Clause("VO-SRV-5")],
        "A `payload_json` that is not JSON is answered, by whatever.";
    NOT_OBJECT = "payload-not-an-object", Must, [Clause("VO-SRV-5")],
        "A `payload_json` that is JSON and no payload is answered, by whatever.";
    MISSING = "payload-missing", Must, [Clause("VO-SRV-5")],
        "A call without `payload_json`, or without arguments, is answered, by whatever.";
    NOT_STRING = "payload-not-a-string", Must, [Clause("VO-SRV-5")],
        "A `payload_json` that is no string is answered, by whatever.";
    OTHER_EVENT = "payload-of-another-event", Must, [Clause("VO-SRV-5")],
        "The payload of another event is answered, by whatever.";
    SURROGATE = "payload-lone-surrogate", Must, [Clause("VO-SRV-5")],
        "A payload with a lone surrogate is answered, by whatever.";
    DECIDES = "malformed-decides-nothing", Should, [Clause("VO-SRV-5"), Clause("VO-FOLD-1")],
        "A hook decides and rewrites nothing on a payload that it cannot have read.";
    RECOVERS = "hook-recovers", Must, [Clause("VO-SRV-5")],
        "After all of that, a good payload is answered as before.";
}

/// What a hook is handed, by the check that it serves.
fn handed(subject: &Subject, event: EventKind) -> Vec<(&'static Check, Value)> {
    let text = |text: &str| json!({ "payload_json": text });
    let mut all = Vec::new();
    let good = subject.payloads.full(event).to_string();
    let cut = good.get(..good.len() / 2).unwrap_or_default();
    for malformed in ["", " ", "not JSON", "{", cut, "{\"event\":NaN}", "\u{feff}{}", "{}{}"] {
        all.push((&MALFORMED, text(malformed)));
    }
    for other in ["null", "7", "true", "\"transcript\"", "[]", "{}"] {
        all.push((&NOT_OBJECT, text(other)));
    }
    all.extend([json!({}), Value::Null, json!({ "payload": good })].map(|arguments| (&MISSING, arguments)));
    for value in [json!(null), json!(7), json!(true), json!([good]), subject.payloads.full(event)] {
        all.push((&NOT_STRING, json!({ "payload_json": value })));
    }
    let others = EventKind::ALL.into_iter().filter(|other| *other != event);
    all.extend(others.map(|other| (&OTHER_EVENT, payload_json(&subject.payloads.full(other)))));
    let marked = subject.payloads.text(event, "SURROGATE").to_string();
    for surrogate in ["\\ud800", "a\\udc00b"] {
        all.push((&SURROGATE, text(&marked.replace("SURROGATE", surrogate))));
    }
    all
}

/// Hands every hook what is no payload of its.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    for event in subject.listing.hooks.iter().copied() {
        let good = payload_json(&subject.payloads.minimal(event));
        let before = exam.call(subject, event, good.clone()).await;
        let Outcome::Reply(..) = before else {
            // Why is told by the checks of good payloads.
            for check in CHECKS {
                exam.findings.not_reached(check, format!("{} answers no good payload either", event.name()));
            }
            continue;
        };
        let mut silent: Vec<&Check> = Vec::new();
        for (check, arguments) in handed(subject, event) {
            // What is silent once is not waited for again and again.
            if silent.contains(&check) || !exam.wants(check) && !exam.wants(&DECIDES) {
                continue;
            }
            let outcome = exam.call(subject, event, arguments.clone()).await;
            exam.findings.judged(check);
            let on = quote(arguments.to_string().as_bytes());
            match outcome {
                Outcome::Reply(Reply::Result(result), _) => decides(exam, event, &on, check, &result),
                Outcome::Reply(..) => exam.findings.judged(&DECIDES),
                other => {
                    silent.push(check);
                    let message = format!("on {on} the hook {}; expected an answer", other.instead());
                    let cost = match other {
                        Outcome::Ended(_) => {
                            "ends the server: no hook of it is called until it is started again"
                        }
                        _ => "blocks: the user waits for the whole budget",
                    };
                    exam.findings.broken_on(check, event.name(), &on, message, cost);
                }
            }
        }
        if exam.wants(&RECOVERS) {
            recovers(exam, subject, event, &good, &before).await;
        }
    }
}

fn decides(
    exam: &Exam<'_>,
    event: EventKind,
    on: &str,
    check: &'static Check,
    result: &serde_json::Map<String, Value>,
) {
    // A hook may well read another event's payload, if it is careless; it just may not act on what is no payload.
    if check == &OTHER_EVENT {
        return;
    }
    exam.findings.judged(&DECIDES);
    let judged = judge(event, &Value::Null, result);
    let acts = judged.counts.is_ok_and(|answer| {
        answer.decision != hookproof_model::kernel::Decision::Defer
            || answer.rewrite.is_some()
            || answer.confirm
    });
    if acts && check != &SURROGATE {
        let message = format!("on {on} the hook answered {}; expected `{{}}`", quote(judged.text.as_bytes()));
        exam.findings.broken_on(&DECIDES, event.name(), on, message, "acts on what nobody said");
    }
}

async fn recovers(exam: &Exam<'_>, subject: &Subject, event: EventKind, good: &Value, before: &Outcome) {
    let after = exam.call(subject, event, good.clone()).await;
    exam.findings.judged(&RECOVERS);
    let same = match (before, &after) {
        (Outcome::Reply(Reply::Result(before), _), Outcome::Reply(Reply::Result(after), _)) => {
            before.get("isError") == after.get("isError")
        }
        (Outcome::Reply(..), Outcome::Reply(..)) => true,
        _ => false,
    };
    if !same {
        let message = format!("after malformed payloads the hook {} to a good one", after.instead());
        exam.findings.broken(&RECOVERS, event.name(), message, cost::no_handler(event));
    }
}
