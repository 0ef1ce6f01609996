//! HK-LAW-REPLAY, and what it comes to for a firing: a parked chain is a stored firing.

use hookproof_model::kernel::{Answer, Firing, Input, Millis, Output, Reply, Spec};
use hookproof_model::plain::{Call, Told};
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::{AgentCall, BeginTurn, EndTurn, Outcome, Step, User};
use hookproof_model::script::{self, Script, Transcript, matrices};
use hookproof_model::{run, voiceos};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::{Value, json};

use super::boundaries;
use super::firings::{
    Drawn, answers, defers, firing, firing_of, hook, is_concurrent, matrices_terms, same, told_by_the_kernel,
};
use super::harness::{Sometimes, holds};
use super::scripts::{self, OWNER, TOOL};
use super::unmatched::matrices::{Listed, listed};
use super::unmatched::voiceos::{Case, case};

/// A story around a firing of VoiceOS: a turn, a tool call, and the integrations that are there.
fn voiceos_script(case: &Case) -> Script {
    let mut steps = case.steps(case.bystanders());
    let fire = steps.pop().expect("something fires");
    let call = AgentCall {
        integration: OWNER.into(),
        tool: TOOL.into(),
        args: scripts::object("all"),
        pre: None,
        post: None,
        user: User::Approve,
    };
    steps.push(Step::BeginTurn(BeginTurn::default()));
    steps.extend([fire, Step::AgentCall(call), Step::EndTurn(EndTurn::default())]);
    steps.push(Step::AgentTools(script::voiceos::Nothing {}));
    Script::Voiceos(script::voiceos::Script { steps })
}

/// A story around a firing of Matrices: its waits are resolved, or expire.
fn matrices_script(case: &Listed, resolves: bool) -> Script {
    let mut steps = vec![
        scripts::create_profile(Some(&case.list(&case.bystanders))),
        scripts::open_thread(),
        scripts::fire_at(case.event(), case.answers.clone()),
        matrices::Step::WaitingThreads(matrices::Nothing {}),
    ];
    for n in 0..case.hooks.len() {
        steps.push(if resolves {
            let (wait, body) = (format!("firing/n{n}"), json!({ "decision": "defer" }).to_string());
            matrices::Step::Resolve(matrices::Resolve { thread: "thread".into(), wait, body })
        } else {
            matrices::Step::Advance(matrices::Advance { by_ms: Millis(60_001) })
        });
    }
    steps.push(scripts::audit());
    Script::Matrices(matrices::Script { catalogue: None, steps })
}

/// Twice as it is, and once as it is written and read again.
fn replay(script: &Script, readings: &Readings) -> Result<Transcript, TestCaseError> {
    let transcript = |script: &Script| run(script, readings).expect("the readings go together");
    let first = transcript(script);
    prop_assert_eq!(&first, &transcript(script));
    let written = serde_json::to_string(script).expect("scripts are data");
    let read: Script = serde_json::from_str(&written).expect("and can be read");
    prop_assert_eq!(&first, &transcript(&read));
    let written = serde_json::to_value(&first).expect("transcripts are data");
    prop_assert_eq!(&first, &Transcript::read(script.dialect(), &written).expect("and can be read"));
    Ok(first)
}

#[test]
fn the_same_script_of_voiceos_on_a_fresh_host_gives_the_same_observations() {
    let sometimes = &["hooks are called", "a hook ends a turn", "a receipt is sent"];
    holds(&case(), sometimes, |case, seen| {
        let Transcript::Voiceos(transcript) = replay(&voiceos_script(&case), &case.readings)? else {
            unreachable!()
        };
        let steps = &transcript.steps;
        seen.saw("hooks are called", steps.iter().any(|step| !step.calls.is_empty()));
        let ended = |step: &script::voiceos::Observation| {
            matches!(step.outcome, Some(Outcome::Blocked {} | Outcome::Handled {}))
        };
        seen.saw("a hook ends a turn", steps.iter().any(ended));
        let sent = |step: &script::voiceos::Observation| step.outcome == Some(Outcome::Sent {});
        seen.saw("a receipt is sent", steps.iter().any(sent));
        Ok(())
    });
}

