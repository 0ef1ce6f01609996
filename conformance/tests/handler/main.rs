//! `hookproof handler` held against servers whose faults are known: sound ones are clean, and each fault that is
//! planted is found by the check that is there for it.
//!
//! | to find | look in |
//! |---|---|
//! | a server on rmcp, over both transports | `integration` |
//! | a server without any SDK, for faults of the wire | `raw` |
//! | commands and URLs that are no servers, or hostile ones | `bad_targets` |
//! | the samples in TypeScript and Python | `samples`, `webhook_sample` |
//! | the command line | `command` |
//!
//! One trial a fault, named `server/fault`. Started with `serve`, this binary is itself the server.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[cfg(target_os = "linux")]
mod bad_targets;
mod command;
#[path = "../support/installed.rs"]
mod installed;
mod integration;
#[path = "../support/mod.rs"]
mod ran;
mod raw;
mod samples;
mod support;
mod webhook_sample;

use std::collections::BTreeSet;

use hookproof::handler::Target;
use libtest_mimic::Arguments;

use crate::support::{Examination, trial};

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", "integration", rest @ ..] => return integration::serve(rest.first().unwrap_or(&"none")),
        ["serve", "raw", version, fault] => return raw::serve(version, fault),
        #[cfg(target_os = "linux")]
        ["serve", "bad", what, ..] => return bad_targets::serve(what),
        _ => {}
    }
    let mut arguments = Arguments::from_args();
    // Most of the time most trials wait: for an answer that does not come, or for a process to end.
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    arguments.test_threads.get_or_insert(3 * cores);
    // Those that measure time come first, while no other runs.
    let mut trials = integration::trials_alone();
    trials.extend(samples::trials_alone());
    // Then those that take longest.
    trials.extend(samples::trials());
    trials.extend(integration::trials());
    trials.extend(raw::trials());
    #[cfg(target_os = "linux")]
    trials.extend(bad_targets::trials());
    trials.extend(command::trials());
    // The webhooks that keep the checker waiting do so while the others run.
    trials.extend(webhook_sample::trials());
    trials.push(trial("every check is broken by some fault", every_check_is_broken_by_some_fault));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Faults that need neither Node nor Python are enough for that.
fn every_check_is_broken_by_some_fault() {
    // Never broken: that identical calls are answered alike is told, and no fault. The others have trials of
    // their own: a manifest that is rejected, and one that lacks a hook.
    let mut broken = BTreeSet::from(["answers-repeat", "hooks-offered-declared", "manifest-accepted"]);
    broken.extend(
        integration::faults().chain(raw::faults()).flat_map(|planted| planted.broken).map(|(id, _)| *id),
    );
    let nowhere = [
        Target::McpStdio("hookproof-no-such-command".to_owned(), Vec::new()),
        Target::McpHttp("http://127.0.0.1:9/".to_owned()),
    ];
    for target in nowhere {
        let report = Examination::of(target).report();
        let never: Vec<_> =
            report.checks.iter().map(|checked| checked.check.id).filter(|id| !broken.contains(id)).collect();
        assert!(never.is_empty(), "no fault breaks {}", never.join(", "));
    }
}
