//! Deeds as they are drawn.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::deeds::{At, Body, Deed, Does, Hook, Rewrite, Word};
use super::reference::{Held, Reference};

/// A deed that is drawn: it names waits and moments by their place, so that it still means something
/// when what came before it is left out.
#[derive(Debug, Clone)]
pub(crate) enum Move {
    Fire { thread: usize, at: At, does: Vec<(u64, Does)>, label_taken: bool },
    Advance(Until),
    Resolve { which: Which, from_another: bool, word: Word, rewrite: Option<u8>, fault: Fault },
    Cancel(usize),
    Update { profile: usize, hooks: Vec<Hook> },
    Waiting,
    Audit(usize),
}

/// How long.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    By(u64),
    /// One before the deadline of the n-th wait that holds work, at it, or one behind it.
    Before(usize),
    At(usize),
    Behind(usize),
    BehindAll,
}

/// The n-th wait of those that hold work, of all that ever were, or none.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    Held(usize),
    Any(usize),
    Unknown,
}

/// What is wrong with a resolution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fault {
    None,
    NotJson,
    UnknownDecision,
    Misfit,
}

pub(crate) const THREADS: [&str; 4] = ["desk", "shop", "till", "nowhere"];
pub(crate) const PROFILES: [&str; 2] = ["first", "second"];

/// Every hook id, with its point: what goes by one name stays at one point, and waits for the same.
fn ids(at: At) -> Vec<String> {
    ["a", "b", "c", "d"].map(|letter| format!("{letter}-{}", at.name())).to_vec()
}

pub(crate) fn hooks() -> impl Strategy<Value = Vec<Hook>> {
    // Two points are enough for most profiles to hold a chain.
    let at =
        prop_oneof![3 => Just(At::BeforeToolCall), 2 => Just(At::AfterOutput), 1 => select(&At::ALL[..])];
    let client = prop_oneof![3 => Just(true), 2 => Just(false)];
    let hook = (at, 0..4usize, client, select(vec![3u64, 1, 2, 5, 8]), any::<bool>());
    let hook = hook.prop_map(|(at, letter, is_client, patience, fails_open)| Hook {
        id: ids(at).swap_remove(letter),
        at,
        is_client,
        patience,
        fails_open,
    });
    vec(hook, 1..=6).prop_map(|mut hooks| {
        let mut ids = vec![];
        // MX-VAL-12b.
        hooks.retain(|hook| {
            !ids.contains(&hook.id) && {
                ids.push(hook.id.clone());
                true
            }
        });
        hooks
    })
}

fn does() -> impl Strategy<Value = (u64, Does)> {
    let answers = prop_oneof![
        4 => Just(Body::of(Word::Defer)),
        2 => (1..9u8).prop_map(|number| {
            let rewrite = Some(Rewrite { of: At::BeforeToolCall, number });
            Body::Result { word: Word::Defer, rewrite, reason: false }
        }),
        1 => Just(Body::of(Word::Allow)),
        1 => Just(Body::of(Word::Deny)),
        1 => Just(Body::NotJson),
    ];
    let does =
        prop_oneof![4 => answers.prop_map(Does::Answers), 4 => Just(Does::Accepts), 1 => Just(Does::Nothing)];
    // A call may take 4 ms.
    (prop_oneof![3 => Just(0), 2 => 1..=5u64], does)
}

pub(crate) fn moves() -> impl Strategy<Value = Move> {
    let thread = || prop_oneof![12 => 0..3usize, 1 => Just(3)];
    let at =
        prop_oneof![3 => Just(At::BeforeToolCall), 2 => Just(At::AfterOutput), 1 => select(&At::ALL[..])];
    let fire = (thread(), at, vec(does(), 4), proptest::bool::weighted(0.05))
        .prop_map(|(thread, at, does, label_taken)| Move::Fire { thread, at, does, label_taken });
    let place = || 0..5usize;
    let until = prop_oneof![
        2 => (0..=4u64).prop_map(Until::By),
        2 => place().prop_map(Until::Before),
        3 => place().prop_map(Until::At),
        3 => place().prop_map(Until::Behind),
        2 => Just(Until::BehindAll),
    ];
    let which = prop_oneof![
        8 => place().prop_map(Which::Held),
        4 => (0..12usize).prop_map(Which::Any),
        1 => Just(Which::Unknown),
    ];
    let word = prop_oneof![3 => Just(Word::Defer), 1 => Just(Word::Allow), 1 => Just(Word::Deny)];
    let fault = prop_oneof![
        9 => Just(Fault::None),
        1 => Just(Fault::NotJson),
        1 => Just(Fault::UnknownDecision),
        1 => Just(Fault::Misfit),
    ];
    let resolve = (which, proptest::bool::weighted(0.1), word, proptest::option::of(1..9u8), fault);
    let resolve = resolve.prop_map(|(which, from_another, word, rewrite, fault)| Move::Resolve {
        which,
        from_another,
        word,
        rewrite,
        fault,
    });
    prop_oneof![
        8 => fire,
        6 => until.prop_map(Move::Advance),
        8 => resolve,
        1 => thread().prop_map(Move::Cancel),
        2 => (0..2usize, hooks()).prop_map(|(profile, hooks)| Move::Update { profile, hooks }),
        1 => Just(Move::Waiting),
        1 => thread().prop_map(Move::Audit),
    ]
}