#[test]
fn the_same_script_of_matrices_on_a_fresh_platform_gives_the_same_observations() {
    let sometimes =
        &["a wait is resolved", "a wait expires", "a resolution is refused", "an entry is written"];
    holds(&(listed(), any::<bool>()), sometimes, |(case, resolves), seen| {
        let script = matrices_script(&case, resolves);
        let Transcript::Matrices(transcript) = replay(&script, &case.readings)? else { unreachable!() };
        let steps = &transcript.steps;
        let resumed = steps.iter().any(|step| !step.resumed.is_empty());
        seen.saw("a wait is resolved", resumed && resolves);
        seen.saw("a wait expires", resumed && !resolves);
        seen.saw("a resolution is refused", resolves && steps.iter().any(|step| step.error.is_some()));
        let written =
            |step: &matrices::Observation| step.audit.as_ref().is_some_and(|audit| !audit.is_empty());
        seen.saw("an entry is written", steps.iter().any(written));
        Ok(())
    });
}

/// On a fresh host: what was installed is there the second time.
#[test]
fn the_same_script_on_a_used_host_gives_other_observations() {
    let steps = [scripts::integration(OWNER, &[], &[TOOL]), scripts::lock(true)];
    let mut host = voiceos::Host::new(&Spec, Readings::default().voiceos);
    let mut observed = || steps.iter().map(|step| host.step(step)).collect::<Vec<_>>();
    assert_ne!(observed(), observed());
}

const STORED: &[&str] = &[
    "stored before anybody is asked",
    "stored while an answer is awaited",
    "stored while several are awaited",
    "stored while parked",
    "stored with a rewritten value",
    "stored with an answer that waits for those before it",
    "stored once it is over",
];

/// A firing as it comes back from where it was stored.
fn stored(firing: &Firing, seen: &mut Sometimes) -> Result<Firing, TestCaseError> {
    let text = serde_json::to_string(firing).expect("a firing is data");
    let back: Firing = serde_json::from_str(&text).expect("and can be read");
    prop_assert_eq!(&back, firing);
    let waits = firing.awaits_answer();
    let parked = firing.parked().next().is_some();
    let over = firing.outcome().is_some();
    seen.saw("stored before anybody is asked", !waits && !parked && !over && firing.visits().is_empty());
    seen.saw("stored while an answer is awaited", waits);
    seen.saw("stored while several are awaited", text.matches("\"Asked\"").count() > 1);
    seen.saw("stored while parked", parked);
    seen.saw("stored with a rewritten value", firing.visits().iter().any(|visit| visit.rewrote));
    seen.saw("stored with an answer that waits for those before it", waits && text.contains("\"Answered\""));
    seen.saw("stored once it is over", over);
    Ok(back)
}

