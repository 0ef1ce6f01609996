//! The kernel's state machine and the recursion of `plain.rs` say the same of every firing.
//!
//! `HOOKPROOF_CASES` sets how many firings are drawn (5,000 unless given). That the draw reaches what
//! it is there for is a test of its own, over a pass that is the same each time.

#[path = "common/firings.rs"]
mod firings;

use std::cell::RefCell;
use std::collections::BTreeMap;

use firings::{Drawn, FAILURES, alternatives, firing, with};
use hookproof_model::kernel::{
    Clock, Decision, Failure, Firing, Input, Millis, Output, Reply, Spec, Visit,
};
use hookproof_model::plain::{Call, Given, Told, fire};
use hookproof_model::reading::shared::{Dispatch, Sight, TimeoutFrom};
use pretty_assertions::Comparison;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

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
        prop_assert!(plain == kernel, "plain < > kernel\n{}", Comparison::new(&plain, &kernel));
        Ok(())
    };
    if let Err(difference) = TestRunner::new(config(cases)).run(&firing(), same) {
        panic!("{difference}");
    }
}

/// What `plain.rs` says.
fn told_plainly(drawn: &Drawn) -> Told {
    fire(&Given {
        terms: &drawn.terms,
        hooks: &drawn.hooks,
        event: &drawn.event,
        member: drawn.member,
        value: &drawn.value,
        answers: &drawn.answers,
    })
}

/// What the kernel says when it is driven on a virtual clock. Everything that a hook sends is
/// delivered at its time, late answers included.
fn told_by_the_kernel(drawn: &Drawn) -> Told {
    let hooks = drawn.hooks.clone();
    let mut firing =
        Firing::new(drawn.terms, hooks, drawn.event.clone(), drawn.member, drawn.value.clone());
    let mut calls = vec![];
    let mut on_their_way: Vec<(Millis, usize, Reply)> = vec![];
    for _ in 0..1_000 {
        let until = match firing.poll(&Spec) {
            Output::Ask { slot, sees, at, .. } => {
                calls.push(Call { slot, at, sees: sees.clone() });
                if let Some(answer) = &drawn.answers[slot] {
                    on_their_way.push((at.plus(answer.after), slot, answer.reply.clone()));
                }
                continue;
            }
            Output::WaitUntil(until) => until.unwrap_or(Millis::MAX),
            Output::Done(outcome) => {
                let outcome = outcome.clone();
                return Told { outcome, visits: firing.visits().to_vec(), calls };
            }
        };
        // HK-ORDER-2: in which order those of one moment arrive makes no difference.
        let tie = |slot: usize| if drawn.later_slots_first { usize::MAX - slot } else { slot };
        on_their_way.sort_by_key(|(at, slot, _)| (*at, tie(*slot)));
        if on_their_way.first().is_none_or(|(at, ..)| *at > until) {
            firing.handle(&Spec, Input::Elapsed { at: until });
            continue;
        }
        let (at, slot, reply) = on_their_way.remove(0);
        if let (Reply::Pending, Some((after, later))) = (&reply, later(drawn, slot)) {
            on_their_way.push((at.plus(*after), slot, later.clone()));
        }
        firing.handle(&Spec, Input::Answered { slot, at, reply });
    }
    panic!("the kernel comes to no end: {firing:?}");
}

fn later(drawn: &Drawn, slot: usize) -> Option<&(Millis, Reply)> {
    drawn.answers.get(slot)?.as_ref()?.later.as_ref()
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
    assert!(never.is_empty(), "in {CASES} firings never drawn: {never:#?}\nall: {counts:#?}");
}

/// How often each thing that is to be reached was.
struct Reached(BTreeMap<String, usize>);

impl Reached {
    fn expecting() -> Self {
        let mut expected: Vec<String> = [
            "an answer one before its deadline",
            "an answer exactly at its deadline",
            "an answer one after its deadline",
            "a resolution one before its expiry",
            "a resolution exactly at its expiry",
            "a resolution one after its expiry",
            "a wait resolved",
            "a wait expired",
            "a budget that ends a wait",
            "a budget that leaves none for a hook",
            "a budget exhausted behind a decision",
            "a chain of 16, visited to its end",
            "a hook passed over by its conditions",
            "a late answer that arrives while others are awaited",
            "an effect of the clock",
        ]
        .map(String::from)
        .to_vec();
        let failures = FAILURES.iter().chain(&[Failure::Timeout, Failure::Expired, Failure::Condition]);
        expected.extend(failures.map(|failure| format!("{failure:?} as a failure")));
        let decisions = [Decision::Defer, Decision::Allow, Decision::Handled, Decision::Deny];
        expected.extend(decisions.map(|decision| format!("{decision:?} as the outcome")));
        for (reading, choices) in alternatives() {
            // Consent is not withdrawn in these firings.
            let choices = choices.into_iter().filter(|_| reading != "consent_check");
            expected.extend(choices.map(|choice| format!("an effect of {reading} as {choice}")));
        }
        Self(expected.into_iter().map(|what| (what, 0)).collect())
    }

    fn saw(&mut self, what: &str) {
        *self.0.get_mut(what).unwrap_or_else(|| panic!("`{what}` is not on the list")) += 1;
    }

