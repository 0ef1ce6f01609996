//! A server without any SDK: it is clean in every version, and each fault of the wire is found by the check that
//! is there for it, and by no other.

mod planted;
mod server;

use std::time::Duration;

use libtest_mimic::Trial;
use pretty_assertions::assert_eq;

use self::server::STATELESS;
use crate::support::{
    Examination, LATENCY, Planted, broken, is_clean, is_found, not_reached, notes, this, trial,
};

const NEWEST: &str = "2025-11-25";

/// Serves over standard streams, in place of the trials.
pub(crate) fn serve(version: &str, fault: &str) {
    server::serve(version, fault);
}

/// Every check that a fault breaks.
pub(crate) fn faults() -> impl Iterator<Item = &'static Planted> {
    planted::INITIALIZE.iter().chain(planted::STATELESS_ERA)
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", NEWEST] {
        trials.push(trial(format!("a sound server of {version} is clean"), move || {
            let report = examination(version, "none").without(&[LATENCY]).report();
            is_clean(&report);
            let spoken = format!("speaks {version}");
            assert!(notes(&report).contains(&("mcp-versions", &spoken)), "{:?}", notes(&report));
        }));
    }
    trials.push(trial("a sound server of 2026-07-28 is clean but for its era", || {
        let report = examination(STATELESS, "none").without(&[LATENCY]).report();
        assert_eq!(broken(&report).into_keys().collect::<Vec<_>>(), ["mcp-initialize-era"]);
        assert_eq!(not_reached(&report).len(), 0);
    }));
    trials.push(trial("a server may ping its client and send it notifications", || {
        is_clean(&examination(NEWEST, "pings-and-logs").without(&[LATENCY, "payload-*"]).report());
    }));
    let eras = [(NEWEST, planted::INITIALIZE), (STATELESS, planted::STATELESS_ERA)];
    for (version, planted) in eras.iter().flat_map(|(version, table)| table.iter().map(|it| (*version, it))) {
        trials.push(trial(format!("raw/{}", planted.fault), move || {
            is_found(&examination(version, planted.fault).only(planted.only).report(), planted);
        }));
    }
    trials
}

/// No more is waited for than tells silence from an answer.
fn examination(version: &str, fault: &str) -> Examination {
    Examination::of(this(&["serve", "raw", version, fault])).patience(Duration::from_secs(2))
}
