//! Draws firings: terms of every alternative, chains with conditions, answers around their deadlines.

use hookproof_model::kernel::{
    Answer, Clock, Condition, Decision, Failure, FailurePolicy, Guard, Hook, Millis, Operator, Reply, Terms,
};
use hookproof_model::plain::PlainAnswer;
use hookproof_model::reading::Alternative;
use hookproof_model::reading::shared::{
    Boundary, Choice, Conditions, ConsentCheck, Contexts, Dispatch, Exhaustion, Incomparable, NothingLeft,
    RewriteMode, Rewriters, Sight, TimeoutFrom,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// One firing, and all that its hooks will do.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    pub terms: Terms,
    pub hooks: Vec<Hook>,
    pub event: Value,
    pub member: &'static str,
    pub value: Value,
    pub answers: Vec<Option<PlainAnswer>>,
    /// Which of two answers of one moment arrives first.
    pub later_slots_first: bool,
}

/// The ways in which a hook fails by itself.
pub(crate) const FAILURES: [Failure; 10] = [
    Failure::Disconnect,
    Failure::Refused,
    Failure::ToolError,
    Failure::ProtocolError,
    Failure::Status,
    Failure::Redirect,
    Failure::Unparsable,
    Failure::WrongShape,
    Failure::TooLarge,
    Failure::Unregistered,
];

/// Every member of [`Terms`] but the clock, and its alternatives as data.
pub(crate) fn alternatives() -> Vec<(&'static str, Vec<Value>)> {
    fn of<A: Alternative>() -> Vec<Value> {
        A::NAMES.iter().map(|name| json!(name)).collect()
    }
    vec![
        ("dispatch", of::<Dispatch>()),
        ("retries", vec![json!(false), json!(true)]),
        ("boundary", of::<Boundary>()),
        ("nothing_left", of::<NothingLeft>()),
        ("exhaustion", of::<Exhaustion>()),
        ("sight", of::<Sight>()),
        ("guard_sight", of::<Sight>()),
        ("conditions", of::<Conditions>()),
        ("incomparable", of::<Incomparable>()),
        ("choice", of::<Choice>()),
        ("rewrite_mode", of::<RewriteMode>()),
        ("rewriters", of::<Rewriters>()),
        ("allow_rewrites", vec![json!(true), json!(false)]),
        ("ending_rewrites", vec![json!(false), json!(true)]),
        ("contexts", of::<Contexts>()),
        ("consent_check", of::<ConsentCheck>()),
        ("timeout_from", of::<TimeoutFrom>()),
    ]
}

/// These terms with another alternative for one reading, if they do not have it already.
pub(crate) fn with(terms: &Terms, reading: &str, choice: &Value) -> Option<Terms> {
    let mut members = serde_json::to_value(terms).expect("terms are data");
    let member = members.get_mut(reading)?;
    if member == choice {
        return None;
    }
    *member = choice.clone();
    serde_json::from_value(members).ok()
}

/// Terms in which every alternative appears, and which validate: concurrent dispatch implies that
/// hooks see the original (VO-ORDER-2), and that none is asked again (HK-ONCE-1).
fn terms() -> impl Strategy<Value = Terms> {
    let choices = alternatives().into_iter().map(|(reading, choices)| (Just(reading), select(choices)));
    (clock(), choices.collect::<Vec<_>>()).prop_map(|(clock, choices)| {
        let mut terms = terms_of(clock, choices);
        if terms.dispatch == Dispatch::Concurrent {
            terms.sight = Sight::Original;
            terms.retries = false;
        }
        terms
    })
}

/// The default of every reading.
pub(crate) fn default_terms(clock: Clock) -> Terms {
    terms_of(clock, alternatives().into_iter().map(|(reading, choices)| (reading, choices[0].clone())))
}

fn terms_of(clock: Clock, choices: impl IntoIterator<Item = (&'static str, Value)>) -> Terms {
    let clock = serde_json::to_value(clock).expect("clocks are data");
    let members = choices.into_iter().chain([("clock", clock)]);
    let members = members.map(|(name, choice)| (name.to_owned(), choice)).collect();
    serde_json::from_value(Value::Object(members)).expect("each reading has its choice")
}

fn clock() -> impl Strategy<Value = Clock> {
    let budgets =
        prop_oneof![1 => Just(0), 2 => Just(1), 4 => 2u64..=20, 4 => select(vec![250u64, 500, 2_000])];
    prop_oneof![Just(Clock::PerHook), budgets.prop_map(|budget| Clock::Shared(Millis(budget)))]
}

/// A firing of a chain of up to six hooks, and now and then of up to sixteen (MX-VAL-1).
pub(crate) fn firing() -> impl Strategy<Value = Drawn> {
    let chain = prop_oneof![
        10 => vec(turn(Temper::Lively), 0..=6),
        2 => vec(turn(Temper::Lively), 0..=16),
        4 => vec(turn(Temper::Calm), 0..=16),
    ];
    (terms(), chain, event(), select(vec!["input", "text"]), value(), any::<bool>()).prop_map(
        |(terms, turns, event, member, value, later_slots_first)| {
            let mut begins = 0;
            let (hooks, answers) = (turns.into_iter().enumerate())
                .map(|(slot, turn)| turn.settle(slot, &terms, member, &mut begins))
                .unzip();
            Drawn { terms, hooks, event, member, value, answers, later_slots_first }
        },
    )
}

/// How a chain behaves: as hooks do, or so that it comes to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Temper {
    Lively,
    Calm,
}