/// Drives a firing that is stored and read again whenever something has happened, and before
/// anything does. Everything that a hook sends is delivered at its time.
fn told_through_storage(drawn: &Drawn, seen: &mut Sometimes) -> Result<Told, TestCaseError> {
    let hooks = drawn.hooks.clone();
    let mut firing = Firing::new(drawn.terms, hooks, drawn.event.clone(), drawn.member, drawn.value.clone());
    let (mut calls, mut on_their_way): (Vec<Call>, Vec<(Millis, usize, Reply)>) = (vec![], vec![]);
    for _ in 0..1_000 {
        firing = stored(&firing, seen)?;
        let until = match firing.poll(&Spec) {
            Output::Ask { slot, sees, at, .. } => {
                calls.push(Call { slot, at, sees: sees.clone() });
                let answer = drawn.answers[slot].as_ref();
                on_their_way.extend(answer.map(|answer| (at.plus(answer.after), slot, answer.reply.clone())));
                continue;
            }
            Output::WaitUntil(until) => until.unwrap_or(Millis::MAX),
            Output::Done(outcome) => {
                let outcome = outcome.clone();
                let firing = stored(&firing, seen)?;
                prop_assert_eq!(firing.outcome(), Some(&outcome));
                return Ok(Told { outcome, visits: firing.visits().to_vec(), calls });
            }
        };
        firing = stored(&firing, seen)?;
        let next = on_their_way.iter().enumerate().min_by_key(|(_, (at, slot, _))| (*at, *slot));
        let next = next.filter(|(_, (at, ..))| *at <= until).map(|(place, _)| place);
        let Some((at, slot, reply)) = next.map(|place| on_their_way.remove(place)) else {
            firing.handle(&Spec, Input::Elapsed { at: until });
            continue;
        };
        let later = drawn.answers[slot].as_ref().and_then(|answer| answer.later.clone());
        if let (Reply::Pending, Some((after, later))) = (&reply, later) {
            on_their_way.push((at.plus(after), slot, later));
        }
        firing.handle(&Spec, Input::Answered { slot, at, reply });
    }
    panic!("the kernel comes to no end: {firing:?}");
}

#[test]
fn a_firing_that_is_stored_and_read_again_at_every_moment_goes_on_to_the_same_outcome() {
    holds(&firing(), STORED, |drawn, seen| {
        same(&told_by_the_kernel(&drawn), &told_through_storage(&drawn, seen)?)
    });
}

#[test]
fn and_so_it_does_at_every_place_around_a_deadline() {
    for drawn in boundaries::all() {
        let mut seen = Sometimes::expecting(STORED);
        let told = told_through_storage(&drawn, &mut seen).expect("it is told");
        same(&told_by_the_kernel(&drawn), &told).expect("it goes on to the same");
    }
}

/// Whether a chain of one that rewrites and one that defers goes on as it would have.
fn comes_through_storage(rewrite: Value) -> TestCaseResult {
    let rewrites = Answer { rewrite: Some(rewrite), ..Answer::default() };
    let drawn = firing_of(matrices_terms(), vec![(hook("a"), answers(0, rewrites)), (hook("b"), defers(1))]);
    same(&told_by_the_kernel(&drawn), &told_through_storage(&drawn, &mut Sometimes::expecting(STORED))?)
}

/// HK-REWRITE-3: a redaction to `null` is a rewrite, and the original must not come back for it.
#[test]
fn a_value_that_was_rewritten_to_null_is_null_when_the_firing_is_read_again() {
    comes_through_storage(Value::Null).expect("it goes on to the same");
}

/// HK-LIMIT-1: every finite double, to its last digit.
#[test]
fn a_number_is_the_same_number_when_the_firing_is_read_again() {
    for number in [0.1, 906.797_926_584_168_5, 1.071_566_039_146_582_6e-75, f64::MAX, f64::MIN_POSITIVE, -0.0]
    {
        comes_through_storage(json!({ "amount": number })).expect("it goes on to the same");
    }
}

/// HK-ORDER-2: in concurrent dispatch, answers of one moment may come in either order.
#[test]
fn a_replay_in_which_answers_of_one_moment_arrive_in_another_order_is_the_same() {
    let sometimes = &["two answers come at one moment, of several that are awaited"];
    holds(&firing(), sometimes, |drawn, seen| {
        let turned = Drawn { later_slots_first: !drawn.later_slots_first, ..drawn.clone() };
        let told = told_by_the_kernel(&drawn);
        same(&told, &told_by_the_kernel(&turned))?;
        let moments: Vec<_> = drawn.answers.iter().flatten().map(|answer| answer.after).collect();
        let together = (1..moments.len()).any(|place| moments[..place].contains(&moments[place]));
        seen.saw(sometimes[0], together && is_concurrent(&drawn.terms) && told.calls.len() > 1);
        Ok(())
    });
}
