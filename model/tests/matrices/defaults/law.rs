//! Over drawn histories of profiles and defaults: a new default is taken in once, behind or between what is
//! there, and touches nothing else; and every list is what a plain ledger of lists says.
//!
//! A hook of the ledger is an id and a variant, which the platform shows as its timeout. A new default can
//! only reach a profile at the one moment at which it is introduced, so the ledger knows no history.

use std::collections::BTreeSet;

use hookproof_model::script::matrices::Observation;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::harness::holds;
use crate::support::*;

type Entry = (&'static str, u64);

/// The defaults at first, and those that may come.
const FIRST: [&str; 3] = ["d0", "d1", "d2"];
const LATER: [&str; 3] = ["e0", "e1", "e2"];
const OWN: [&str; 16] =
    ["o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11", "o12", "o13", "o14", "o15"];
const PROFILES: [&str; 3] = ["p", "q", "r"];

/// What a profile's text says of its hooks.
#[derive(Debug, Clone)]
enum Sent {
    Nothing,
    Null,
    List(Vec<Entry>),
    /// What the profile has now, but for those of these places.
    Back(BTreeSet<usize>),
}

#[derive(Debug, Clone)]
enum Op {
    Create(usize, Sent),
    Update(usize, Sent),
    Add(Entry),
}

fn json_of((id, variant): Entry) -> Value {
    hook(id, "before_tool_call", "client", json!({ "asyncTimeoutMs": 1000 + variant }))
}

fn list() -> impl Strategy<Value = Vec<Entry>> {
    let ids: Vec<_> = FIRST.into_iter().chain(LATER).collect();
    let some = (subsequence(ids, 0..=5), vec(prop_oneof![4 => Just(0), 1 => 1..3_u64], 6))
        .prop_map(|(ids, variants)| ids.into_iter().zip(variants).collect::<Vec<_>>());
    let length = prop_oneof![3 => 0..8_usize, 1 => 14..18_usize];
    (some, length).prop_map(|(mut hooks, length)| {
        let room = length.saturating_sub(hooks.len());
        hooks.extend(OWN.into_iter().take(room).map(|id| (id, 0)));
        hooks
    })
}

fn sent() -> impl Strategy<Value = Sent> {
    prop_oneof![
        2 => Just(Sent::Nothing),
        1 => Just(Sent::Null),
        1 => Just(Sent::List(vec![])),
        4 => list().prop_map(Sent::List),
        3 => vec(0..8_usize, 0..3).prop_map(|places| Sent::Back(places.into_iter().collect())),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let default = prop_oneof![
        6 => select(LATER.to_vec()).prop_map(|id| (id, 0)),
        1 => (select(LATER.to_vec()), 0..2_u64),
        1 => (select(FIRST.to_vec()), 0..2_u64),
    ];
    prop_oneof![
        2 => (0..3_usize, sent()).prop_map(|(profile, sent)| Op::Create(profile, sent)),
        3 => (0..3_usize, sent()).prop_map(|(profile, sent)| Op::Update(profile, sent)),
        4 => default.prop_map(Op::Add),
    ]
}

type Chosen = Vec<(&'static str, &'static str)>;

fn chosen() -> impl Strategy<Value = Chosen> {
    select(all_readings(&[
        ("MX-DEF-5", &["keep", "reinstall"]),
        ("MX-DEF-6", &["holds-a-default", "untouched-only", "all-but-opted-out"]),
        ("MX-DEF-8a", &["append", "catalogue-order"]),
        ("MX-DEF-8b", &["skip", "refuse"]),
        ("MX-DEF-9", &["still-default", "authored"]),
        ("MX-DEF-10", &["accept", "reject"]),
        ("MX-VAL-14", &["reject", "as-omitted", "as-empty"]),
    ]))
}

/// A profile of the ledger: with each hook, whether it was sent by the author.
#[derive(Debug, Clone, Default)]
struct Profile {
    hooks: Vec<(Entry, bool)>,
    opted_out: bool,
}

struct Ledger<'c> {
    chosen: &'c Chosen,
    catalogue: Vec<Entry>,
    profiles: [Option<Profile>; 3],
}

impl Ledger<'_> {
    fn reads(&self, clause: &'static str, alternative: &'static str) -> bool {
        self.chosen.contains(&(clause, alternative))
    }

    /// What a profile comes to with this; nothing if it is not taken.
    fn with(&self, before: Option<&Profile>, sent: &Sent) -> Option<Profile> {
        let list: Option<Vec<Entry>> = match sent {
            Sent::Null if self.reads("MX-VAL-14", "reject") => return None,
            Sent::Null if self.reads("MX-VAL-14", "as-empty") => Some(vec![]),
            Sent::Nothing | Sent::Null => None,
            Sent::List(list) => Some(list.clone()),
            Sent::Back(but) => Some(back(before, but)),
        };
        match (list, before) {
            (None, Some(before)) if self.reads("MX-DEF-5", "keep") => Some(before.clone()),
            (None, _) => Some(Profile {
                hooks: self.catalogue.iter().map(|hook| (*hook, false)).collect(),
                opted_out: false,
            }),
            (Some(list), _) => {
                let reserved =
                    |hook: &Entry| self.catalogue.iter().any(|known| known.0 == hook.0 && known != hook);
                let taken =
                    list.len() <= 16 && !(self.reads("MX-DEF-10", "reject") && list.iter().any(reserved));
                let opted_out = list.is_empty();
                taken.then(|| Profile {
                    hooks: list.into_iter().map(|hook| (hook, true)).collect(),
                    opted_out,
                })
            }
        }
    }

    /// Whether a hook that stands in a profile is a default.
    fn is_default(&self, hook: &(Entry, bool)) -> bool {
        self.catalogue.contains(&hook.0) && !(hook.1 && self.reads("MX-DEF-9", "authored"))
    }

    fn wants(&self, profile: &Profile, default: Entry) -> bool {
        let holds = if self.reads("MX-DEF-6", "holds-a-default") {
            profile.hooks.iter().any(|hook| self.is_default(hook))
        } else if self.reads("MX-DEF-6", "untouched-only") {
            let list: Vec<_> = profile.hooks.iter().map(|(hook, _)| *hook).collect();
            list == self.catalogue && profile.hooks.iter().all(|hook| self.is_default(hook))
        } else {
            true
        };
        holds && !profile.opted_out && profile.hooks.iter().all(|(hook, _)| hook.0 != default.0)
    }

    /// Whether a default is taken; a known one changes nothing.
    fn add(&mut self, default: Entry) -> bool {
        if let Some(known) = self.catalogue.iter().find(|known| known.0 == default.0) {
            return *known == default;
        }
        let wants: Vec<_> = self
            .profiles
            .iter()
            .map(|profile| profile.as_ref().is_some_and(|profile| self.wants(profile, default)))
            .collect();
        let full = |(profile, wants): (&Option<Profile>, &bool)| {
            *wants && profile.as_ref().is_some_and(|profile| profile.hooks.len() == 16)
        };
        if self.reads("MX-DEF-8b", "refuse") && self.profiles.iter().zip(&wants).any(full) {
            return false;
        }
        for (place, wants) in wants.into_iter().enumerate() {
            let Some(profile) =
                self.profiles[place].clone().filter(|profile| wants && profile.hooks.len() < 16)
            else {
                continue;
            };
            let last = profile
                .hooks
                .iter()
                .rposition(|hook| self.is_default(hook))
                .filter(|_| self.reads("MX-DEF-8a", "catalogue-order"));
            let at = last.map_or(profile.hooks.len(), |last| last + 1);
            self.profiles[place].as_mut().unwrap().hooks.insert(at, ((default.0, default.1), false));
        }
        self.catalogue.push(default);
        true
    }
}