/// A hook and what it does, while its moments are not yet settled.
#[derive(Debug, Clone)]
struct Turn {
    conditions: Vec<Condition>,
    policy: FailurePolicy,
    deadline: Millis,
    patience: Millis,
    when: When,
    reply: Reply,
    parks: bool,
    resolved: When,
}

/// A moment, by its place before or around a deadline.
#[derive(Debug, Clone, Copy)]
enum When {
    After(u64),
    /// This many per cent of the time left.
    Within(u64),
    Before,
    At,
    Behind,
    Never,
}

impl When {
    fn of(self, left: u64) -> Option<Millis> {
        Some(Millis(match self {
            Self::After(moment) => moment,
            Self::Within(percent) => left.saturating_mul(percent) / 100,
            Self::Before => left.saturating_sub(1),
            Self::At => left,
            Self::Behind => left.saturating_add(1),
            Self::Never => return None,
        }))
    }
}

impl Turn {
    /// Settles the moments of the hook in `slot`, whose turn `begins` then if all before it are asked
    /// and none is cut off.
    fn settle(
        self,
        slot: usize,
        terms: &Terms,
        member: &str,
        begins: &mut u64,
    ) -> (Hook, Option<PlainAnswer>) {
        let left = match terms.clock {
            Clock::PerHook => self.deadline.0,
            Clock::Shared(budget) if terms.dispatch == Dispatch::Concurrent => budget.0,
            Clock::Shared(budget) => budget.0.saturating_sub(*begins),
        };
        let after = self.when.of(left);
        *begins = begins.saturating_add(after.map_or(left, |after| after.0));
        let conditions = self
            .conditions
            .into_iter()
            .map(|condition| Condition { path: condition.path.replace('@', member), ..condition });
        let hook = Hook {
            name: format!("hook-{slot}"),
            guard: Guard { conditions: conditions.collect() },
            policy: self.policy,
            deadline: self.deadline,
            patience: self.patience,
        };
        let answer = after.map(|after| {
            if !self.parks || terms.clock != Clock::PerHook {
                return PlainAnswer { after, reply: self.reply, later: None };
            }
            let gone = if terms.timeout_from == TimeoutFrom::Asked { after.0 } else { 0 };
            let resolved = self.resolved.of(self.patience.0.saturating_sub(gone));
            PlainAnswer {
                after,
                reply: Reply::Pending,
                later: resolved.map(|resolved| (resolved, self.reply)),
            }
        });
        (hook, answer)
    }
}

fn turn(temper: Temper) -> impl Strategy<Value = Turn> {
    let seldom = if temper == Temper::Calm { 1 } else { 10 };
    let policy = prop_oneof![10 => Just(FailurePolicy::FailOpen), seldom => Just(FailurePolicy::FailClosed)];
    let deadlines = || {
        let short = prop_oneof![Just(0u64), Just(1), 2u64..=20];
        prop_oneof![4 => short, 4 => select(vec![10_000, 86_400_000]), 1 => Just(u64::MAX)].prop_map(Millis)
    };
    let parks = prop_oneof![3 => Just(false), 1 => Just(true)];
    (guard(), policy, deadlines(), deadlines(), when(temper), reply(seldom), parks, when(Temper::Lively))
        .prop_map(|(conditions, policy, deadline, patience, when, reply, parks, resolved)| Turn {
            conditions,
            policy,
            deadline,
            patience,
            when,
            reply,
            parks,
            resolved,
        })
}

fn when(temper: Temper) -> BoxedStrategy<When> {
    let soon = prop_oneof![Just(When::After(0)), Just(When::After(1)), (0u64..=30).prop_map(When::Within)];
    if temper == Temper::Calm {
        return soon.boxed();
    }
    prop_oneof![
        8 => soon,
        1 => Just(When::Before),
        2 => Just(When::At),
        1 => Just(When::Behind),
        1 => (0u64..=150).prop_map(When::Within),
        1 => (0u64..=3_000).prop_map(When::After),
        1 => Just(When::Never),
    ]
    .boxed()
}

