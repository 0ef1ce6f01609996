//! Payloads that a hook may be sent, each answered by an envelope that counts: VO-SRV-2, VO-SRV-4.
//!
//! One fault is told once. Where no payload of an event is answered well, the envelope's own checks tell why;
//! where some are and others are not, it is the payload that made the difference.

use hookproof_model::voiceos::EventKind;
use serde_json::Value;

use super::{Exam, Subject, payload_json};
use crate::handler::check::{Check, checks};
use crate::handler::cost;
use crate::handler::envelope::{self, Judged, judge};
use crate::handler::findings::Flaw;
use crate::handler::rpc::message::Reply;
use crate::handler::rpc::session::Outcome;
use crate::words::quote;

checks! {
    ANSWERS = "hook-answers", Must, [Clause("VO-SRV-4"), Clause("VO-SRV-5")],
        "A hook answers a call at all: by a result, and not by an error of the protocol, silence or its end.";
    MINIMAL = "payload-minimal", Must, [Clause("VO-SRV-2")],
        "A payload without any optional member is answered as well as others are.";
    FULL = "payload-full", Must, [Clause("VO-SRV-2")],
        "A payload with every optional member is answered as well as others are.";
    FUTURE = "payload-future", Must, [Clause("VO-SRV-2")],
        "A payload with members that no version has yet is answered as well as others are.";
    OWN = "payload-own", Must, [Clause("VO-SRV-4")],
        "Every payload that was given by --input is answered as well as others are.";
    UNICODE = "payload-unicode", Must, [Clause("VO-SRV-4"), Clause("VO-WIRE-10a")],
        "Text of whichever Unicode characters is answered as well as others are.";
    CONTROL = "payload-control-characters", Must, [Clause("VO-SRV-4"), Clause("VO-WIRE-10a")],
        "Text with control characters is answered as well as others are.";
    LARGE = "payload-large", Must, [Clause("VO-SRV-4"), Clause("HK-LIMIT-1")],
        "A payload with a text of 1 MiB is answered as well as others are.";
    DEEP = "payload-deep", Should, [Clause("VO-SRV-4"), Clause("HK-LIMIT-1")],
        "Arguments and results nested 60 deep are answered as well as others are.";
    REPEATED = "answers-repeat", Should, [Clause("HK-ORDER-2")],
        "Identical calls get identical answers; where they do not, this is told and is no fault.";
}

/// What a hook was sent, and what it made of it.
struct Sent {
    check: &'static Check,
    on: String,
    judged: Result<Judged, String>,
}

impl Sent {
    fn counts(&self) -> bool {
        self.judged.as_ref().is_ok_and(|judged| judged.counts.is_ok())
    }
}

/// Sends every hook the payloads that it may be sent.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    let is_for = |event: &EventKind| exam.plan.inputs.iter().any(|input| input["event"] == event.name());
    if !subject.listing.hooks.iter().any(is_for) {
        exam.findings.not_applicable(&OWN, "no payloads for these hooks were given (--input FILE)");
    }
    if !subject.listing.hooks.iter().any(|event| event.is_tool_tap()) {
        exam.findings.not_applicable(
            &DEEP,
            "no hook of a tool event is offered, and the other events have nothing nested",
        );
    }
    for (index, event) in subject.listing.hooks.iter().copied().enumerate() {
        let mut sent = Vec::new();
        for (check, on, payload) in payloads(exam, subject, event, index) {
            let judged = ask(exam, subject, event, &payload).await;
            if exam.wants(&REPEATED) && [&FULL, &OWN].contains(&check) {
                repeat(exam, subject, event, &payload, &judged).await;
            }
            // A hook that is silent is not asked everything, each time for nothing.
            let is_over =
                judged.is_err() && sent.iter().filter(|sent: &&Sent| sent.judged.is_err()).count() > 1;
            sent.push(Sent { check, on, judged });
            if is_over {
                break;
            }
        }
        tell(exam, event, &sent);
    }
}

