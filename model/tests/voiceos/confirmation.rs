//! Confirmations: VO-CONF-1 to 8, VO-FOLD-7, the whole table of what bears on them.
//!
//! What the user decided about the tool, what the hook answers, what the user does about a card, and how the
//! open points are read: every combination is a call by the agent, from its hook to what the model reads.

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::script::voiceos::{
    AgentCall, Answer, Card, Observation, Outcome, Policy, Says, Step, User,
};
use pretty_assertions::assert_eq;
use serde_json::{Map, Value, json};

use crate::{answer, call, failed, install, manifest, observed, payload, read, readings, script};

/// One that hears both sides of its tool, and one that hears only what comes after.
const HOOKED: &str = "a.hooked";
const DEAF: &str = "b.deaf";

fn called() -> Map<String, Value> {
    read(json!({ "to": "all", "count": 3 }))
}

fn rewritten() -> Map<String, Value> {
    read(json!({ "to": "one", "count": null }))
}

fn edited() -> Map<String, Value> {
    read(json!({ "to": "nobody" }))
}

/// What the hook says of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Absent,
    Continue,
    Block,
    Handled,
}

/// How the answer arrives, if it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrives {
    InTime,
    Late,
    AsError,
}

/// What the hook answers, in the terms that the clauses speak in.
#[derive(Debug, Clone, Copy)]
struct Hook {
    integration: &'static str,
    answers: bool,
    /// `requireConfirmation`, as it is written.
    demand: Option<&'static str>,
    decision: Decision,
    arrives: Arrives,
    rewrites: bool,
}

impl Hook {
    /// Thirteen answers, each without and with a rewrite, and the two ways of giving none.
    fn all() -> Vec<Self> {
        let gives = |demand, decision, arrives| {
            [false, true].map(|rewrites| Self {
                integration: HOOKED,
                answers: true,
                demand,
                decision,
                arrives,
                rewrites,
            })
        };
        let plain = |demand| gives(demand, Decision::Absent, Arrives::InTime);
        let beside = |decision| gives(Some("true"), decision, Arrives::InTime);
        let none = |integration| {
            let [none, _] = plain(None);
            Self { integration, answers: false, ..none }
        };
        [
            vec![none(HOOKED), none(DEAF)],
            [None, Some("true"), Some("false"), Some("\"true\""), Some("1"), Some("null"), Some("[]")]
                .map(plain)
                .concat(),
            plain(Some("{}")).into(),
            [Decision::Continue, Decision::Block, Decision::Handled].map(beside).concat(),
            gives(Some("true"), Decision::Absent, Arrives::Late).into(),
            gives(Some("true"), Decision::Absent, Arrives::AsError).into(),
        ]
        .concat()
    }

