//! An integration on rmcp, started by this binary itself: it is sound, and each fault that is planted in it is
//! found by the check that is there for it, and by no other.

mod faults;
mod over_http;
mod planted;
mod product;
mod server;

use std::time::Duration;

use hookproof::handler::Target;
use libtest_mimic::Trial;
use pretty_assertions::assert_eq;

use crate::support::{
    Examination, LATENCY, Planted, answers_in_time, broken, is_clean, is_found, not_reached, notes, this,
    trial, trial_alone, within_a_runtime,
};

pub(crate) const MANIFEST: &str = include_str!("integration/manifest.json");
pub(crate) const PAYLOADS: &str = include_str!("integration/payloads.json");

/// The words that start it, over standard streams.
pub(crate) const SERVE: [&str; 2] = ["serve", "integration"];

/// Serves over standard streams, in place of the trials.
pub(crate) fn serve(fault: &str) {
    within_a_runtime(server::over_stdio(fault));
    std::process::exit(0);
}

/// Every check that a planted fault breaks.
pub(crate) fn faults() -> impl Iterator<Item = &'static Planted> {
    planted::OVER_STDIO.iter().chain(over_http::PLANTED)
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("a sound integration on rmcp is clean over stdio", || {
            let report = examination("none").without(&[LATENCY]).report();
            is_clean(&report);
            let spoken = "speaks 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25";
            assert!(notes(&report).contains(&("mcp-versions", spoken)), "{:?}", notes(&report));
        }),
        trial("a hook that the manifest lacks is told", a_hook_that_the_manifest_lacks_is_told),
        trial("a manifest that is rejected is told", a_manifest_that_is_rejected_is_told),
        trial("answers that differ are told and are no fault", || {
            let report = examination("random-answers").only(&["answer*"]).report();
            is_clean(&report);
            let told = notes(&report)
                .into_iter()
                .any(|(id, note)| id == "answers-repeat" && note.contains("identical calls were answered"));
            assert!(told, "{:?}", notes(&report));
        }),
        trial("only the events that are asked for are examined", || {
            let report =
                examination("slow").events(&["turnComplete"]).only(&["hook-answers", LATENCY]).report();
            assert_eq!(broken(&report).len() + not_reached(&report).len() + report.latency.len(), 0);
        }),
        trial("an event that is not offered leaves nothing to judge", || {
            let report = examination("missing-hook").events(&["postToolUse"]).only(&["answer-json"]).report();
            assert!(!report.reached_anything());
        }),
    ];
    trials.extend(planted::OVER_STDIO.iter().map(|planted| {
        trial(format!("rmcp/{}", planted.fault), || {
            // No more is waited for than tells silence from an answer.
            let examination = examination(planted.fault).only(planted.only).patience(Duration::from_secs(2));
            is_found(&examination.report(), planted);
        })
    }));
    trials.extend(over_http::trials());
    trials
}

/// Those that no other trial may disturb.
pub(crate) fn trials_alone() -> Vec<Trial> {
    vec![trial_alone("a sound integration on rmcp answers in time", || {
        answers_in_time(|| examination("none"))
    })]
}

fn examination(fault: &str) -> Examination {
    Examination::of(target(fault)).manifest(MANIFEST).inputs(PAYLOADS)
}

fn target(fault: &str) -> Target {
    this(&[SERVE.as_slice(), &[fault]].concat())
}

fn a_hook_that_the_manifest_lacks_is_told() {
    let without = MANIFEST.replace(",\n    \"turnComplete\": {}", "");
    let report = Examination::of(target("none")).manifest(&without).only(&["hooks-*", "manifest-*"]).report();
    let planted = Planted {
        fault: "none",
        only: &[],
        broken: &[("hooks-offered-declared", "turnComplete: the server offers `voiceos_hook_turn_complete`")],
    };
    is_found(&report, &planted);
}

fn a_manifest_that_is_rejected_is_told() {
    let rejected = MANIFEST.replace("\"schemaVersion\": 1", "\"schemaVersion\": 2");
    let report =
        Examination::of(target("none")).manifest(&rejected).only(&["hooks-*", "manifest-*"]).report();
    let planted = Planted { fault: "none", only: &[], broken: &[("manifest-accepted", "schemaVersion")] };
    is_found(&report, &planted);
    let ids: Vec<_> = not_reached(&report).into_keys().collect();
    assert_eq!(ids, ["hooks-declared-offered", "hooks-offered-declared", "manifest-tools-offered"]);
}