/// Everything that the hook of an event is sent. What the others are held against comes first.
fn payloads(
    exam: &Exam<'_>,
    subject: &Subject,
    event: EventKind,
    index: usize,
) -> Vec<(&'static Check, String, Value)> {
    let build = &subject.payloads;
    let mut all = vec![
        (&FULL, FULL.id.to_owned(), build.full(event)),
        (&MINIMAL, MINIMAL.id.to_owned(), build.minimal(event)),
        (&FUTURE, FUTURE.id.to_owned(), build.future(event)),
    ];
    let own = exam.plan.inputs.iter().enumerate().filter(|(_, input)| input["event"] == event.name());
    all.extend(
        own.map(|(number, input)| (&OWN, format!("payload {} of --input", number + 1), input.clone())),
    );
    if exam.wants(&UNICODE) {
        // Every hook is sent the plane that texts are written in; the others are spread over the hooks.
        let hooks = subject.listing.hooks.len();
        let planes = (0..=16).filter(|plane| *plane == 0 || (*plane as usize) % hooks == index);
        all.extend(planes.map(|plane| {
            (&UNICODE, format!("characters of plane {plane}"), build.text(event, &characters(plane)))
        }));
    }
    if exam.wants(&CONTROL) {
        let text: String = ('\0'..=' ')
            .chain('\u{7f}'..='\u{a0}')
            .chain("\u{2028}\u{2029}\u{feff}\u{202e}\\\"".chars())
            .collect();
        all.push((&CONTROL, CONTROL.id.to_owned(), build.text(event, &text)));
    }
    if exam.wants(&LARGE) {
        all.push((&LARGE, LARGE.id.to_owned(), build.text(event, &"0123456789abcde ".repeat(1 << 16))));
    }
    if exam.wants(&DEEP) {
        all.extend(build.deep(event, 60).map(|payload| (&DEEP, DEEP.id.to_owned(), payload)));
    }
    all
}

/// Every character of a plane that is a Unicode scalar value.
fn characters(plane: u32) -> String {
    (plane << 16..(plane + 1) << 16).filter_map(char::from_u32).collect()
}

/// Calls a hook and judges what it answers.
async fn ask(
    exam: &Exam<'_>,
    subject: &Subject,
    event: EventKind,
    payload: &Value,
) -> Result<Judged, String> {
    match exam.call(subject, event, payload_json(payload)).await {
        Outcome::Reply(Reply::Result(result), _) => Ok(judge(event, payload, &result)),
        other => Err(other.instead()),
    }
}

async fn repeat(
    exam: &Exam<'_>,
    subject: &Subject,
    event: EventKind,
    payload: &Value,
    first: &Result<Judged, String>,
) {
    let (Ok(first), Ok(second)) = (first, ask(exam, subject, event, payload).await) else { return };
    exam.findings.judged(&REPEATED);
    if first.text != second.text {
        let [first, second] = [&first.text, &second.text].map(|text| quote(text.as_bytes()));
        let name = event.name();
        exam.findings.note(&REPEATED, format!("{name}: identical calls were answered {first} and {second}"));
    }
}

/// Tells what is wrong, once.
fn tell(exam: &Exam<'_>, event: EventKind, sent: &[Sent]) {
    let some_count = sent.iter().any(Sent::counts);
    for check in envelope::CHECKS {
        exam.findings.judged(check);
    }
    exam.findings.judged(&ANSWERS);
    for Sent { check, on, judged } in sent {
        exam.findings.judged(check);
        let made_the_difference = |instead: &str| {
            let message = format!("on {on} the hook {instead}; other payloads are answered");
            exam.findings.broken_on(check, event.name(), on, message, cost::no_handler(event));
        };
        match judged {
            Err(instead) if some_count => made_the_difference(instead),
            Err(instead) => {
                let message = format!("the hook {instead}; expected a result");
                exam.findings.broken_on(&ANSWERS, event.name(), on, message, cost::no_handler(event));
            }
            Ok(judged) if judged.counts.is_err() && some_count && *check != &OWN && !judged.is_answer() => {
                let flaws: Vec<_> = judged.flaws.iter().map(|flaw| flaw.message.as_str()).collect();
                made_the_difference(&format!("gives no answer that counts: {}", flaws.join("; ")));
            }
            Ok(judged) => {
                // What a hook gives back of a large payload is as large.
                let idle = |flaw: &&Flaw| *check != &LARGE || flaw.check != &envelope::SIZE;
                for flaw in judged.flaws.iter().filter(idle) {
                    exam.findings.broken_on(flaw.check, event.name(), on, &flaw.message, &flaw.cost);
                }
            }
        }
    }
}
