//! What the files of the kernel's rules say of their algebra.

use hookproof_model::kernel::{
    Clock, Decision, Millis, Rules, Ruling, Spec, budget, confirm, context, decision, rewrite,
};
use hookproof_model::reading::shared::{Boundary, Choice, Contexts, RewriteMode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::firings::voiceos_terms;
use super::harness::holds;

const CHOICES: [Choice; 2] = [Choice::FirstInOrder, Choice::MostRestrictive];

/// Every ruling of the hook in `slot`.
fn rulings(slot: usize) -> impl Iterator<Item = Ruling> + Clone {
    Decision::ALL.into_iter().map(move |decision| Ruling { decision, slot })
}

/// All defers are one: whose it was is without meaning.
fn meant(ruling: Ruling) -> Ruling {
    if ruling.decision == Decision::Defer { Ruling::default() } else { ruling }
}

fn chosen(choice: Choice, standing: Ruling, next: Ruling) -> Ruling {
    meant(decision::choose(choice, standing, next))
}

#[test]
fn choosing_is_associative() {
    for choice in CHOICES {
        for a in rulings(1) {
            for (b, c) in rulings(2).flat_map(|b| rulings(3).map(move |c| (b, c))) {
                let left = chosen(choice, decision::choose(choice, a, b), c);
                let right = chosen(choice, a, decision::choose(choice, b, c));
                assert_eq!(left, right, "{choice:?}: {a:?} {b:?} {c:?}");
            }
        }
    }
}

#[test]
fn a_defer_is_the_identity_of_choosing() {
    for (choice, ruling) in
        CHOICES.into_iter().flat_map(|choice| rulings(2).map(move |ruling| (choice, ruling)))
    {
        let defer = |slot| Ruling { decision: Decision::Defer, slot };
        assert_eq!(chosen(choice, defer(1), ruling), meant(ruling), "{choice:?}");
        assert_eq!(chosen(choice, ruling, defer(3)), meant(ruling), "{choice:?}");
    }
}

#[test]
fn the_first_in_order_is_a_left_zero() {
    for first in rulings(1).filter(|first| first.decision != Decision::Defer) {
        for next in rulings(2) {
            assert_eq!(decision::choose(Choice::FirstInOrder, first, next), first);
        }
    }
    // So it is no join: who comes first is what matters.
    let (handled, deny) = (Decision::Handled, Decision::Deny);
    let of = |a, b| {
        decision::choose(
            Choice::FirstInOrder,
            Ruling { decision: a, slot: 1 },
            Ruling { decision: b, slot: 2 },
        )
    };
    assert_ne!(of(handled, deny).decision, of(deny, handled).decision);
}

#[test]
fn the_most_restrictive_is_a_join_and_no_left_zero() {
    let join = |a, b| {
        let (a, b) = (Ruling { decision: a, slot: 1 }, Ruling { decision: b, slot: 2 });
        decision::choose(Choice::MostRestrictive, a, b).decision
    };
    for (a, b) in Decision::ALL.into_iter().flat_map(|a| Decision::ALL.map(|b| (a, b))) {
        assert_eq!(join(a, b), join(b, a), "commutative");
        assert_eq!(join(a, a), a, "idempotent");
        assert_eq!(join(a, b), a.max(b), "the least upper bound");
    }
    assert_eq!(join(Decision::Handled, Decision::Deny), Decision::Deny);
    // Of equals the first stays.
    for ruling in rulings(1) {
        let again = Ruling { slot: 2, ..ruling };
        assert_eq!(chosen(Choice::MostRestrictive, ruling, again), meant(ruling));
    }
}

#[test]
fn asking_stops_exactly_where_no_later_decision_could_change_the_ruling() {
    for choice in CHOICES {
        let mut terms = voiceos_terms();
        terms.choice = choice;
        let settled: Vec<_> =
            rulings(1).filter(|ruling| Spec.settled(&terms, *ruling)).map(|r| r.decision).collect();
        let expected: &[_] = match choice {
            Choice::FirstInOrder => &[Decision::Allow, Decision::Handled, Decision::Deny],
            Choice::MostRestrictive => &[Decision::Deny],
        };
        assert_eq!(settled, expected, "{choice:?}");
        for ruling in rulings(1) {
            let stays = rulings(2).all(|next| chosen(choice, ruling, next) == meant(ruling));
            assert_eq!(Spec.settled(&terms, ruling), stays, "{choice:?}: {ruling:?}");
        }
    }
}

const MODES: [RewriteMode; 3] = [RewriteMode::Replace, RewriteMode::Merge, RewriteMode::MergePatch];

/// JSON of few names, so that members meet.
fn value() -> impl Strategy<Value = Value> {
    let leaf = select(vec![json!(null), json!(1), json!("a"), json!([1, null]), json!({})]);
    leaf.prop_recursive(3, 16, 3, |inner| members(inner).boxed())
}

fn members(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    vec((select(vec!["a", "b", "c"]), inner), 0..=3)
        .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn object() -> impl Strategy<Value = Value> {
    members(value())
}

/// The function that a chain of rewrites is.
fn composed(mode: RewriteMode, chain: &[Value]) -> impl Fn(&Value) -> Value {
    let chain = chain.to_vec();
    move |before| {
        chain.iter().fold(before.clone(), |value, next| rewrite::compose(mode, &value, next.clone()))
    }
}

#[test]
fn a_chain_of_rewrites_is_the_composition_of_its_parts_wherever_it_is_cut() {
    let drawn = (select(&MODES[..]), value(), vec(value(), 0..=4), any::<proptest::sample::Index>());
    let sometimes = &["both parts rewrite", "a patch removes a member"];
    holds(&drawn, sometimes, |(mode, before, chain, cut), seen| {
        let cut = cut.index(chain.len() + 1);
        let (first, second) = chain.split_at(cut);
        let whole = composed(mode, &chain)(&before);
        prop_assert_eq!(&whole, &composed(mode, second)(&composed(mode, first)(&before)));
        seen.saw(sometimes[0], !first.is_empty() && !second.is_empty());
        let removed = before
            .as_object()
            .zip(whole.as_object())
            .is_some_and(|(before, whole)| before.keys().any(|name| !whole.contains_key(name)));
        seen.saw(sometimes[1], mode == RewriteMode::MergePatch && removed);
        Ok(())
    });
}

#[test]
fn a_rewrite_given_twice_is_the_rewrite_given_once() {
    let sometimes = &["the rewrite changes the value"];
    holds(&(select(&MODES[..]), value(), value()), sometimes, |(mode, before, next), seen| {
        let once = composed(mode, std::slice::from_ref(&next))(&before);
        prop_assert_eq!(&once, &composed(mode, &[next.clone(), next])(&before));
        seen.saw(sometimes[0], once != before);
        Ok(())
    });
}

/// Whether rewrites can be composed with each other before the value is known.
fn associates(mode: RewriteMode, a: &Value, b: &Value, c: &Value) -> bool {
    let of = |before: &Value, next: &Value| rewrite::compose(mode, before, next.clone());
    of(&of(a, b), c) == of(a, &of(b, c))
}

#[test]
fn replacing_is_constant_and_associative() {
    holds(&(value(), value(), value()), &["three differ"], |(a, b, c), seen| {
        prop_assert_eq!(&rewrite::compose(RewriteMode::Replace, &a, c.clone()), &c);
        prop_assert!(associates(RewriteMode::Replace, &a, &b, &c));
        seen.saw("three differ", a != b && b != c && a != c);
        Ok(())
    });
}

#[test]
fn merging_objects_is_associative() {
    let sometimes = &["all three have a member of one name"];
    holds(&(object(), object(), object()), sometimes, |(a, b, c), seen| {
        prop_assert!(associates(RewriteMode::Merge, &a, &b, &c));
        let all =
            ["a", "b", "c"].iter().any(|name| [&a, &b, &c].iter().all(|value| value.get(name).is_some()));
        seen.saw(sometimes[0], all);
        Ok(())
    });
}

/// What is no object keeps nothing of what was before it, and a patch that removes is no value.
#[test]
fn merging_and_patching_are_not_associative_everywhere() {
    let (a, c) = (json!({ "a": 1 }), json!({ "c": 1 }));
    assert!(associates(RewriteMode::Merge, &a, &json!({}), &c));
    assert!(!associates(RewriteMode::Merge, &a, &json!("b"), &c));
    assert!(!associates(RewriteMode::MergePatch, &a, &json!("b"), &c));
    let removes = json!({ "a": null });
    assert!(associates(RewriteMode::Merge, &a, &json!({}), &removes));
    assert!(!associates(RewriteMode::MergePatch, &a, &json!({}), &removes));
}

#[test]
fn confirming_is_a_join() {
    let both = [false, true];
    for (a, b) in both.into_iter().flat_map(|a| both.map(|b| (a, b))) {
        assert_eq!(confirm::confirm(a, b), confirm::confirm(b, a), "commutative");
        assert_eq!(confirm::confirm(a, a), a, "idempotent");
        assert!(confirm::confirm(a, b) >= a && confirm::confirm(a, b) >= b, "an upper bound");
        for c in both {
            let (left, right) =
                (confirm::confirm(confirm::confirm(a, b), c), confirm::confirm(a, confirm::confirm(b, c)));
            assert_eq!(left, right, "associative");
            let [lower, upper] = [b && c, b || c].map(|asks| confirm::confirm(a, asks));
            assert!(lower <= upper, "monotone");
        }
    }
}

/// A length of time, those at both ends of it included.
fn millis() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0u64..=4, 2 => 0u64..=2_000, 1 => select(vec![u64::MAX - 1, u64::MAX]), 1 => any::<u64>()]
}

