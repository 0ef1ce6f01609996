//! HookInputs that a webhook may be sent, each given an answer that counts: MX-WIRE-1, MX-WIRE-2.
//!
//! One fault is told once. Where nothing at all is answered well, the checks of answers tell why; where some
//! points or some inputs are and others are not, it is the point or the input that made the difference.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use hookproof_model::matrices::Point;
use hyper::StatusCode;
use serde_json::Value;
use tokio::time::timeout;

use super::super::findings::Flaw;
use super::answer::{ANSWERS, BODY_IN_TIME, IN_TIME, Judged, STATUS, judge};
use super::exchange::Came;
use super::{Exam, Good, answer, members, unicode};
use crate::handler::check::{Check, checks};
use crate::handler::cost;

checks! {
    POINTS = "webhook-points", Must, [Clause("MX-WIRE-1"), Clause("MX-VAL-2")],
        "Every point is answered as well as others are; those that a profile uses can be named by --event.";
    MINIMAL = "webhook-input-minimal", Must, [Clause("MX-WIRE-1")],
        "A HookInput whose value is empty is answered as well as others are.";
    FULL = "webhook-input-full", Must, [Clause("MX-WIRE-1")],
        "A HookInput with values of every type is answered as well as others are.";
    OWN = "webhook-input-own", Must, [Clause("MX-WIRE-1")],
        "Every HookInput that was given by --input is answered as well as others are.";
    FUTURE = "webhook-input-future", Should, [Clause("MX-WIRE-1")],
        "A HookInput with members that no version has yet is answered as well as others are.";
    OUTPUTS = "webhook-input-output-types", Must, [Clause("MX-WIRE-1"), Clause("MX-FOLD-7")],
        "An output of whichever JSON type is answered as well as others are.";
    UNICODE = "webhook-input-unicode", Must, [Clause("MX-WIRE-1"), Clause("HK-LIMIT-1")],
        "Text of whichever Unicode characters is answered as well as others are.";
    CONTROL = "webhook-input-control-characters", Must, [Clause("MX-WIRE-1"), Clause("HK-LIMIT-1")],
        "Text with control characters is answered as well as others are.";
    LARGE = "webhook-input-large", Must, [Clause("MX-WIRE-1"), Clause("HK-LIMIT-1")],
        "A HookInput of 1 MiB is answered as well as others are.";
    DEEP = "webhook-input-deep", Should, [Clause("MX-WIRE-1"), Clause("HK-LIMIT-1")],
        "Inputs and outputs nested 60 deep are answered as well as others are.";
}

/// After so many silences at a point, or so many vain inputs at its beginning, more say nothing new.
const SILENCES: usize = 2;
const VAIN: usize = 4;
/// How much of the time these may take: to a webhook that is slow, the other acts say more.
const SHARE: f64 = 0.6;

/// What a webhook was sent, and what it made of it.
struct Sent {
    point: Point,
    check: &'static Check,
    on: String,
    is_ascii: bool,
    accepted: bool,
    judged: Judged,
}

impl Sent {
    fn counts(&self) -> bool {
        self.judged.counts.is_ok()
    }

    /// Whether it is an input of every day, of which nothing but the answer can be at fault.
    fn is_ordinary(&self) -> bool {
        [&FULL, &MINIMAL, &OWN].contains(&self.check)
    }

    fn is_silent(&self) -> bool {
        let is_late = |flaw: &Flaw| [&ANSWERS, &IN_TIME, &BODY_IN_TIME].contains(&flaw.check);
        self.judged.flaws.iter().any(is_late)
    }
}

/// Sends every point what it may be sent. Returns for each point an input that is answered well, if any is.
pub(super) async fn examine(exam: &Exam<'_>) -> Vec<Good> {
    not_applicable(exam);
    let (mut sent, mut good) = (Vec::new(), Vec::new());
    // What was found is told even if the time ends before everything is sent.
    let sending = send_all(exam, &mut sent, &mut good);
    let sent_all = timeout(exam.at_most(Duration::MAX).mul_f64(SHARE), sending).await;
    tell(exam, &sent);
    match sent_all {
        Ok(ControlFlow::Continue(())) => {}
        Ok(ControlFlow::Break(())) => {
            let last = sent.last().map_or("anything", |sent| sent.on.as_str());
            exam.findings.stop(format!("the webhook is gone since it was sent {last}"));
            good.clear();
        }
        Err(_) => {
            exam.findings
                .stop("the time limit leaves too little time to send every HookInput; see --timeout");
        }
    }
    good
}