fn reply(seldom: u32) -> impl Strategy<Value = Reply> {
    let decision = prop_oneof![
        40 => Just(Decision::Defer),
        seldom => Just(Decision::Allow),
        seldom => Just(Decision::Handled),
        seldom => Just(Decision::Deny),
    ];
    let word = || proptest::option::weighted(0.3, "[a-c]{0,2}");
    let answer = (decision, proptest::option::of(value()), any::<bool>(), word(), word(), word(), word());
    let answered = answer.prop_map(|(decision, rewrite, confirm, context, response_text, view, reason)| {
        let view = view.map(Value::from);
        let answer = Answer { decision, rewrite, confirm, context, response_text, view, reason };
        Reply::Answered(Box::new(answer))
    });
    prop_oneof![6 => answered, 1 => select(&FAILURES[..]).prop_map(Reply::Failed)]
}

/// The members that no hook changes.
fn event() -> impl Strategy<Value = Value> {
    (value(), select(vec![json!(1), json!(1.0), json!(2)])).prop_map(|(extra, n)| {
        json!({ "tool": "billing.charge", "n": n, "flag": true, "list": [1, "a", null, {"x": 2.0}],
                "extra": extra, "": "unnamed" })
    })
}

fn guard() -> impl Strategy<Value = Vec<Condition>> {
    prop_oneof![
        8 => Just(vec![]),
        4 => vec(condition(), 1..=3),
        1 => vec(condition(), 8),
    ]
}

/// `@` in a path stands for the member that hooks rewrite.
fn condition() -> impl Strategy<Value = Condition> {
    const PATHS: &[&str] = &[
        "@",
        "@.a",
        "@.b",
        "@.a.b",
        "@.list",
        "@.list.0",
        "@.1",
        "tool",
        "n",
        "flag",
        "flag.x",
        "list",
        "list.0",
        "list.2",
        "list.3.x",
        "list.4",
        "list.x",
        "extra",
        "extra.a",
        "missing",
        "missing.a",
        "tool.0",
        "",
    ];
    const OPERATORS: &[Operator] = &[
        Operator::Eq,
        Operator::Neq,
        Operator::In,
        Operator::NotIn,
        Operator::Gt,
        Operator::Gte,
        Operator::Lt,
        Operator::Lte,
        Operator::Contains,
        Operator::StartsWith,
        Operator::Exists,
    ];
    let drawn = (select(PATHS), select(OPERATORS), operand());
    let apt = select(vec![
        ("@", Operator::Exists, json!(true)),
        ("missing", Operator::Exists, json!(false)),
        ("tool", Operator::StartsWith, json!("billing.")),
        ("tool", Operator::Eq, json!("billing.charge")),
        ("tool", Operator::Contains, json!("charge")),
        ("n", Operator::In, json!(["1", 1, 2])),
        ("n", Operator::NotIn, json!([3, "1"])),
        ("n", Operator::Gte, json!(1)),
        ("list", Operator::Contains, json!({"x": 2})),
        ("@", Operator::Neq, json!("c")),
    ]);
    prop_oneof![drawn, apt].prop_map(|(path, operator, value)| Condition {
        path: path.into(),
        operator,
        value,
    })
}

fn operand() -> impl Strategy<Value = Value> {
    prop_oneof![3 => value(), 1 => vec(value(), 0..=3).prop_map(Value::from), 1 => any::<bool>().prop_map(Value::from)]
}

/// Strings, small objects, and now and then something else.
fn value() -> impl Strategy<Value = Value> {
    let object = |inner: BoxedStrategy<Value>| {
        let member = || proptest::option::of(inner.clone());
        (member(), member(), proptest::option::weighted(0.2, member())).prop_map(|(a, b, list)| {
            let members = [("a", a), ("b", b), ("list", list.map(|item| item.into_iter().collect()))];
            members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Value>()
        })
    };
    let small = prop_oneof![leaf(), object(leaf().boxed())].boxed();
    prop_oneof![4 => string(), 4 => object(small), 1 => leaf()]
}

/// By code point U+FFFF stands before U+1D11E, by UTF-16 unit behind it.
fn string() -> impl Strategy<Value = Value> {
    select(vec![
        json!(""),
        json!("a"),
        json!("ab"),
        json!("b"),
        json!("é"),
        json!("\u{ffff}"),
        json!("\u{1d11e}"),
    ])
}

fn leaf() -> impl Strategy<Value = Value> {
    let others = vec![
        json!(null),
        json!(true),
        json!(1),
        json!(1.0),
        json!(0.5),
        json!(-1),
        json!(1u64 << 53),
        json!([]),
        json!({}),
    ];
    prop_oneof![string(), select(others)]
}
