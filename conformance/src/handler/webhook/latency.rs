//! How long a webhook takes: MX-DL-1.

use std::time::{Duration, Instant};

use futures::future::join_all;

use super::exchange::{Came, DEADLINE};
use super::together::AT_ONCE;
use super::{Exam, Good};
use crate::handler::check::{Check, checks};
use crate::handler::cost;
use crate::handler::latency::Figures;

checks! {
    ALONE = "webhook-latency-alone", Must, [Clause("MX-DL-1")],
        "Asked many times, one time after another, a webhook always answers within 10 s.";
    TOGETHER = "webhook-latency-together", Should, [Clause("MX-DL-1")],
        "Asked 32 times at once, a webhook answers each time within 10 s.";
}

/// After so many late answers more of them say nothing new.
const LATE_ENOUGH: usize = 5;
/// How many parts of the time that is left are kept for the acts that follow, if measuring one point takes one.
const KEPT: usize = 2;

/// Measures every point that is answered.
pub(super) async fn examine(exam: &Exam<'_>, good: &[Good]) {
    let ways = [(&ALONE, 1), (&TOGETHER, AT_ONCE)];
    let measured = good.iter().flat_map(|good| ways.map(|way| (good, way)));
    let mut measured: Vec<_> = measured.filter(|(_, (check, _))| exam.wants(check)).collect();
    measured.reverse();
    while let Some((good, (check, at_once))) = measured.pop() {
        let parts = u32::try_from(measured.len() + 1 + KEPT).unwrap_or(u32::MAX);
        let until = Instant::now() + exam.at_most(Duration::MAX) / parts;
        measure(exam, good, check, at_once, until).await;
    }
}

/// Measures one point in one way, until enough calls are measured. Of a webhook that is slow and in time fewer
/// are, if there is no time for more.
async fn measure(exam: &Exam<'_>, good: &Good, check: &'static Check, at_once: usize, until: Instant) {
    let name = good.point.name();
    let (mut took, mut late) = (Vec::new(), 0);
    while took.len() < exam.plan.calls && late < LATE_ENOUGH && Instant::now() < until {
        let inputs: Vec<_> = (0..at_once).map(|_| exam.inputs.again(&good.input)).collect();
        let came = join_all(inputs.iter().map(|input| exam.ask(input))).await;
        let times: Vec<_> = came.iter().filter_map(Came::took).collect();
        if times.is_empty() {
            break;
        }
        late += times.iter().filter(|time| **time > DEADLINE).count();
        took.extend(times);
    }
    let Some(figures) = Figures::of(name, DEADLINE, at_once, &took) else {
        return exam.findings.not_reached(check, format!("{name} answers no request"));
    };
    exam.findings.judged(check);
    if figures.late > 0 {
        let Figures { late, calls, p50_ms, max_ms, budget_ms, .. } = figures;
        let message = format!(
            "{late} of {calls} requests took longer than {budget_ms} ms (p50 {p50_ms} ms, maximum {max_ms} ms)"
        );
        exam.findings.broken(check, name, message, cost::no_answer(good.point));
    }
    exam.measured(figures);
}