#[test]
fn what_is_left_of_a_budget_is_what_saturating_subtraction_leaves() {
    let sometimes =
        &["nothing is left", "exactly nothing is left", "one is left", "more is used than there is time"];
    let left = |budget: u64, used: u64| budget::left(Clock::Shared(Millis(budget)), Millis(used)).0;
    holds(&(millis(), millis(), millis()), sometimes, |(budget, first, second), seen| {
        let at_once = left(budget, first.saturating_add(second));
        prop_assert_eq!(left(left(budget, first), second), at_once);
        prop_assert_eq!(left(left(budget, second), first), at_once);
        prop_assert_eq!(left(budget, 0), budget);
        prop_assert!(left(budget, first) <= budget);
        prop_assert_eq!(budget::left(Clock::PerHook, Millis(first)), Millis::MAX);
        let used = u128::from(first) + u128::from(second);
        seen.saw(sometimes[0], at_once == 0 && used > u128::from(budget));
        seen.saw(sometimes[1], at_once == 0 && used == u128::from(budget));
        seen.saw(sometimes[2], at_once == 1);
        seen.saw(sometimes[3], used > u128::from(u64::MAX));
        Ok(())
    });
}

#[test]
fn all_that_share_a_budget_are_due_at_its_end_and_every_other_when_its_own_is_over() {
    let sometimes = &["the budget is used up in part", "the budget is used up"];
    holds(&(millis(), millis(), millis()), sometimes, |(budget, now, own), seen| {
        let (shared, now, own) = (Clock::Shared(Millis(budget)), Millis(now), Millis(own));
        let until = budget::deadline(shared, budget::left(shared, now), now, own);
        prop_assert_eq!(until, Millis(budget).max(now));
        let until = budget::deadline(Clock::PerHook, budget::left(Clock::PerHook, now), now, own);
        prop_assert_eq!(until, now.plus(own));
        seen.saw(sometimes[0], now > Millis::ZERO && now < Millis(budget));
        seen.saw(sometimes[1], now >= Millis(budget));
        Ok(())
    });
}

