//! Figures of latency.

use std::time::Duration;

use serde::Serialize;

/// What calls of one hook took. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// The event or point.
    pub place: &'static str,
    /// How long it may take.
    pub budget_ms: f64,
    /// How many calls were under way at once.
    pub at_once: usize,
    /// How many calls were measured.
    pub calls: usize,
    /// How many took longer than they may.
    pub late: usize,
    /// Half of the calls took no longer.
    pub p50_ms: f64,
    /// 19 of 20 took no longer.
    pub p95_ms: f64,
    /// The longest took so long.
    pub max_ms: f64,
    /// The share of the budget that 19 of 20 calls leave to others: 0 to 1.
    pub left: f64,
}

impl Figures {
    /// The figures of these times; `None` if there are none.
    pub(crate) fn of(
        place: &'static str,
        budget: Duration,
        at_once: usize,
        took: &[Duration],
    ) -> Option<Self> {
        let mut sorted = took.to_vec();
        sorted.sort_unstable();
        let max = *sorted.last()?;
        // The smallest time that so many of a hundred calls do not exceed.
        let percentile = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1);
            sorted.get(rank - 1).copied().unwrap_or(max)
        };
        let (p50, p95) = (percentile(50), percentile(95));
        Some(Self {
            place,
            budget_ms: ms(budget),
            at_once,
            calls: sorted.len(),
            late: sorted.iter().filter(|time| **time > budget).count(),
            p50_ms: ms(p50),
            p95_ms: ms(p95),
            max_ms: ms(max),
            left: (1.0 - p95.as_secs_f64() / budget.as_secs_f64()).max(0.0),
        })
    }
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let took: Vec<_> = (1..=200).map(Duration::from_millis).collect();
        let figures = Figures::of("dictation", Duration::from_millis(190), 1, &took).unwrap();
        assert_eq!((figures.p50_ms, figures.p95_ms, figures.max_ms), (100.0, 190.0, 200.0));
        assert_eq!((figures.late, figures.left), (10, 0.0));
        assert_eq!(Figures::of("dictation", Duration::from_millis(1), 1, &[]), None);
    }
}