impl Move {
    /// What it comes to, where things stand like this.
    pub(crate) fn deed(&self, reference: &Reference) -> Deed {
        match self {
            Self::Fire { thread, at, does, label_taken } => {
                let label = if *label_taken { 0 } else { reference.firings.len() };
                let fits = |(after, does): &(u64, Does)| match does {
                    // A rewrite is drawn for whatever point it is needed at.
                    Does::Answers(Body::Result { word, rewrite: Some(rewrite), reason }) => {
                        let rewrite = Some(Rewrite { of: *at, ..*rewrite });
                        (*after, Does::Answers(Body::Result { word: *word, rewrite, reason: *reason }))
                    }
                    other => (*after, other.clone()),
                };
                let does = ids(*at).into_iter().zip(does.iter().map(fits)).collect();
                let (firing, thread) = (format!("firing {label}"), THREADS[*thread].to_owned());
                Deed::Fire { firing, thread, at: *at, does }
            }
            Self::Advance(until) => Deed::Advance(until.length(reference)),
            Self::Resolve { which, from_another, word, rewrite, fault } => {
                let Some(wait) = which.of(reference) else {
                    let (thread, wait) = (THREADS[0].to_owned(), "firing 0/nobody".to_owned());
                    return Deed::Resolve { thread, wait, body: Body::of(*word) };
                };
                let at = reference.firings[wait.firing].at;
                let misfit = *fault == Fault::Misfit;
                let fits = |of: &At| (of.members() == at.members()) != misfit;
                let of = At::ALL.into_iter().find(fits).expect("there are others");
                let number = rewrite.or(misfit.then_some(1));
                let body = match fault {
                    Fault::NotJson => Body::NotJson,
                    Fault::UnknownDecision => Body::UnknownDecision,
                    Fault::None | Fault::Misfit => Body::Result {
                        word: *word,
                        rewrite: number.map(|number| Rewrite { of, number }),
                        reason: rewrite.is_some_and(|number| number % 2 == 0),
                    },
                };
                let another = THREADS.into_iter().find(|thread| **thread != *wait.thread);
                let another = another.filter(|_| *from_another).map(str::to_owned);
                let (thread, wait) = (another.unwrap_or(wait.thread.clone()), wait.shown.wait.clone());
                Deed::Resolve { thread, wait, body }
            }
            Self::Cancel(thread) => Deed::Cancel(THREADS[*thread].into()),
            Self::Update { profile, hooks } => {
                let had = reference.had_their_turn();
                let hooks = hooks.iter().filter(|hook| !had.contains(&hook.id.as_str())).cloned().collect();
                Deed::Update { profile: PROFILES[*profile].into(), hooks }
            }
            Self::Waiting => Deed::Waiting,
            Self::Audit(thread) => Deed::Audit(THREADS[*thread].into()),
        }
    }
}

impl Until {
    fn length(self, reference: &Reference) -> u64 {
        let held = reference.held();
        let deadline = |place: usize| nth(&held, place).map_or(reference.now, |wait| wait.deadline);
        let moment = match self {
            Self::By(length) => return length,
            Self::Before(place) => deadline(place).saturating_sub(1),
            Self::At(place) => deadline(place),
            Self::Behind(place) => deadline(place) + 1,
            Self::BehindAll => held.iter().map(|wait| wait.deadline).max().unwrap_or(reference.now) + 1,
        };
        moment.saturating_sub(reference.now)
    }
}

impl Which {
    fn of(self, reference: &Reference) -> Option<&Held> {
        let (waits, place) = match self {
            Self::Held(place) => (reference.held(), place),
            Self::Any(place) => (reference.waits.iter().collect(), place),
            Self::Unknown => return None,
        };
        nth(&waits, place)
    }
}

/// The n-th from the end, or the first: what is left out of a sequence before a wait came about makes
/// no difference to which one this is.
fn nth<'a>(waits: &[&'a Held], place: usize) -> Option<&'a Held> {
    waits.iter().rev().take(place + 1).next_back().copied()
}
