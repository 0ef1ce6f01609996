//! A drawn firing as each of the two formulations tells it.

use hookproof_model::kernel::{Firing, Input, Millis, Output, Reply, Spec};
use hookproof_model::plain::{Call, Given, Told, fire};

use super::firings::Drawn;

/// A line for each thing that is told.
pub(crate) fn lines(told: &Told) -> String {
    let visits = told.visits.iter().map(|visit| format!("{visit:?}\n"));
    let calls = told.calls.iter().map(|call| format!("{call:?}\n"));
    visits.chain(calls).chain([format!("{:#?}", told.outcome)]).collect()
}

/// What `plain.rs` says.
pub(crate) fn told_plainly(drawn: &Drawn) -> Told {
    fire(&Given {
        terms: &drawn.terms,
        hooks: &drawn.hooks,
        event: &drawn.event,
        member: drawn.member,
        value: &drawn.value,
        answers: &drawn.answers,
        hearings: &[],
    })
}

/// What the kernel says when it is driven on a virtual clock. Everything that a hook sends is
/// delivered at its time, late answers included.
pub(crate) fn told_by_the_kernel(drawn: &Drawn) -> Told {
    let hooks = drawn.hooks.clone();
    let mut firing = Firing::new(drawn.terms, hooks, drawn.event.clone(), drawn.member, drawn.value.clone());
    let mut calls = vec![];
    let mut on_their_way: Vec<(Millis, usize, Reply)> = vec![];
    for _ in 0..1_000 {
        let until = match firing.poll(&Spec) {
            Output::Ask { slot, hook, sees, at, .. } => {
                assert_eq!(hook, &drawn.hooks[slot], "slot {slot} is another hook's");
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
