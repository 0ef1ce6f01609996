//! The kernel's state machine and the recursion of `plain.rs` say the same of every firing.
//!
//! `HOOKPROOF_CASES` sets how many firings are drawn (5,000 unless given). That the draw reaches what
//! it is there for is a test of its own, over a pass that is the same each time. The firings that
//! once told the two apart stand behind it, by hand.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests"
)]

mod common;

use std::cell::RefCell;
use std::collections::BTreeSet;

use common::firings::{Drawn, default_terms, firing};
use common::reached::Reached;
use common::telling::{lines, told_by_the_kernel, told_plainly};
use hookproof_model::kernel::{
    Answer, Clock, Condition, Decision, Failure, FailurePolicy, Guard, Hook, Millis, Operator, Reply, Terms,
};
use hookproof_model::plain::{PlainAnswer, Told};
use hookproof_model::reading::shared::{Boundary, Dispatch, Incomparable, NothingLeft, Sight, TimeoutFrom};
use pretty_assertions::{StrComparison, assert_eq};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

const CASES: u32 = 5_000;

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, max_shrink_iters: 100_000, ..Config::default() }
}

#[test]
fn both_formulations_say_the_same_of_every_firing() {
    let cases = std::env::var("HOOKPROOF_CASES")
        .map_or(CASES, |cases| cases.parse().expect("HOOKPROOF_CASES is a number of firings"));
    let same = |drawn: Drawn| {
        let (plain, kernel) = (told_plainly(&drawn), told_by_the_kernel(&drawn));
        let difference = || StrComparison::new(&lines(&plain), &lines(&kernel)).to_string();
        prop_assert!(plain == kernel, "plain < > kernel\n{}", difference());
        Ok(())
    };
    if let Err(difference) = TestRunner::new(config(cases)).run(&firing(), same) {
        panic!("{difference}");
    }
}

#[test]
fn the_draw_reaches_what_it_is_there_for() {
    let reached = RefCell::new(Reached::expecting());
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config(CASES), rng)
        .run(&firing(), |drawn| {
            reached.borrow_mut().count(&drawn, &told_plainly(&drawn));
            Ok(())
        })
        .expect("counting fails nothing");
    let counts = reached.into_inner().0;
    let never: Vec<_> = counts.iter().filter(|(_, times)| **times == 0).map(|(what, _)| what).collect();
    assert!(never.is_empty(), "in {CASES} firings never: {never:#?}\nall: {counts:#?}");
}

/// A hook that fails open, has no conditions and, where no budget is shared, 10 s.
fn hook(name: &str) -> Hook {
    let (deadline, patience) = (Millis(10_000), Millis(10_000));
    Hook { name: name.into(), guard: Guard::default(), policy: FailurePolicy::FailOpen, deadline, patience }
}

fn answers(after: u64, answer: Answer) -> Option<PlainAnswer> {
    Some(PlainAnswer { after: Millis(after), reply: Reply::Answered(Box::new(answer)), later: None })
}

fn defers(after: u64) -> Option<PlainAnswer> {
    answers(after, Answer::default())
}

/// What both say of these hooks and what they do.
fn told_by_both(terms: Terms, chain: Vec<(Hook, Option<PlainAnswer>)>) -> Told {
    let (hooks, answers) = chain.into_iter().unzip();
    let (event, value) = (json!({}), json!("said"));
    let drawn = Drawn { terms, hooks, event, member: "text", value, answers, later_slots_first: false };
    let plain = told_plainly(&drawn);
    assert_eq!(lines(&plain), lines(&told_by_the_kernel(&drawn)), "plain < > kernel");
    plain
}

fn asked(told: &Told) -> Vec<usize> {
    told.calls.iter().map(|call| call.slot).collect()
}

/// VO-FOLD-11: shown on handled and block.
#[test]
fn what_a_defer_would_show_is_nobodys() {
    let shows =
        Answer { response_text: Some("Hm.".into()), view: Some(json!({"blocks": []})), ..Answer::default() };
    for place in 0..3 {
        let mut chain = vec![(hook("a"), defers(0)), (hook("b"), defers(0))];
        chain.insert(place, (hook("shows"), answers(0, shows.clone())));
        let told = told_by_both(default_terms(Clock::Shared(Millis(500))), chain);
        assert_eq!((told.outcome.response_text, told.outcome.view), (None, None), "place {place}");
    }
}