/// What a profile has now, but for the hooks of these places.
fn back(before: Option<&Profile>, but: &BTreeSet<usize>) -> Vec<Entry> {
    let hooks = before.map(|before| before.hooks.as_slice()).unwrap_or_default();
    hooks.iter().enumerate().filter(|(place, _)| !but.contains(place)).map(|(_, (hook, _))| *hook).collect()
}

fn shown(seen: &Observation) -> Option<Vec<(String, u64)>> {
    let hooks = seen.hooks.as_ref()?;
    Some(hooks.iter().map(|hook| (hook.id.clone(), hook.async_timeout_ms.0 - 1000)).collect())
}

/// Whether a step is taken, and every profile's list behind it.
type Told = (bool, [Option<Vec<Entry>>; 3]);

/// The steps of a history, each with a look at every profile, and what the ledger says of each.
fn told(ledger: &mut Ledger<'_>, ops: &[Op]) -> (Vec<Value>, Vec<Told>) {
    let (mut steps, mut says) = (vec![], vec![]);
    for op in ops {
        let taken = match op {
            Op::Add(default) => {
                steps.push(add_default(&json_of(*default)));
                ledger.add(*default)
            }
            Op::Create(place, sent) | Op::Update(place, sent) => {
                let before = ledger.profiles[*place].clone();
                let list = |hooks: Vec<Entry>| text(hooks.into_iter().map(json_of).collect::<Vec<_>>());
                let text = match sent {
                    Sent::Nothing => "{}".to_owned(),
                    Sent::Null => text(Value::Null),
                    Sent::List(hooks) => list(hooks.clone()),
                    Sent::Back(but) => list(back(before.as_ref(), but)),
                };
                let creates = matches!(op, Op::Create(..));
                steps.push(if creates {
                    create(PROFILES[*place], &text)
                } else {
                    update(PROFILES[*place], &text)
                });
                let after = ledger.with(before.as_ref(), sent).filter(|_| creates != before.is_some());
                let taken = after.is_some();
                ledger.profiles[*place] = after.or(before);
                taken
            }
        };
        steps.extend(PROFILES.map(get));
        let list =
            |profile: &Option<Profile>| Some(profile.as_ref()?.hooks.iter().map(|(hook, _)| *hook).collect());
        says.push((taken, [0, 1, 2].map(|place| list(&ledger.profiles[place]))));
    }
    (steps, says)
}