    fn answer(self) -> Option<Answer> {
        let decision = match self.decision {
            Decision::Absent => None,
            Decision::Continue => Some(r#""decision":"continue""#.to_owned()),
            Decision::Block => Some(r#""decision":"block""#.to_owned()),
            Decision::Handled => Some(r#""decision":"handled""#.to_owned()),
        };
        let demand = self.demand.map(|demand| format!(r#""requireConfirmation":{demand}"#));
        let rewrite = self.rewrites.then(|| format!(r#""updatedArgs":{}"#, Value::Object(rewritten())));
        let members: Vec<_> = [decision, demand, rewrite].into_iter().flatten().collect();
        let text = format!("{{{}}}", members.join(","));
        self.answers.then(|| match self.arrives {
            Arrives::InTime => answer(0, Says::Text(text)),
            Arrives::Late => answer(2001, Says::Text(text)),
            Arrives::AsError => answer(0, Says::ToolError(text)),
        })
    }
}

/// How the open points are read.
#[derive(Debug, Clone, Copy)]
struct Read {
    asking_off: &'static str,
    nobody_there: &'static str,
    handled: &'static str,
}

impl Read {
    fn all() -> Vec<Self> {
        let mut all = vec![];
        for asking_off in ["add", "user-wins"] {
            for nobody_there in ["does-not-run", "parks"] {
                for handled in ["continue", "block", "discard-result"] {
                    all.push(Self { asking_off, nobody_there, handled });
                }
            }
        }
        all
    }
}

/// What comes of a call.
#[derive(Debug)]
struct Expected {
    outcome: Outcome,
    card: Option<Map<String, Value>>,
}

/// The clauses.
fn expected(policy: Policy, locked: bool, hook: Hook, user: &User, read: Read) -> Expected {
    let handled = hook.decision == Decision::Handled;
    // VO-DL-3, VO-WIRE-3, VO-FOLD-7 (discard-result): what is late, an error or spoilt is no answer.
    let heard =
        hook.answers && hook.arrives == Arrives::InTime && !(handled && read.handled == "discard-result");
    // VO-FOLD-6, VO-FOLD-7 (block).
    let blocked = heard && (hook.decision == Decision::Block || handled && read.handled == "block");
    // VO-CONF-2, VO-CONF-4.
    let demanded = heard && hook.demand == Some("true");
    let demanded = demanded && (policy != Policy::Never || read.asking_off == "add");
    // VO-CONF-1, VO-CONF-3, VO-CONF-5.
    let asks = !blocked && (locked || policy == Policy::Ask || demanded);
    // VO-FOLD-2, VO-CONF-6.
    let args = if heard && hook.rewrites { rewritten() } else { called() };
    let outcome = match user {
        _ if blocked => Outcome::Blocked {},
        User::Edit(edited) if asks => Outcome::Executed { args: edited.clone() },
        // VO-CONF-7a.
        User::Decline if asks => Outcome::Declined {},
        // VO-CONF-8.
        User::Absent if asks && read.nobody_there == "parks" => Outcome::Parked {},
        User::Absent if asks => Outcome::NotRun {},
        _ => Outcome::Executed { args: args.clone() },
    };
    Expected { outcome, card: (asks && *user != User::Absent).then_some(args) }
}

/// All that is observed of such a call. VO-CONF-6: preToolUse fires once; VO-CONF-7b: postToolUse fires after
/// what ran, with what it ran with.
fn observation(expected: &Expected, hook: Hook, read: Read) -> Observation {
    let pre = || json!({ "toolName": "send", "args": called() });
    let pre = || call(HOOKED, "voiceos_hook_pre_tool_use", payload("preToolUse", pre()), 0);
    let mut calls: Vec<_> = (hook.integration == HOOKED).then(pre).into_iter().collect();
    let ran = match &expected.outcome {
        Outcome::Executed { args } => Some(json!({ "toolName": "send", "args": args, "result": {} })),
        _ => None,
    };
    let post =
        |members| call(hook.integration, "voiceos_hook_post_tool_use", payload("postToolUse", members), 0);
    calls.extend(ran.clone().map(post));
    let failure = match hook.arrives {
        Arrives::Late => Some(Failure::Timeout),
        Arrives::AsError => Some(Failure::ToolError),
        Arrives::InTime => (hook.decision == Decision::Handled && read.handled == "discard-result")
            .then_some(Failure::WrongShape),
    };
    Observation {
        calls,
        ended_ms: Some(Millis(if hook.arrives == Arrives::Late { 2000 } else { 0 })),
        outcome: Some(expected.outcome.clone()),
        cards: expected.card.clone().map(|args| Card { tool: "send".to_owned(), args }).into_iter().collect(),
        model_sees: ran.is_some().then(|| json!({})),
        logged: failure.map(|failure| failed(HOOKED, failure)).into_iter().collect(),
        contacted: Some(ran.is_some()),
        ..Observation::default()
    }
}

/// Two integrations, and what the user decided about the tool of each.
fn begins(policy: Policy, locked: bool) -> Vec<Step> {
    let both = json!({ "preToolUse": {}, "postToolUse": {} });
    let mut steps = vec![
        install(manifest(HOOKED, &both).to_string()),
        install(manifest(DEAF, &json!({ "postToolUse": {} })).to_string()),
    ];
    for integration in [HOOKED, DEAF] {
        if policy != Policy::Unset {
            steps.push(read(json!({ "set_policy": {
                "integration": integration, "tool": "send", "policy": policy
            } })));
        }
        if locked {
            steps.push(read(json!({ "set_lock": {
                "integration": integration, "tool": "send", "locked": true
            } })));
        }
    }
    steps
}

/// How often what came of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    cases: usize,
    executed: usize,
    blocked: usize,
    declined: usize,
    not_run: usize,
    parked: usize,
    cards: usize,
    followed_up: usize,
}

impl Totals {
    fn count(&mut self, seen: &Observation) {
        self.cases += 1;
        self.cards += seen.cards.len();
        self.followed_up += seen.calls.iter().filter(|call| call.tool.ends_with("post_tool_use")).count();
        *match seen.outcome {
            Some(Outcome::Executed { .. }) => &mut self.executed,
            Some(Outcome::Blocked {}) => &mut self.blocked,
            Some(Outcome::Declined {}) => &mut self.declined,
            Some(Outcome::NotRun {}) => &mut self.not_run,
            Some(Outcome::Parked {}) => &mut self.parked,
            _ => unreachable!("a call came to {seen:?}"),
        } += 1;
    }
}

#[test]
fn every_call_asks_as_policy_lock_and_hook_demand() {
    let users = [User::Approve, User::Decline, User::Edit(edited()), User::Absent];
    let (hooks, reads) = (Hook::all(), Read::all());
    let mut totals = Totals::default();
    for policy in [Policy::Unset, Policy::Ask, Policy::Never] {
        for locked in [false, true] {
            let begin = begins(policy, locked);
            let cases: Vec<_> =
                hooks.iter().flat_map(|hook| users.iter().map(move |user| (*hook, user))).collect();
            let calls = cases.iter().map(|(hook, user)| {
                let (integration, tool) = (hook.integration.to_owned(), "send".to_owned());
                let user = (*user).clone();
                Step::AgentCall(AgentCall {
                    integration,
                    tool,
                    args: called(),
                    pre: hook.answer(),
                    post: None,
                    user,
                })
            });
            let script = script(begin.iter().cloned().chain(calls).collect());
            for read in &reads {
                let readings = readings(&[
                    ("VO-CONF-4", read.asking_off),
                    ("VO-CONF-8", read.nobody_there),
                    ("VO-FOLD-7", read.handled),
                ]);
                let observed = observed(&script, &readings);
                assert_eq!(observed.len(), begin.len() + cases.len());
                for ((hook, user), seen) in cases.iter().zip(observed.iter().skip(begin.len())) {
                    let expected = expected(policy, locked, *hook, user, *read);
                    let expected = observation(&expected, *hook, *read);
                    assert_eq!(expected, *seen, "{policy:?}, locked {locked}, {hook:?}, {user:?}, {read:?}");
                    totals.count(seen);
                }
            }
        }
    }
    // An answer under a reading of VO-FOLD-7 makes 28 × 3; 2 × 3 of them block by themselves and 2 where
    // handled blocks; 6 + 6 ask, and 2 where handled continues. What does not block asks where the tool is
    // locked (three policies, two readings of VO-CONF-4) or the policy asks; what demands it asks besides
    // where nothing is set, and in one reading where asking is off.
    let blocks = 2 * 3 + 2;
    let asks = (3 * 2 + 2) * (28 * 3 - blocks) + (2 + 1) * (6 + 6 + 2);
    // A card goes to four users, in two readings of VO-CONF-8.
    let cases = 28 * 3 * 6 * 2 * 4 * 2;
    let expected = Totals {
        cases,
        executed: cases - blocks * 6 * 2 * 4 * 2 - asks * 2 * 2,
        blocked: blocks * 6 * 2 * 4 * 2,
        declined: asks * 2,
        not_run: asks,
        parked: asks,
        cards: asks * 3 * 2,
        followed_up: cases - blocks * 6 * 2 * 4 * 2 - asks * 2 * 2,
    };
    assert_eq!((expected.cases, expected.blocked, expected.cards), (8064, 768, 3900));
    assert_eq!(totals, expected);
}