/// MX-WAIT-4, MX-WAIT-12 as *asked*: what its hook has lost before it began, the wait has not had.
#[test]
fn no_wait_expires_before_its_work_is_parked() {
    let terms = Terms { timeout_from: TimeoutFrom::Asked, ..default_terms(Clock::PerHook) };
    let parks = PlainAnswer { after: Millis(700), reply: Reply::Pending, later: None };
    let impatient = Hook { patience: Millis(500), ..hook("parks") };
    let told = told_by_both(terms, vec![(impatient, Some(parks)), (hook("next"), defers(0))]);
    let expired: Vec<_> = told.visits.iter().map(|visit| (visit.failure, visit.at)).collect();
    assert_eq!(expired, [(Some(Failure::Expired), Millis(700)), (None, Millis(700))]);
}

/// VO-DL-3 is no reading: VO-DL-9 speaks of an answer exactly at the budget, and of nothing else.
#[test]
fn behind_a_hook_that_used_up_the_budget_nobody_is_called() {
    let budget = Clock::Shared(Millis(500));
    let terms = Terms { nothing_left: NothingLeft::AskedWithZero, ..default_terms(budget) };
    let late = told_by_both(terms, vec![(hook("late"), defers(501)), (hook("next"), defers(0))]);
    assert_eq!(asked(&late), [0]);
    let exact = told_by_both(terms, vec![(hook("exact"), defers(500)), (hook("next"), defers(0))]);
    assert_eq!(asked(&exact), [0, 1]);
}

/// VO-ORDER-2: all are asked at once, and folding comes after.
#[test]
fn concurrent_dispatch_asks_those_behind_a_failed_condition_too() {
    let path = "missing".to_owned();
    let guard = Guard { conditions: vec![Condition { path, operator: Operator::Eq, value: json!(1) }] };
    let closed = Hook { guard, policy: FailurePolicy::FailClosed, ..hook("closed") };
    let terms = Terms {
        dispatch: Dispatch::Concurrent,
        sight: Sight::Original,
        incomparable: Incomparable::Failure,
        ..default_terms(Clock::Shared(Millis(500)))
    };
    let told = told_by_both(terms, vec![(closed, None), (hook("open"), defers(0))]);
    assert_eq!((asked(&told), told.outcome.decision, told.outcome.at), (vec![1], Decision::Deny, Millis(0)));
}

/// VO-ORDER-2: a firing ends when the prefix that decides is complete, whatever is due next.
#[test]
fn concurrent_dispatch_ends_with_its_deciding_prefix_and_no_later() {
    for boundary in [Boundary::InTime, Boundary::Late] {
        let closed = Hook { deadline: Millis(4), policy: FailurePolicy::FailClosed, ..hook("closed") };
        let terms = Terms {
            dispatch: Dispatch::Concurrent,
            sight: Sight::Original,
            boundary,
            ..default_terms(Clock::PerHook)
        };
        let next = Hook { deadline: Millis(5), ..hook("next") };
        let told = told_by_both(terms, vec![(closed, None), (next, None)]);
        assert_eq!((told.outcome.decision, told.outcome.at), (Decision::Deny, Millis(4)), "{boundary:?}");
    }
}

#[test]
fn the_plain_formulation_takes_types_alone() {
    let functions = functions_of_the_kernel();
    assert!(functions.len() > 10, "{functions:?}");
    for (file, source) in SOURCES {
        let (imports, rest): (Vec<String>, Vec<String>) =
            statements(source).partition(|statement| statement.starts_with("use "));
        assert!(!imports.is_empty(), "{file} imports nothing");
        for import in &imports {
            assert!(
                !import.contains('*') && !import.contains(" as "),
                "{file}: `{import}` hides what it names"
            );
            assert!(!names_a_dialect(import), "{file}: `{import}` reaches into a dialect");
            for name in imported(import) {
                assert!(
                    name.starts_with(char::is_uppercase) || is_its_own(file, import),
                    "{file}: `{import}` takes `{name}`, which is no type"
                );
            }
        }
        for statement in rest {
            // Below `plain.rs` the dialects' names are those of its own modules.
            let own = if file == "plain.rs" { ["voiceos::run(", "matrices::run("] } else { ["", ""] };
            let statement = own
                .iter()
                .fold(statement, |rest, own| if own.is_empty() { rest } else { rest.replace(own, "") });
            for path in ["crate::", "super::", "kernel::", "matrices::", "voiceos::"] {
                assert!(!statement.contains(path), "{file} reaches past its imports: `{statement}`");
            }
            for function in &functions {
                let called = [format!(".{function}("), format!("::{function}(")];
                assert!(
                    !called.iter().any(|call| statement.contains(call)),
                    "{file} calls the kernel's `{function}`"
                );
            }
        }
    }
}