/// Says of which inputs there are none.
fn not_applicable(exam: &Exam<'_>) {
    if exam.points().all(|point| exam.own(point).next().is_none()) {
        exam.findings.not_applicable(&OWN, "no HookInputs for these points were given (--input FILE)");
    }
    if !exam.points().any(Point::is_tool_point) {
        exam.findings.not_applicable(&DEEP, "no point of tools was asked for");
    }
    if !exam.points().any(|point| point == Point::AfterToolCall) {
        exam.findings.not_applicable(&OUTPUTS, "after_tool_call was not asked for");
    }
}

/// What is delivered every day first, at every point, and the many texts last: there may be no time for all of
/// it. Breaks off where the webhook is gone.
async fn send_all(exam: &Exam<'_>, sent: &mut Vec<Sent>, good: &mut Vec<Good>) -> ControlFlow<()> {
    for point in exam.points() {
        let mut first = None;
        for (check, on, input) in ordinary(exam, point) {
            if send(exam, sent, point, (check, on, &input)).await?.is_break() {
                break;
            }
            if first.is_none() && sent.last().is_some_and(Sent::counts) {
                first = Some(Good { point, input });
            }
        }
        if first.is_none() && point == Point::AfterToolCall {
            exam.findings.not_reached(&OUTPUTS, "after_tool_call is given no answer that counts");
        }
        good.extend(first);
    }
    for Good { point, .. } in &*good {
        for (check, on, input) in special(exam, *point) {
            if exam.wants(check) && send(exam, sent, *point, (check, on, &input)).await?.is_break() {
                break;
            }
        }
    }
    for (number, Good { point, .. }) in good.iter().enumerate().filter(|_| exam.wants(&UNICODE)) {
        for text in unicode::texts(good.len(), number) {
            let input = exam.inputs.text(*point, &text);
            let flow = send(exam, sent, *point, (&UNICODE, unicode::named(&text), &input)).await?;
            let Some(last) = sent.last_mut().filter(|sent| !sent.counts()) else { continue };
            // One text that fails is enough, if it is told which characters of it do.
            if flow.is_continue() && !last.is_silent() {
                last.on = unicode::named(&unicode::narrow(exam, *point, text).await);
            }
            break;
        }
    }
    ControlFlow::Continue(())
}