    fn count(&mut self, drawn: &Drawn, told: &Told) {
        self.saw(&format!("{:?} as the outcome", told.outcome.decision));
        for visit in &told.visits {
            if let Some(failure) = visit.failure {
                self.saw(&format!("{failure:?} as a failure"));
            }
            self.count_wait(drawn, visit);
        }
        for call in &told.calls {
            self.count_deadline(drawn, told, call);
        }
        if told.outcome.exhausted {
            let cut_off = told.visits.iter().any(|visit| visit.failure == Some(Failure::Timeout));
            self.saw(if cut_off { "a budget that ends a wait" } else { "a budget that leaves none for a hook" });
        }
        if told.outcome.exhausted && told.outcome.decision != Decision::Defer {
            self.saw("a budget exhausted behind a decision");
        }
        let last = told.visits.last().map(|visit| visit.slot);
        if drawn.hooks.len() == 16 && told.visits.len() == 16 {
            self.saw("a chain of 16, visited to its end");
        }
        if last.is_some_and(|last| told.visits.len() <= last) {
            self.saw("a hook passed over by its conditions");
        }
        self.count_effects(drawn, told);
    }

    /// How close to its deadline a hook answered.
    fn count_deadline(&mut self, drawn: &Drawn, told: &Told, call: &Call) {
        let deadline = match drawn.terms.clock {
            Clock::Shared(budget) => budget,
            Clock::PerHook => call.at.plus(drawn.hooks[call.slot].deadline),
        };
        let Some(answer) = &drawn.answers[call.slot] else { return };
        let at = call.at.plus(answer.after);
        match i128::from(at.0) - i128::from(deadline.0) {
            -1 => self.saw("an answer one before its deadline"),
            0 => self.saw("an answer exactly at its deadline"),
            1 => self.saw("an answer one after its deadline"),
            _ => {}
        }
        if at > deadline && at < told.outcome.at {
            self.saw("a late answer that arrives while others are awaited");
        }
    }

    /// How a wait ended, and how close to its expiry it was resolved.
    fn count_wait(&mut self, drawn: &Drawn, visit: &Visit) {
        let (Some(Some(answer)), Some(asked)) = (drawn.answers.get(visit.slot), visit.asked) else { return };
        let unparked = matches!(visit.failure, Some(Failure::Timeout | Failure::Condition));
        if answer.reply != Reply::Pending || unparked {
            return;
        }
        let expired = visit.failure == Some(Failure::Expired);
        self.saw(if expired { "a wait expired" } else { "a wait resolved" });
        let parked = asked.plus(answer.after);
        let from = if drawn.terms.timeout_from == TimeoutFrom::Parked { parked } else { asked };
        let Some((after, _)) = &answer.later else { return };
        let expiry = from.plus(drawn.hooks[visit.slot].patience);
        match i128::from(parked.plus(*after).0) - i128::from(expiry.0) {
            -1 => self.saw("a resolution one before its expiry"),
            0 => self.saw("a resolution exactly at its expiry"),
            1 => self.saw("a resolution one after its expiry"),
            _ => {}
        }
    }

    /// An alternative has an effect where the same firing goes another way without it.
    fn count_effects(&mut self, drawn: &Drawn, told: &Told) {
        for (reading, choices) in alternatives() {
            let others = choices.iter().filter_map(|choice| with(&drawn.terms, reading, choice));
            let valid = |terms: &_| is_valid(terms) && *terms != drawn.terms;
            let matters = others.filter(valid).any(|terms| told_plainly(&Drawn { terms, ..drawn.clone() }) != *told);
            if matters {
                let choice = &serde_json::to_value(drawn.terms).expect("terms are data")[reading];
                self.saw(&format!("an effect of {reading} as {choice}"));
            }
        }
        let mut other = drawn.clone();
        other.terms.clock = match drawn.terms.clock {
            Clock::Shared(_) => Clock::PerHook,
            Clock::PerHook => Clock::Shared(Millis(10)),
        };
        let parks = drawn.answers.iter().flatten().any(|answer| answer.reply == Reply::Pending);
        if !parks && told_plainly(&other) != *told {
            self.saw("an effect of the clock");
        }
    }
}

/// Concurrent dispatch leaves nothing but the original to see (VO-ORDER-2).
fn is_valid(terms: &hookproof_model::kernel::Terms) -> bool {
    terms.dispatch == Dispatch::Sequential || terms.sight == Sight::Original
}

#[test]
fn the_plain_formulation_takes_types_alone() {
    for (file, source) in SOURCES {
        for dialect in ["voiceos::", "matrices::"] {
            assert!(!source.contains(dialect), "{file} names {dialect}");
        }
        let (imports, rest): (Vec<&str>, Vec<&str>) =
            statements(source).partition(|statement| statement.starts_with("use "));
        for import in imports.iter().filter(|import| !import.starts_with("use super::")) {
            assert!(!import.contains('*') && !import.contains(" as "), "{file}: `{import}` hides what it names");
            for name in imported(import) {
                assert!(name.starts_with(char::is_uppercase), "{file}: `{import}` takes `{name}`, which is no type");
            }
        }
        for statement in rest {
            for path in ["crate::", "super::", "hookproof_model::", "kernel::"] {
                assert!(!statement.contains(path), "{file} reaches past its imports: `{statement}`");
            }
        }
    }
}
