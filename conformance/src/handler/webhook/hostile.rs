//! Requests that are no HookInputs. A URL is reached by others than platforms, and a webhook owes them an
//! answer, though not a good one; what it may not do is allow what it cannot have read.

use std::time::Duration;

use bytes::Bytes;
use hookproof_model::kernel::Decision;
use hookproof_model::matrices::Point;
use hyper::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::answer::judge;
use super::exchange::{Came, JSON};
use super::{Exam, Good};
use crate::handler::check::{Check, checks};
use crate::handler::cost;
use crate::words::quote;

checks! {
    GET = "webhook-get", Should, [Http("methods")],
        "GET, which delivers nothing, is refused: with status 405, or another of 4xx.";
    MALFORMED = "webhook-malformed", Must, [Clause("MX-DL-1"), Http("content")],
        "A body that is not JSON is answered in time, by whatever.";
    NOT_OBJECT = "webhook-malformed-not-an-object", Must, [Clause("MX-DL-1"), Http("content")],
        "A body that is JSON and no object is answered in time, by whatever.";
    POINT = "webhook-malformed-point", Must, [Clause("MX-DL-1"), Clause("MX-VAL-2")],
        "A HookInput without a point, or with one that does not exist, is answered in time, by whatever.";
    VALUE = "webhook-malformed-value", Must, [Clause("MX-DL-1"), Clause("MX-WIRE-1")],
        "A HookInput without its value, or with one of another type, is answered in time, by whatever.";
    OTHER_TYPE = "webhook-other-content-type", Must, [Clause("MX-DL-1"), Http("Content-Type")],
        "A HookInput of another content type is answered in time, by whatever.";
    SURROGATE = "webhook-lone-surrogate", Must, [Clause("MX-DL-1"), Clause("HK-LIMIT-1")],
        "A HookInput with a lone surrogate is answered in time, by whatever.";
    NOT_ALLOWED = "webhook-malformed-not-allowed", Must, [Clause("MX-FOLD-2")],
        "Nothing is allowed by an answer to what cannot have been read, or names no point.";
    RECOVERS = "webhook-recovers", Must, [Clause("MX-FAIL-3")],
        "After all of that, a HookInput is answered as before.";
}

/// After so many silences to one kind of request, more of them say nothing new.
const SILENCES: usize = 2;

/// How long a webhook may be about to go.
const LEAVING: Duration = Duration::from_millis(100);

/// A request that is no HookInput: the check that it serves, its content type and body.
type Handed = (&'static Check, &'static str, Vec<u8>);

/// Sends what is no HookInput.
pub(super) async fn examine(exam: &Exam<'_>, good: &[Good]) {
    let Some(first) = good.first() else { return };
    if exam.wants(&GET) {
        get(exam).await;
    }
    let input = exam.inputs.again(&first.input);
    let before = exam.ask(&input).await;
    let Some(before) = before.whole() else { return };
    let mut handed = of_no_point(exam, first);
    handed.extend(good.iter().flat_map(|good| of_point(exam, good)));
    let mut silences = Vec::new();
    for (check, content_type, body) in handed {
        let is_wanted = exam.wants(check) || exam.wants(&NOT_ALLOWED) || exam.wants(&RECOVERS);
        if !is_wanted || silences.iter().filter(|silent| **silent == check).count() >= SILENCES {
            continue;
        }
        let came = exam.request(Method::POST, content_type, Bytes::from(body.clone())).await;
        exam.findings.judged(check);
        let on = on(content_type, &body);
        if unreadable(check) {
            not_allowed(exam, &on, &came);
        }
        let message = format!("on {on}: the webhook {}; expected an answer", came.told());
        let place = "malformed requests";
        match came.whole() {
            Some(_) => {}
            None if is_gone(exam, first).await => {
                let cost =
                    "ends the webhook: anybody who reaches the URL can leave the hooks without answers";
                exam.findings.broken_on(check, place, &on, message, cost);
                return exam.findings.stop(format!("the webhook is gone since it was sent {on}"));
            }
            None => {
                let cost = "holds up whoever sent it, and keeps the connection";
                exam.findings.broken_on(check, place, &on, message, cost);
                silences.push(check);
            }
        }
    }
    let after = exam.ask(&exam.inputs.again(&first.input)).await;
    exam.findings.judged(&RECOVERS);
    if after.whole().is_none_or(|after| after.status != before.status) {
        let message = format!("after malformed requests the webhook {} to a HookInput", after.told());
        exam.findings.broken(&RECOVERS, first.point.name(), message, cost::no_answer(first.point));
    }
}

