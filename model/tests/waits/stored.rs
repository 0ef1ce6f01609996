//! A parked chain is a stored firing: written as JSON and read back, it goes on as it would have.
//!
//! `laws/replay.rs` holds this for drawn firings that are stored at every moment. Here it is held for
//! every chain of up to four hooks in which any number park the work, are resolved or expire, for each
//! moment by itself, and for chains that are cancelled or changed where they were read again.

use hookproof_model::kernel::{
    Answer, Decision, Failure, FailurePolicy, Firing, Guard, Hook, Input, Millis, Outcome, Output, Reply,
    Spec, Visit,
};
use hookproof_model::matrices::terms;
use hookproof_model::reading::MatricesReadings;
use hookproof_model::reading::shared::Boundary;
use serde_json::{Value, json};

const PATIENCE: u64 = 3;

/// What a hook does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Turn {
    Defers,
    /// It parks the work, and is resolved so long after that with this decision.
    Parks(u64, Decision),
    /// It parks the work and is not resolved before it expires; the policy decides.
    Expires(FailurePolicy),
}

const TURNS: [Turn; 6] = [
    Turn::Defers,
    Turn::Parks(1, Decision::Defer),
    Turn::Parks(PATIENCE, Decision::Defer),
    Turn::Parks(2, Decision::Allow),
    Turn::Expires(FailurePolicy::FailOpen),
    Turn::Expires(FailurePolicy::FailClosed),
];

/// Every chain of these lengths.
fn chains(lengths: std::ops::RangeInclusive<usize>) -> Vec<Vec<Turn>> {
    let longer = |chains: &Vec<Vec<Turn>>| -> Vec<Vec<Turn>> {
        let with = |chain: &Vec<Turn>| TURNS.map(|turn| [chain.as_slice(), &[turn]].concat());
        chains.iter().flat_map(with).collect()
    };
    let all = std::iter::successors(Some(vec![vec![]]), |chains| Some(longer(chains)));
    all.skip(*lengths.start()).take(lengths.count()).flatten().collect()
}

fn hook(slot: usize, turn: Turn) -> Hook {
    Hook {
        name: format!("hook {slot}"),
        guard: Guard { conditions: vec![] },
        policy: if let Turn::Expires(policy) = turn { policy } else { FailurePolicy::FailClosed },
        deadline: Millis(10),
        patience: Millis(PATIENCE),
    }
}

/// Each rewrites to something of its own.
fn answered(slot: usize, decision: Decision) -> Reply {
    let rewrite = Some(json!({ "by": slot, "amount": 0.1 }));
    Reply::Answered(Box::new(Answer {
        decision,
        rewrite,
        reason: Some("because".into()),
        ..Answer::default()
    }))
}

/// What is done to a firing at the moment at which it is stored, behind that.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Then {
    Nothing,
    Cancel,
    /// MX-WAIT-9, live: a hook stands behind the one that has parked the work, and no other.
    Change,
}

/// All that can be told of a firing.
#[derive(Debug, PartialEq)]
struct Told {
    outcome: Outcome,
    visits: Vec<Visit>,
    asked: Vec<(usize, String, Value, Millis, Millis)>,
    /// The slots that have parked the work, at each moment.
    parked: Vec<Vec<usize>>,
}

fn read_again(firing: &Firing) -> Firing {
    let text = serde_json::to_string(firing).expect("a firing is data");
    let back = serde_json::from_str(&text).expect("and can be read");
    assert_eq!(*firing, back);
    // The members of an object have no order, and a store may keep another than they were written in.
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    let pretty = serde_json::to_string_pretty(&value).expect("a value is data");
    assert_eq!(back, serde_json::from_str(&pretty).expect("and can be read"));
    back
}

