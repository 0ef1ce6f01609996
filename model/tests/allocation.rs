//! What a firing allocates does not grow with the value that its hooks are handed.
//!
//! A chain is driven twice, on a small value and on one of 1 MiB, and the bytes allocated are compared.
//! What it is built from, the answers included, is made outside of what is measured. This binary holds
//! one test, for the profiler counts everybody's bytes.

use hookproof_model::kernel::{
    Answer, Condition, FailurePolicy, Firing, Guard, Hook, Input, Millis, Operator, Output, Reply, Spec,
    Terms,
};
use hookproof_model::reading::shared::{Dispatch, RewriteMode, Sight};
use hookproof_model::reading::{MatricesReadings, VoiceosReadings};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const SMALL: usize = 1 << 10;
const LARGE: usize = 1 << 20;
const HOOKS: usize = 16;

/// VoiceOS's default readings, in this dispatch.
fn voiceos(dispatch: Dispatch) -> Terms {
    let sight = if dispatch == Dispatch::Sequential { Sight::Composed } else { Sight::Original };
    let readings = VoiceosReadings { dispatch, sight, ..VoiceosReadings::default() };
    hookproof_model::voiceos::fire::terms(&readings, Millis(500))
}

fn matrices() -> Terms {
    hookproof_model::matrices::terms(&MatricesReadings::default())
}

/// A value of about this size: its bulk in one string, in many members and in a list.
fn value(size: usize) -> Value {
    let members = (0..size / 1024).map(|n| (format!("member{n}"), json!(n))).collect();
    let list = (0..size / 1024).map(Value::from).collect();
    json!({ "text": "x".repeat(size / 2), "members": Value::Object(members), "list": Value::Array(list) })
}

/// A hook that is asked only if it finds what it looks for in the value.
fn hook(slot: usize) -> Hook {
    let conditions = [
        ("input.text", Operator::StartsWith, json!("xx")),
        ("input.list", Operator::Contains, json!(0)),
        ("input.members", Operator::Exists, json!(true)),
    ];
    let conditions =
        conditions.map(|(path, operator, value)| Condition { path: path.into(), operator, value });
    Hook {
        name: format!("hook-{slot}"),
        guard: Guard { conditions: conditions.into() },
        policy: FailurePolicy::FailClosed,
        deadline: Millis(10_000),
        patience: Millis(10_000),
    }
}

/// Sixteen hooks defer, one after the other or all at once; one of them may rewrite.
#[derive(Clone, Copy)]
struct Chain {
    terms: Terms,
    /// The slot of the hook that rewrites, and whether the work is parked on it first.
    rewrites: Option<usize>,
    parks: bool,
}

/// The bytes allocated while such a chain is driven on a value of this size.
fn allocated(chain: Chain, size: usize) -> u64 {
    // The harness's own thread may allocate meanwhile, but not each time.
    (0..3).map(|_| allocated_once(chain, size)).min().unwrap_or_default()
}

fn allocated_once(chain: Chain, size: usize) -> u64 {
    let hooks = (0..HOOKS).map(hook).collect();
    let mut firing =
        Firing::new(chain.terms, hooks, json!({ "tool": "billing.charge" }), "input", value(size));
    let rewrite = |slot| (chain.rewrites == Some(slot)).then(|| value(size));
    let answer = |slot| Reply::Answered(Box::new(Answer { rewrite: rewrite(slot), ..Answer::default() }));
    let mut replies: Vec<_> = (0..HOOKS).map(answer).rev().collect();
    let mut due = Vec::with_capacity(HOOKS);
    let (mut asked, mut seen) = (0, 0);

    let before = dhat::HeapStats::get().total_bytes;
    let over = loop {
        match firing.poll(&Spec) {
            Output::Ask { slot, sees, at, .. } => {
                (asked, seen) = (asked + 1, seen + sees["text"].as_str().map_or(0, str::len));
                due.push((slot, at));
            }
            Output::WaitUntil(until) => {
                assert!(until.is_some(), "somebody is waited for");
                for (slot, at) in due.drain(..) {
                    if chain.parks {
                        firing.handle(&Spec, Input::Answered { slot, at, reply: Reply::Pending });
                        assert_eq!(firing.parked().next(), Some(slot));
                    }
                    let reply = replies.pop().unwrap_or(Reply::Pending);
                    firing.handle(&Spec, Input::Answered { slot, at: at.plus(Millis(1)), reply });
                }
            }
            Output::Done(outcome) => break outcome.value.is_some(),
        }
    };
    let after = dhat::HeapStats::get().total_bytes;

    assert_eq!((asked, seen), (HOOKS, HOOKS * (size / 2)), "all were asked and saw the value");
    assert_eq!(over, chain.rewrites.is_some());
    assert_eq!(firing.visits().len(), HOOKS);
    after - before
}

/// By how many bytes more a chain allocates on the large value than on the small one.
fn growth(chain: Chain) -> u64 {
    allocated(chain, LARGE) - allocated(chain, SMALL)
}

/// What a copy of the large value takes more than one of the small one.
fn growth_of_a_copy() -> u64 {
    let copied = |size| {
        let value = value(size);
        let before = dhat::HeapStats::get().total_bytes;
        let copy = value.clone();
        let after = dhat::HeapStats::get().total_bytes;
        assert_eq!(copy, value);
        after - before
    };
    copied(LARGE) - copied(SMALL)
}

#[test]
fn a_firing_allocates_no_more_for_a_large_value_than_for_a_small_one() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let copy = growth_of_a_copy();
    assert!(copy > LARGE as u64 / 2, "copies are seen: {copy}");

    for terms in [voiceos(Dispatch::Sequential), voiceos(Dispatch::Concurrent), matrices()] {
        let defer = Chain { terms, rewrites: None, parks: false };
        assert!(allocated(defer, SMALL) > 0, "allocations are seen");
        assert_eq!(growth(defer), 0, "all defer: {terms:?}");
        // The rewrite is moved from the answer to the outcome.
        assert_eq!(growth(Chain { rewrites: Some(3), ..defer }), 0, "the fourth rewrites: {terms:?}");
    }
    let parks = Chain { terms: matrices(), rewrites: Some(3), parks: true };
    assert_eq!(growth(parks), 0, "each parks the work");
    assert_eq!(growth(Chain { rewrites: None, ..parks }), 0, "each parks the work, and none rewrites");

    // Merging copies what stays of the old value, once; and a copy in a firing is seen.
    let merge = Terms { rewrite_mode: RewriteMode::Merge, ..matrices() };
    let merges = growth(Chain { terms: merge, rewrites: Some(3), parks: false });
    assert!(merges > 0 && merges <= copy, "{merges} for a merge, {copy} for a copy");
}