/// Bodies that belong to no point.
fn of_no_point(exam: &Exam<'_>, good: &Good) -> Vec<Handed> {
    let whole = exam.inputs.again(&good.input).to_string().into_bytes();
    let cut = whole.get(..whole.len() / 2).unwrap_or_default();
    let mut bad_bytes = whole.clone();
    bad_bytes.splice(1..1, *b"\"\xff\xfe\":1,");
    let malformed: [&[u8]; 7] = [b"", b" ", b"not JSON", b"{", cut, b"{\"point\":NaN}", &bad_bytes];
    let mut all: Vec<Handed> = malformed.map(|body| (&MALFORMED, JSON, body.to_vec())).into();
    for other in ["null", "7", "true", "\"before_input\"", "[]", "{}"] {
        all.push((&NOT_OBJECT, JSON, other.into()));
    }
    for point in [None, Some(json!("after_everything")), Some(json!("")), Some(Value::Null), Some(json!(7))] {
        all.push((&POINT, JSON, changed(exam, good, "point", point)));
    }
    all
}

/// Bodies that are almost a HookInput of a point.
fn of_point(exam: &Exam<'_>, good: &Good) -> Vec<Handed> {
    let subject = good.point.subject();
    let mut all: Vec<Handed> = vec![(&VALUE, JSON, changed(exam, good, subject, None))];
    if good.point != Point::AfterToolCall {
        for other in [json!(null), json!(7), json!(["x"])] {
            all.push((&VALUE, JSON, changed(exam, good, subject, Some(other))));
        }
    }
    let whole = exam.inputs.again(&good.input).to_string().into_bytes();
    all.push((&OTHER_TYPE, "text/plain", whole));
    let marked = exam.inputs.text(good.point, "SURROGATE").to_string();
    for surrogate in ["\\ud800", "a\\udc00b"] {
        all.push((&SURROGATE, JSON, marked.replace("SURROGATE", surrogate).into()));
    }
    all
}

/// A good HookInput with one member changed or left out.
fn changed(exam: &Exam<'_>, good: &Good, name: &str, value: Option<Value>) -> Vec<u8> {
    let mut input = exam.inputs.again(&good.input);
    if let Some(members) = input.as_object_mut() {
        match value {
            Some(value) => members.insert(name.to_owned(), value),
            None => members.remove(name),
        };
    }
    input.to_string().into_bytes()
}

/// What was sent, for a sentence.
fn on(content_type: &str, body: &[u8]) -> String {
    let body = if body.is_empty() { "an empty body".to_owned() } else { quote(body) };
    if content_type == JSON { body } else { format!("{body} as {content_type}") }
}

/// Whether a webhook cannot know what it is asked: the others it may have read, if it is careless.
fn unreadable(check: &'static Check) -> bool {
    [&MALFORMED, &NOT_OBJECT, &POINT].contains(&check)
}

fn not_allowed(exam: &Exam<'_>, on: &str, came: &Came) {
    exam.findings.judged(&NOT_ALLOWED);
    // Allowing is the same at every point.
    let judged = judge(Point::AfterToolCall, &Value::Null, came);
    if let Ok(Some(answer)) = judged.counts
        && answer.decision == Decision::Allow
    {
        let found = came.whole().map(|response| quote(&response.body)).unwrap_or_default();
        let message = format!("on {on}: the webhook answered {found}; expected anything but allow");
        let cost = "allows what nobody asked, and keeps later hooks from looking at it";
        exam.findings.broken_on(&NOT_ALLOWED, "malformed requests", on, message, cost);
    }
}

/// Whether nobody is there any more. Who is about to go may still take a connection.
async fn is_gone(exam: &Exam<'_>, good: &Good) -> bool {
    for _ in 0..3 {
        match exam.ask(&exam.inputs.again(&good.input)).await {
            Came::Nothing { refused: true, .. } => return true,
            Came::Nothing { .. } => sleep(LEAVING).await,
            _ => return false,
        }
    }
    false
}

async fn get(exam: &Exam<'_>) {
    let came = exam.request(Method::GET, JSON, Bytes::new()).await;
    exam.findings.judged(&GET);
    if !matches!(&came, Came::Response(response) if response.status.is_client_error()) {
        let message = format!("on GET the webhook {}; expected status 405", came.told());
        exam.findings.broken(&GET, "GET", message, "who looks at the URL in a browser sets the hook off");
    }
}