#[test]
fn every_file_of_the_plain_formulation_is_looked_at() {
    let mut files = vec!["plain.rs".to_owned()];
    for folder in ["plain", "plain/matrices", "plain/voiceos"] {
        let entries = std::fs::read_dir(format!("{}/src/{folder}", env!("CARGO_MANIFEST_DIR")));
        let paths = entries.expect("it is there").map(|entry| entry.expect("it can be listed").path());
        let names = paths.filter(|path| path.is_file()).filter_map(|path| Some(path.file_name()?.to_owned()));
        files.extend(names.map(|name| format!("{folder}/{}", name.to_string_lossy())));
    }
    let looked_at: BTreeSet<_> = SOURCES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(looked_at, files.into_iter().collect());
}

/// Whether an import names a dialect's own modules. Scripts and readings are types of both sides.
fn names_a_dialect(import: &str) -> bool {
    let mut path = import.to_owned();
    for types in ["script::voiceos::", "reading::voiceos::", "script::matrices::", "reading::matrices::"] {
        path = path.replace(types, "");
    }
    ["voiceos", "matrices"].iter().any(|dialect| path.contains(dialect))
}

/// Whether an import takes from the plain formulation itself, where calling is no borrowing, or from
/// another crate.
fn is_its_own(file: &str, import: &str) -> bool {
    // Of `plain.rs`, `super` is the whole crate, and of the files right below it, `super::super` is.
    let above = if file == "plain.rs" { "super::" } else { "super::super::" };
    import.starts_with("use crate::plain::")
        || !(import.starts_with("use crate::") || import.contains("kernel") || import.contains(above))
}

/// The files that the plain formulation is made of.
macro_rules! sources {
    ($($file:literal),+ $(,)?) => { [$(($file, include_str!(concat!("../src/", $file)))),+] };
}

const SOURCES: [(&str, &str); 26] = sources![
    "plain.rs",
    "plain/conditions.rs",
    "plain/hearing.rs",
    "plain/matrices.rs",
    "plain/matrices/address.rs",
    "plain/matrices/answer.rs",
    "plain/matrices/audit.rs",
    "plain/matrices/clock.rs",
    "plain/matrices/defaults.rs",
    "plain/matrices/document.rs",
    "plain/matrices/firing.rs",
    "plain/matrices/hook.rs",
    "plain/matrices/matching.rs",
    "plain/matrices/profile.rs",
    "plain/matrices/waits.rs",
    "plain/voiceos.rs",
    "plain/voiceos/answer.rs",
    "plain/voiceos/call.rs",
    "plain/voiceos/firing.rs",
    "plain/voiceos/host.rs",
    "plain/voiceos/json.rs",
    "plain/voiceos/kind.rs",
    "plain/voiceos/manifest.rs",
    "plain/voiceos/payload.rs",
    "plain/voiceos/shape.rs",
    "plain/voiceos/turn.rs",
];

/// The names of the kernel's public functions and methods, but for the arithmetic of time. Types
/// bring their methods along, and some of those are rules.
fn functions_of_the_kernel() -> BTreeSet<String> {
    let files =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernel")).expect("the kernel is there");
    let paths = files.map(|file| file.expect("it can be listed").path());
    let paths = paths.filter(|path| path.is_file() && !path.ends_with("time.rs"));
    let sources = paths.map(|path| std::fs::read_to_string(path).expect("it can be read"));
    let names = |source: String| {
        let declared = source.split("pub fn ").skip(1).chain(source.split("pub const fn ").skip(1));
        declared.filter_map(|rest| rest.split(['(', '<']).next()).map(str::to_owned).collect::<Vec<_>>()
    };
    sources.flat_map(names).collect()
}

/// The code, cut at semicolons, without comments.
fn statements(source: &str) -> impl Iterator<Item = String> {
    let code: Vec<_> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let statements: Vec<_> = code.join("\n").split(';').map(|part| part.trim().to_owned()).collect();
    statements.into_iter()
}

/// The last names of the paths in a `use`.
fn imported(import: &str) -> impl Iterator<Item = &str> {
    let paths = import.trim_start_matches("use ").split(['{', '}', ',']).map(str::trim);
    paths.filter_map(|path| path.rsplit("::").next()).filter(|name| !name.is_empty())
}