#[test]
fn in_time_is_everything_before_a_deadline_nothing_behind_it_and_by_reading_the_deadline_itself() {
    for until in [1, 2, 500, u64::MAX - 1] {
        let by = |boundary| {
            [until - 1, until, until + 1].map(|at| budget::in_time(boundary, Millis(at), Millis(until)))
        };
        assert_eq!(by(Boundary::InTime), [true, true, false]);
        assert_eq!(by(Boundary::Late), [true, false, false]);
    }
}

#[test]
fn contexts_concatenate() {
    let words = || vec(select(vec!["", "a", "b"]), 0..=3);
    let sometimes = &["both give some"];
    holds(&(words(), words()), sometimes, |(first, second), seen| {
        let added = |mode, to: &[String], words: &[&str]| {
            let mut contexts = to.to_vec();
            words.iter().for_each(|word| context::add(mode, &mut contexts, word));
            contexts
        };
        let both = [first.clone(), second.clone()].concat();
        prop_assert_eq!(&added(Contexts::List, &[], &both), &both);
        let last: Vec<_> = both.last().copied().into_iter().collect();
        prop_assert_eq!(&added(Contexts::Last, &[], &both), &last);
        for mode in [Contexts::List, Contexts::Last] {
            let in_turn = added(mode, &added(mode, &[], &first), &second);
            prop_assert_eq!(&in_turn, &added(mode, &[], &both), "{:?}", mode);
        }
        seen.saw(sometimes[0], !first.is_empty() && !second.is_empty());
        Ok(())
    });
}