type Input = (&'static Check, String, Value);

/// What every platform delivers every day.
fn ordinary(exam: &Exam<'_>, point: Point) -> Vec<Input> {
    let mut all = vec![
        (&FULL, "values of every type".to_owned(), exam.inputs.full(point)),
        (&MINIMAL, "an empty value".to_owned(), exam.inputs.minimal(point)),
    ];
    all.extend(exam.own(point).map(|(number, input)| (&OWN, format!("input {number} of --input"), input)));
    all
}

/// What is delivered once in a while.
fn special(exam: &Exam<'_>, point: Point) -> Vec<Input> {
    let build = &exam.inputs;
    // Those of ASCII alone: the others are no different from other Unicode.
    let control: String = ('\0'..=' ').chain("\u{7f}\\\"/".chars()).collect();
    let mut all = vec![
        (&FUTURE, "members that no version has yet".to_owned(), build.future(point)),
        (&CONTROL, "control characters".to_owned(), build.text(point, &control)),
        (&LARGE, "a HookInput of 1 MiB".to_owned(), build.large(point)),
    ];
    all.extend(build.deep(point, 60).map(|input| (&DEEP, "a value nested 60 deep".to_owned(), input)));
    let outputs = build.outputs(point).into_iter();
    all.extend(outputs.map(|(kind, output)| (&OUTPUTS, format!("an output that is {kind}"), output)));
    all
}

/// Delivers an input and judges the answer. Breaks off where the webhook is gone; says to break off the point
/// where more of it say nothing new.
async fn send(
    exam: &Exam<'_>,
    sent: &mut Vec<Sent>,
    point: Point,
    (check, on, input): (&'static Check, String, &Value),
) -> ControlFlow<(), ControlFlow<()>> {
    let came = exam.ask(input).await;
    if matches!(came, Came::Nothing { refused: true, .. }) {
        return ControlFlow::Break(());
    }
    let judged = judge(point, input, &came);
    let accepted = matches!(&came, Came::Response(response) if response.status == StatusCode::ACCEPTED);
    let is_ascii = check != &UNICODE && input.to_string().is_ascii();
    sent.push(Sent { point, check, on, is_ascii, accepted, judged });
    let here = || sent.iter().filter(|sent| sent.point == point);
    let silences = here().filter(|sent| sent.is_silent()).count();
    let is_vain = here().count() >= VAIN && !here().any(Sent::counts);
    let is_over = silences >= SILENCES || is_vain;
    ControlFlow::Continue(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
}

/// Tells what is wrong, once.
fn tell(exam: &Exam<'_>, sent: &[Sent]) {
    occasions(exam, sent);
    let any_counts = sent.iter().any(Sent::counts);
    let faults = |sent: &Sent| sent.judged.flaws.iter().map(|flaw| flaw.check.id).collect::<Vec<_>>();
    let everyday: BTreeSet<_> = sent.iter().filter(|sent| sent.is_ordinary()).flat_map(faults).collect();
    for one in sent {
        let name = one.point.name();
        let here = || sent.iter().filter(|other| other.point == one.point);
        let here_count = here().any(Sent::counts);
        // An input that is not ASCII fails with others that are not for one reason.
        let foreign = !one.is_ascii && here().any(|other| other.check == &UNICODE && !other.counts());
        let input_check = if one.check == &OWN && foreign { &UNICODE } else { one.check };
        for flaw in &one.judged.flaws {
            // Says nothing of why: only what was sent can tell.
            let is_bare = [&ANSWERS, &IN_TIME, &STATUS].contains(&flaw.check);
            let by_input = if is_bare { here_count } else { here_count && !everyday.contains(flaw.check.id) };
            let is_lost = flaw.cost == cost::no_answer(one.point);
            let Flaw { check, message, cost } = flaw;
            if by_input && !one.counts() && is_lost {
                let message = format!("on {}: {message}; other inputs are answered", one.on);
                exam.findings.broken_on(input_check, name, &one.on, message, cost);
            } else if is_bare && any_counts && !here_count {
                let message = format!("{message}; other points are answered");
                exam.findings.broken_on(&POINTS, name, &one.on, message, cost);
            } else {
                exam.findings.broken_on(check, name, &one.on, message, cost);
            }
        }
    }
}

/// Marks the checks for which there was occasion.
fn occasions(exam: &Exam<'_>, sent: &[Sent]) {
    for one in sent {
        exam.findings.judged(&POINTS);
        exam.findings.judged(one.check);
        if one.accepted {
            let note = format!(
                "{}: answered with status 202, which parks the work until it is answered in another way",
                one.point.name()
            );
            exam.findings.note(&STATUS, note);
        }
    }
    if sent.is_empty() {
        return;
    }
    let by_deny = members::need_a_deny();
    let by_rewrite = members::need_a_rewrite();
    let denies = sent.iter().any(|sent| sent.judged.denies);
    let rewrites = sent.iter().any(|sent| sent.judged.rewrites);
    for check in answer::CHECKS.iter().chain(members::CHECKS).copied() {
        let give = "give inputs that do so by --input";
        if by_deny.contains(&check) && !denies {
            exam.findings.not_applicable(check, format!("no answer denies anything; {give}"));
        } else if by_rewrite.contains(&check) && !rewrites {
            exam.findings.not_applicable(check, format!("no answer rewrites anything; {give}"));
        } else {
            exam.findings.judged(check);
        }
    }
}