/// Drives a chain to its end. At each moment (before and behind whatever happens) `meets` is handed
/// the firing.
fn told(turns: &[Turn], boundary: Boundary, mut meets: impl FnMut(usize, Firing) -> Firing) -> Told {
    let terms = terms(&MatricesReadings { boundary, ..MatricesReadings::default() });
    let hooks = turns.iter().enumerate().map(|(slot, turn)| hook(slot, *turn)).collect();
    let mut firing =
        Firing::new(terms, hooks, json!({ "tool": "shop.pay" }), "input", json!({ "by": "all" }));
    let (mut asked, mut parked) = (vec![], vec![]);
    let mut coming: Vec<(Millis, usize, Reply)> = vec![];
    for moment in 0.. {
        firing = meets(moment, firing);
        parked.push(firing.parked().collect());
        let until = match firing.poll(&Spec) {
            Output::Ask { slot, hook, sees, at, until } => {
                asked.push((slot, hook.name.clone(), sees.clone(), at, until));
                let first = match turns.get(slot) {
                    Some(Turn::Parks(..) | Turn::Expires(_)) => Reply::Pending,
                    Some(Turn::Defers) | None => answered(slot, Decision::Defer),
                };
                coming.push((at.plus(Millis(1)), slot, first));
                continue;
            }
            Output::WaitUntil(until) => until.expect("whoever is asked has a deadline"),
            Output::Done(outcome) => {
                let outcome = outcome.clone();
                return Told { outcome, visits: firing.visits().to_vec(), asked, parked };
            }
        };
        coming.sort_by_key(|(at, slot, _)| (*at, *slot));
        if coming.first().is_none_or(|(at, ..)| *at > until) {
            firing.handle(&Spec, Input::Elapsed { at: until });
            continue;
        }
        let (at, slot, reply) = coming.remove(0);
        match turns.get(slot).filter(|_| reply == Reply::Pending) {
            Some(Turn::Parks(after, decision)) => {
                coming.push((at.plus(Millis(*after)), slot, answered(slot, *decision)));
            }
            // It comes too late, and is passed over.
            Some(Turn::Expires(_)) => {
                coming.push((at.plus(Millis(PATIENCE + 1)), slot, answered(slot, Decision::Allow)));
            }
            _ => {}
        }
        firing.handle(&Spec, Input::Answered { slot, at, reply });
    }
    unreachable!("a chain comes to its end")
}

fn then(then: Then, mut firing: Firing) -> Firing {
    match then {
        Then::Nothing => {}
        Then::Cancel => firing.handle(&Spec, Input::Cancelled { at: Millis(100) }),
        Then::Change => {
            let parked = firing.parked().next();
            if let Some(slot) = parked {
                firing.rechain(slot + 1, vec![hook(9, Turn::Defers)]);
            }
        }
    }
    firing
}

/// Whether a chain that is stored at one moment, whichever it is, goes on as it would have. How many
/// moments there were.
fn comes_through(turns: &[Turn], boundary: Boundary, what: Then) -> usize {
    let undisturbed = told(turns, boundary, |_, firing| firing);
    let moments = undisturbed.parked.len();
    for stored_at in 0..moments {
        let kept = told(
            turns,
            boundary,
            |moment, firing| {
                if moment == stored_at { then(what, firing) } else { firing }
            },
        );
        let stored =
            told(
                turns,
                boundary,
                |moment, firing| {
                    if moment == stored_at { then(what, read_again(&firing)) } else { firing }
                },
            );
        assert_eq!(kept, stored, "{turns:?}, stored at moment {stored_at}, {what:?}");
        assert!(what != Then::Nothing || stored == undisturbed);
    }
    moments
}

#[test]
fn a_chain_of_up_to_four_that_is_stored_at_any_moment_goes_on_as_it_would_have() {
    let chains = chains(1..=4);
    assert_eq!(chains.len(), 6 + 36 + 216 + 1296);
    let moments: Vec<_> =
        chains.iter().map(|turns| comes_through(turns, Boundary::InTime, Then::Nothing)).collect();
    assert_eq!(moments.iter().sum::<usize>(), 12_395, "moments, of all chains");
}

#[test]
fn and_so_does_one_that_is_stored_at_every_moment() {
    for turns in chains(1..=4) {
        let kept = told(&turns, Boundary::InTime, |_, firing| firing);
        assert_eq!(kept, told(&turns, Boundary::InTime, |_, firing| read_again(&firing)), "{turns:?}");
    }
}

/// MX-DL-3, late: a resolution at the very deadline comes behind the expiry.
#[test]
fn and_so_does_one_whose_wait_is_over_at_its_deadline() {
    for turns in chains(1..=3) {
        comes_through(&turns, Boundary::Late, Then::Nothing);
    }
}

#[test]
fn and_so_does_one_that_is_cancelled_or_changed_once_it_was_read_again() {
    for turns in chains(1..=3) {
        comes_through(&turns, Boundary::InTime, Then::Cancel);
        comes_through(&turns, Boundary::InTime, Then::Change);
    }
}

/// What the chains are to reach: else storing them would show nothing.
#[test]
fn the_chains_park_up_to_four_times_and_expire_behind_a_park() {
    let all: Vec<_> =
        chains(4..=4).iter().map(|turns| told(turns, Boundary::InTime, |_, firing| firing)).collect();
    let parks = |told: &&Told| (0..4).all(|slot| told.parked.contains(&vec![slot]));
    let expiries =
        |told: &Told| told.visits.iter().filter(|visit| visit.failure == Some(Failure::Expired)).count();
    // Three that let the chain go on at each of three places; the last is any of the five that park.
    assert_eq!(all.iter().filter(parks).count(), 3 * 3 * 3 * 5);
    assert!(all.iter().any(|told| expiries(told) == 4));
    let mixed = |told: &&Told| parks(told) && told.outcome.decision == Decision::Allow && expiries(told) == 2;
    assert!(all.iter().any(|told| mixed(&told)));
}