#[test]
fn a_default_comes_once_and_touches_nothing_else() {
    let sometimes = &[
        "one is reached",
        "one is full",
        "one has opted out",
        "one has authored under its id",
        "one removed it before",
        "added again",
        "not taken",
    ];
    holds(&(chosen(), vec(op(), 4..16)), sometimes, |(chosen, ops), saw| {
        let catalogue = FIRST.map(|id| json_of((id, 0)));
        let mut ledger = Ledger {
            chosen: &chosen,
            catalogue: FIRST.map(|id| (id, 0)).into(),
            profiles: Default::default(),
        };
        let (steps, says) = told(&mut ledger, &ops);
        let seen = observed_with(&readings(&chosen), Some(&catalogue), steps);
        let mut before: [Option<Vec<(String, u64)>>; 3] = Default::default();
        let mut had: [BTreeSet<String>; 3] = Default::default();
        let mut opted_out = [false; 3];
        let mut added = BTreeSet::from(FIRST.map(|id| (id, 0)));
        for ((op, seen), (taken, lists)) in ops.iter().zip(seen.chunks(4)).zip(says) {
            let after = [1, 2, 3].map(|place| shown(&seen[place]));
            prop_assert_eq!(seen[0].accepted == Some(true), taken, "{:?}", op);
            for (after, list) in after.iter().zip(lists) {
                let list =
                    list.map(|list| list.into_iter().map(|(id, variant)| (id.to_owned(), variant)).collect());
                prop_assert_eq!(after, &list, "{:?}", op);
            }
            saw.saw("not taken", !taken && matches!(op, Op::Add(_)));
            match op {
                Op::Add(default) => {
                    let again = taken && !added.insert(*default);
                    saw.saw("added again", again);
                    for place in 0..3 {
                        let (Some(before), Some(after)) = (&before[place], &after[place]) else { continue };
                        prop_assert!(after.len() <= 16);
                        let without: Vec<_> =
                            after.iter().filter(|hook| before.contains(hook)).cloned().collect();
                        prop_assert_eq!(&without, before, "it touches what was there");
                        let is_new = after.len() > before.len();
                        let authored = before.iter().any(|hook| hook.0 == default.0);
                        prop_assert!(!is_new || after.contains(&(default.0.to_owned(), default.1)));
                        prop_assert!(
                            !(is_new
                                && (authored
                                    || opted_out[place]
                                    || had[place].contains(default.0)
                                    || again
                                    || !taken))
                        );
                        saw.saw("one is reached", is_new);
                        saw.saw("one is full", before.len() == 16 && taken && !again && !authored);
                        saw.saw("one has opted out", opted_out[place] && taken && !again);
                        saw.saw("one has authored under its id", authored && taken && !again);
                        saw.saw(
                            "one removed it before",
                            !authored && had[place].contains(default.0) && taken,
                        );
                    }
                }
                Op::Create(place, _) | Op::Update(place, _) => {
                    let unmentioned =
                        before[*place] == after[*place] && !matches!(op, Op::Update(_, Sent::List(_)));
                    let empty = after[*place].as_ref().is_some_and(Vec::is_empty);
                    opted_out[*place] =
                        if taken && !unmentioned { empty } else { opted_out[*place] || taken && empty };
                }
            }
            before = after;
            for (had, before) in had.iter_mut().zip(&before) {
                // What an author wrote under an id that was no default's yet is no default that was removed.
                let held =
                    before.iter().flatten().filter(|(id, _)| added.iter().any(|(known, _)| known == id));
                had.extend(held.map(|(id, _)| id.clone()));
            }
        }
        Ok(())
    });
}
