//! Drawn chains and their answers, and the walk along them.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::*;

/// What a hook says once it says something.
#[derive(Debug, Clone)]
pub(super) struct Says {
    pub(super) decision: &'static str,
    pub(super) rewrites: bool,
    pub(super) reason: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Answer {
    Says(Says),
    /// It does this, which is called that.
    Fails(Value, &'static str),
    Never,
    /// It parks the work, and after so much time says this, or nothing at all.
    Parks(u64, Option<Says>),
}

#[derive(Debug, Clone)]
pub(super) struct Drawn {
    pub(super) kind: &'static str,
    pub(super) policy: &'static str,
    /// Whether it is at the point of the firings.
    pub(super) here: bool,
    pub(super) tool: Option<&'static str>,
    /// Whether it is only for work that has been rewritten.
    pub(super) on_rewritten: bool,
}

fn says() -> impl Strategy<Value = Says> {
    let decision = select(vec!["defer", "defer", "defer", "defer", "allow", "deny"]);
    (decision, any::<bool>(), any::<bool>()).prop_map(|(decision, rewrites, reason)| Says {
        decision,
        rewrites,
        reason,
    })
}

/// An answer, and after what time it is given or work is parked.
pub(super) fn answer() -> impl Strategy<Value = (u64, Answer)> {
    let fails = select(vec![
        (json!({ "refused": true }), "refused"),
        (json!({ "reset": true }), "disconnect"),
        (json!({ "status": 500 }), "status"),
        (json!({ "status": 307 }), "redirect"),
        (json!({ "status": 204 }), "unparsable"),
        (json!({ "body": "{}{}" }), "unparsable"),
        (json!({ "result": {} }), "wrong_shape"),
        (json!({ "result": { "decision": "allow", "reason": 1 } }), "wrong_shape"),
    ]);
    let parks = (0..1000_u64, proptest::option::weighted(0.7, says()));
    let answer = prop_oneof![
        5 => says().prop_map(Answer::Says),
        2 => fails.prop_map(|(does, called)| Answer::Fails(does, called)),
        1 => Just(Answer::Never),
        2 => parks.prop_map(|(after, says)| Answer::Parks(after, says)),
    ];
    (select(vec![0_u64, 1, 40]), answer)
}

pub(super) fn hook_drawn() -> impl Strategy<Value = Drawn> {
    let kind = select(vec!["url", "url", "agent", "client"]);
    let policy = select(vec!["fail_closed", "fail_open", "fail_open"]);
    let tool = select(vec![None, None, None, Some("x"), Some("y")]);
    (kind, policy, proptest::bool::weighted(0.9), tool, proptest::bool::weighted(0.2))
        .prop_map(|(kind, policy, here, tool, on_rewritten)| Drawn { kind, policy, here, tool, on_rewritten })
}

/// What one hook's turn came to, by the walk.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    pub(super) place: usize,
    pub(super) decision: &'static str,
    pub(super) failure: Option<&'static str>,
    pub(super) rewrote: bool,
    pub(super) reason: bool,
    pub(super) latency: u64,
    pub(super) parked: bool,
}

/// The walk: the turns that hooks have, and the steps that let the parked ones go on.
pub(super) fn walk(
    point: &str,
    hooks: &[Drawn],
    answers: &[(u64, Answer)],
    ignores: bool,
    firing: &str,
) -> (Vec<Turn>, Vec<Value>) {
    let (mut turns, mut steps) = (vec![], vec![]);
    // The moment of the chain, and that of the clock, which is behind it after a wait has run out.
    let (mut now, mut clock) = (0, 0);
    let mut rewritten = false;
    for (place, (hook, (after, answer))) in hooks.iter().zip(answers).enumerate() {
        let tool = point.ends_with("_tool_call").then_some("x");
        if !hook.here
            || tool.is_some() && hook.tool.is_some() && hook.tool != tool
            || hook.on_rewritten && !rewritten
        {
            continue;
        }
        let asked = now;
        let client = hook.kind == "client";
        let parks = match answer {
            Answer::Parks(wait, says) => Some((*wait, says.clone())),
            // A client has nothing else to say: it answers what it would say at once after a while.
            Answer::Says(says) if client => Some((*after, Some(says.clone()))),
            Answer::Fails(..) | Answer::Never if client => Some((0, None)),
            _ => None,
        };
        now += match answer {
            _ if client => 0,
            Answer::Never => 10_000,
            _ => *after,
        };
        clock = clock.max(now);
        let mut said = Err(match answer {
            Answer::Fails(_, called) => *called,
            _ => "timeout",
        });
        if let Answer::Says(says) = answer {
            said = Ok(says.clone());
        }
        let parked = parks.is_some();
        if let Some((wait, says)) = parks {
            let until = now + 1000;
            let left = until - clock;
            match says {
                Some(says) => {
                    steps.push(advance(wait.min(left)));
                    clock += wait.min(left);
                    steps.push(resolve(
                        firing,
                        &format!("{firing}/h{place}"),
                        &result(point, place, &says).to_string(),
                    ));
                    now = clock;
                    said = Ok(says);
                }
                None => {
                    steps.push(advance(left + 1));
                    (now, clock) = (until, until + 1);
                    said = Err("expired");
                }
            }
        }
        let failure = said.as_ref().err().copied();
        let (decision, rewrote, reason) = match said {
            Ok(says) => {
                let counts = says.decision == "defer" || says.decision == "allow" && !ignores;
                (says.decision, says.rewrites && counts, says.reason)
            }
            Err(_) => (if hook.policy == "fail_open" { "defer" } else { "deny" }, false, false),
        };
        rewritten |= rewrote;
        turns.push(Turn { place, decision, failure, rewrote, reason, latency: now - asked, parked });
        if decision != "defer" {
            break;
        }
    }
    (turns, steps)
}

pub(super) fn result(point: &str, place: usize, says: &Says) -> Value {
    let mut result = json!({ "decision": says.decision });
    if says.reason {
        result["reason"] = format!("reason {place}").into();
    }
    if says.rewrites {
        result[rewrite_of(point)] = other(point, place);
    }
    result
}
