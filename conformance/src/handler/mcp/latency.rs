//! How long hooks take: VO-SRV-3.

use std::time::Duration;

use futures::future::join_all;
use hookproof_model::voiceos::EventKind;
use serde_json::Value;

use super::together::AT_ONCE;
use super::{Exam, Subject, payload_json};
use crate::handler::check::{Check, checks};
use crate::handler::cost;
use crate::handler::latency::Figures;
use crate::handler::rpc::session::Outcome;

checks! {
    ALONE = "latency-alone", Must, [Clause("VO-SRV-3"), Clause("VO-DL-1")],
        "Called many times, one call after another, a hook always answers within the event's budget.";
    TOGETHER = "latency-together", Should, [Clause("VO-SRV-3"), Clause("VO-SRV-6")],
        "Called 32 times at once, a hook answers each call within the event's budget.";
    SHARE = "latency-share", Should, [Clause("VO-DL-2")],
        "19 of 20 calls leave half of the event's budget to the other integrations, which share it.";
}

/// After so many late answers more of them say nothing new.
const LATE_ENOUGH: usize = 5;

/// Measures every hook whose event has a budget.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    let awaited = subject.listing.hooks.iter().filter_map(|event| Some((*event, event.budget()?)));
    let mut any = false;
    for (event, budget) in awaited {
        any = true;
        let budget = Duration::from_millis(budget.0);
        let payload = payload_json(&subject.payloads.full(event));
        if exam.wants(&ALONE) || exam.wants(&SHARE) {
            alone(exam, subject, event, budget, &payload).await;
        }
        if exam.wants(&TOGETHER) {
            together(exam, subject, event, budget, &payload).await;
        }
    }
    if !any {
        for check in CHECKS {
            exam.findings.not_applicable(check, "no offered hook is awaited, so that none has a budget");
        }
    }
}

async fn alone(exam: &Exam<'_>, subject: &Subject, event: EventKind, budget: Duration, payload: &Value) {
    let mut took = Vec::new();
    let mut late = 0;
    while took.len() < exam.plan.calls && late < LATE_ENOUGH {
        let time = match exam.call(subject, event, payload.clone()).await {
            Outcome::Reply(_, time) => time,
            // Who was not waited for as long as it may take is late all the same.
            Outcome::Late(patience) => patience.max(budget + Duration::from_millis(1)),
            Outcome::Ended(_) => break,
        };
        late += usize::from(time > budget);
        took.push(time);
    }
    let Some(figures) = Figures::of(event.name(), budget, 1, &took) else {
        exam.findings.not_reached(&ALONE, format!("{} answers no call", event.name()));
        return;
    };
    exam.findings.judged(&SHARE);
    if figures.late == 0 && figures.p95_ms * 2.0 > figures.budget_ms {
        let message = format!("19 of 20 calls take up to {} ms of {} ms", figures.p95_ms, figures.budget_ms);
        exam.findings.broken(
            &SHARE,
            event.name(),
            message,
            "hooks behind it are cut off, or it is behind them",
        );
    }
    tell(exam, &ALONE, event, figures);
}

async fn together(exam: &Exam<'_>, subject: &Subject, event: EventKind, budget: Duration, payload: &Value) {
    let Ok(session) = exam.shared(subject).await else {
        return exam.findings.not_reached(&TOGETHER, "the server does not start again");
    };
    // The first call may have to load what it needs.
    session.call(event.tool(), payload.clone()).wait(exam.patience()).await;
    let mut took = Vec::new();
    while took.len() < exam.plan.calls && !took.iter().any(|time| *time > budget) {
        let calls: Vec<_> = (0..AT_ONCE).map(|_| session.call(event.tool(), payload.clone())).collect();
        let outcomes = join_all(calls.into_iter().map(|call| call.wait(exam.patience()))).await;
        let times = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Reply(_, time) => Some(*time),
            Outcome::Late(patience) => Some((*patience).max(budget + Duration::from_millis(1))),
            Outcome::Ended(_) => None,
        });
        let before = took.len();
        took.extend(times);
        if took.len() == before {
            break;
        }
    }
    match Figures::of(event.name(), budget, AT_ONCE, &took) {
        Some(figures) => tell(exam, &TOGETHER, event, figures),
        None => exam.findings.not_reached(&TOGETHER, format!("{} answers no call", event.name())),
    }
}

fn tell(exam: &Exam<'_>, check: &'static Check, event: EventKind, figures: Figures) {
    exam.findings.judged(check);
    if figures.late > 0 {
        let Figures { late, calls, p50_ms, max_ms, budget_ms, .. } = figures;
        let message = format!(
            "{late} of {calls} calls took longer than {budget_ms} ms (p50 {p50_ms} ms, maximum {max_ms} ms)"
        );
        exam.findings.broken(check, event.name(), message, cost::no_handler(event));
    }
    exam.measured(figures);
}
