//! A firing, told from its beginning each time with everything that is known so far.
//!
//! What becomes of a firing if nobody steps in is told by [`fire`](crate::plain::fire) all at once.
//! Its story is a list of happenings, and a platform lets them happen one by one as its clock moves.
//! Whatever is done to the firing on the way changes only what has not happened yet.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::answer;
use super::defaults::Entry;
use super::hook::{MatricesHook, Point, Processor};
use crate::kernel::{Clock, Decision, Failure, Guard, Hook, Millis, Reply, Terms, Visit};
use crate::plain::{self, Given, PlainAnswer, Told};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{AllowRewrite, NestedAgentHooks, Once};
use crate::reading::shared::{
    Boundary, Choice, ConsentCheck, Contexts, Dispatch, Exhaustion, NothingLeft, Rewriters, Sight,
    TimeoutFrom,
};
use crate::script::matrices::{Event, Fire, Says, Step};

/// A firing that has begun.
pub(super) struct Firing<'s> {
    pub(super) fire: &'s Fire,
    /// Whether it happens within an agent processor's own run.
    pub(super) nested: bool,
    /// The hooks that are visited, in list order.
    pub(super) chain: Vec<Link>,
    /// When it began, by the platform's clock.
    pub(super) began: Millis,
    /// Since when it stands still, by the platform's clock.
    pub(super) stands_still: Option<Millis>,
    /// How much of its story has happened.
    pub(super) happened: usize,
    /// When each hook was asked, by place in the chain, since the firing began.
    pub(super) asked: BTreeMap<usize, Millis>,
    /// The ids of what was delivered, by place in the chain.
    pub(super) deliveries: BTreeMap<usize, String>,
    /// How long after the parking each wait was resolved, and with what, by place in the chain.
    pub(super) resolutions: BTreeMap<usize, (Millis, Reply)>,
    /// The place in the chain of the hook that it is parked on, and when it was parked.
    pub(super) parked_on: Option<(usize, Millis)>,
    /// Whether it came to its outcome.
    pub(super) ended: bool,
}

/// A hook of the chain.
#[derive(Clone)]
pub(super) struct Link {
    /// Its place in the profile's list.
    pub(super) index: usize,
    pub(super) hook: MatricesHook,
}

/// Something that happens in a firing.
pub(super) struct Happening {
    /// When, since the firing began.
    pub(super) at: Millis,
    pub(super) rank: Rank,
    pub(super) what: What,
}

/// What comes first at one and the same moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It waits for nobody: that a firing begins, or a turn ends, is all that it takes.
    AtOnce,
    Control,
    Answer,
    Deadline,
    /// That of a wait, which holds until the clock has passed this moment (since the firing began).
    Expiry(Millis),
}

/// What happens.
pub(super) enum What {
    /// The hook in this place is asked, and sees this value.
    Asked(usize, Value),
    /// The hook in this place parks the work.
    Parked(usize),
    /// A hook's turn ends.
    Turned(Visit),
    /// The firing comes to its outcome: this decision, and the composed value if there is one.
    Came(Decision, Option<Value>),
}

/// MX-MATCH-1, MX-PROC-2a, MX-PROC-2b: the hooks of a list that hear of an event, in list order
/// (HK-ORDER-1).
pub(super) fn selected(
    list: &[Entry],
    event: &Event,
    nested: bool,
    readings: &MatricesReadings,
) -> Vec<Link> {
    let is_left_out = |hook: &MatricesHook| match readings.nested_agent_hooks {
        _ if !nested => false,
        NestedAgentHooks::Skipped => matches!(hook.processor, Processor::Agent(_)),
        NestedAgentHooks::Failure => false,
        NestedAgentHooks::NoHooks => true,
    };
    let links = list.iter().enumerate().map(|(index, entry)| Link { index, hook: entry.hook.clone() });
    links.filter(|link| link.hook.concerns(event, readings) && !is_left_out(&link.hook)).collect()
}

impl<'s> Firing<'s> {
    /// How long it has been running when the platform's clock stands at `now`.
    pub(super) fn since_it_began(&self, now: Millis) -> Millis {
        self.stands_still.unwrap_or(now).since(self.began)
    }

    /// MX-PROC-2b, failure: whether this hook cannot be asked at all.
    pub(super) fn is_out_of_reach(&self, hook: &MatricesHook, readings: &MatricesReadings) -> bool {
        self.nested
            && readings.nested_agent_hooks == NestedAgentHooks::Failure
            && matches!(hook.processor, Processor::Agent(_))
    }

    /// The steps that an agent hook runs when it is asked. On a url hook they are a plain defer.
    pub(super) fn agent_run(&self, hook: &MatricesHook) -> Option<&'s [Step]> {
        match (&hook.processor, &self.fire.answers.get(&hook.id)?.says) {
            (Processor::Agent(_), Says::AgentRun(steps)) => Some(steps),
            _ => None,
        }
    }

    /// MX-WAIT-9, live: the chain goes on with the hooks that now stand behind the one in `slot`, or
    /// from where it stood if it is gone.
    pub(super) fn go_on_with(&mut self, slot: usize, list: &[Entry], readings: &MatricesReadings) {
        let Some(parked) = self.chain.get(slot) else { return };
        let place = list.iter().position(|entry| entry.hook.id == parked.hook.id);
        let from = place.map_or(parked.index, |place| place + 1);
        let behind = selected(list, &self.fire.event, self.nested, readings);
        self.chain.truncate(slot + 1);
        // HK-ONCE-1.
        let had: Vec<_> = self.chain.iter().map(|link| link.hook.id.clone()).collect();
        let behind = behind.into_iter().filter(|link| link.index >= from && !had.contains(&link.hook.id));
        self.chain.extend(behind);
    }

    /// What has not happened yet and happens next, if nobody steps in.
    pub(super) fn next(&self, readings: &MatricesReadings) -> Option<Happening> {
        self.story(readings).into_iter().nth(self.happened)
    }

    /// Everything that happens, from the beginning to the outcome.
    fn story(&self, readings: &MatricesReadings) -> Vec<Happening> {
        let (answers, told) = self.told(readings);
        let mut story = vec![];
        let mut happens = |at, rank, what| story.push(Happening { at, rank, what });
        for visit in told.visits {
            let slot = visit.slot;
            for (place, call) in told.calls.iter().filter(|call| call.slot == slot).enumerate() {
                // HK-ONCE-1, retries: it is the answer that failed which makes it be asked again.
                let rank = if place == 0 { Rank::AtOnce } else { Rank::Answer };
                happens(call.at, rank, What::Asked(slot, call.sees.clone()));
            }
            let wait = self.wait(&visit, answers.get(slot), readings);
            if let Some((parked, _)) = wait {
                happens(parked, Rank::Answer, What::Parked(slot));
            }
            let rank = match (visit.failure, wait) {
                (Some(Failure::Timeout), _) => Rank::Deadline,
                (Some(Failure::Condition), _) => Rank::AtOnce,
                (Some(Failure::Expired), Some((_, deadline))) => Rank::Expiry(deadline),
                _ => Rank::Answer,
            };
            happens(visit.at, rank, What::Turned(visit));
        }
        let (decision, value) = (told.outcome.decision, told.outcome.value);
        happens(told.outcome.at, Rank::AtOnce, What::Came(decision, value));
        story
    }

    /// When a hook parked the work, and the deadline of the wait, if there is one. MX-WAIT-12, asked: a
    /// hook may have used up the time of its wait before it parks the work; then there is none.
    fn wait(
        &self,
        visit: &Visit,
        answer: Option<&Option<PlainAnswer>>,
        readings: &MatricesReadings,
    ) -> Option<(Millis, Millis)> {
        let Some(Some(PlainAnswer { after, reply: Reply::Pending, .. })) = answer else { return None };
        if visit.failure == Some(Failure::Timeout) {
            return None;
        }
        let parked = visit.asked?.plus(*after);
        let from = match readings.timeout_from {
            TimeoutFrom::Parked => parked,
            TimeoutFrom::Asked => visit.asked?,
        };
        let deadline = from.plus(self.chain.get(visit.slot)?.hook.async_timeout);
        let is_used_up = match readings.boundary {
            Boundary::InTime => parked > deadline,
            Boundary::Late => parked >= deadline,
        };
        (!is_used_up).then_some((parked, deadline))
    }

    /// What is told of it, with what each hook does.
    fn told(&self, readings: &MatricesReadings) -> (Vec<Option<PlainAnswer>>, Told) {
        let hooks: Vec<_> = self.chain.iter().map(|link| as_asked(&link.hook)).collect();
        let answers: Vec<_> =
            (0..).zip(&self.chain).map(|(slot, link)| self.answer(slot, link, readings)).collect();
        let (member, value) = rewritable(&self.fire.event);
        let event = Value::from(self.unchanging());
        let (terms, value) = (terms(readings), &value);
        let told = plain::fire(&Given {
            terms: &terms,
            hooks: &hooks,
            event: &event,
            member,
            value,
            answers: &answers,
            hearings: &[],
        });
        (answers, told)
    }

    fn answer(&self, slot: usize, link: &Link, readings: &MatricesReadings) -> Option<PlainAnswer> {
        if self.is_out_of_reach(&link.hook, readings) {
            let reply = Reply::Failed(Failure::Refused);
            return Some(PlainAnswer { after: Millis::ZERO, reply, later: None });
        }
        let scripted = self.fire.answers.get(&link.hook.id).map(|answer| (answer.after_ms, &answer.says));
        let answer = answer::of(&link.hook, scripted, readings)?;
        Some(PlainAnswer { later: self.resolutions.get(&slot).cloned(), ..answer })
    }

    /// The members of the event that no hook changes: MX-WIRE-1.
    fn unchanging(&self) -> Map<String, Value> {
        let mut members = Map::default();
        members.insert("point".to_owned(), Point::of(&self.fire.event).name().into());
        members.insert("threadId".to_owned(), self.fire.thread.clone().into());
        if let Event::BeforeToolCall { tool, .. } | Event::AfterToolCall { tool, .. } = &self.fire.event {
            members.insert("tool".to_owned(), tool.clone().into());
        }
        members
    }

    /// MX-WIRE-1: a HookInput.
    pub(super) fn hook_input(&self, delivery: &str, hook: &str, sees: Value) -> Value {
        let mut members = self.unchanging();
        members.insert("deliveryId".to_owned(), delivery.into());
        members.insert("hookId".to_owned(), hook.into());
        members.insert(rewritable(&self.fire.event).0.to_owned(), sees);
        members.into()
    }

    /// The value that the event began with.
    pub(super) fn original(&self) -> Value {
        rewritable(&self.fire.event).1
    }
}

/// The member of an event that hooks rewrite (MX-FOLD-7), and its value.
fn rewritable(event: &Event) -> (&'static str, Value) {
    match event {
        Event::BeforeInput { text } | Event::AfterOutput { text } => ("text", text.clone().into()),
        Event::BeforeToolCall { input, .. } => ("input", input.clone().into()),
        Event::AfterToolCall { output, .. } => ("output", output.clone()),
    }
}

/// A hook as the telling of one firing needs it. MX-DL-1: only calls of url and agent have a deadline.
fn as_asked(hook: &MatricesHook) -> Hook {
    Hook {
        name: hook.id.clone(),
        guard: Guard { conditions: hook.conditions.clone() },
        policy: hook.policy,
        deadline: if hook.processor == Processor::Client { Millis::MAX } else { hook.timeout },
        patience: hook.async_timeout,
    }
}

/// What the readings come to, and what is no open point in this dialect: hooks run in list order and
/// see what was composed (HK-ORDER-1, HK-REWRITE-2), the first non-defer decision wins (HK-DECIDE-1),
/// and each call has its own deadline (MX-DL-1).
fn terms(readings: &MatricesReadings) -> Terms {
    Terms {
        dispatch: Dispatch::Sequential,
        clock: Clock::PerHook,
        retries: readings.once == Once::Retries,
        boundary: readings.boundary,
        nothing_left: NothingLeft::NotAsked,
        exhaustion: Exhaustion::Keep,
        sight: Sight::Composed,
        guard_sight: readings.conditions_see,
        conditions: readings.conditions,
        incomparable: readings.incomparable,
        choice: Choice::FirstInOrder,
        rewrite_mode: readings.rewrite_mode,
        rewriters: Rewriters::Compose,
        allow_rewrites: readings.allow_rewrite == AllowRewrite::Apply,
        ending_rewrites: false,
        contexts: Contexts::List,
        consent_check: ConsentCheck::Both,
        timeout_from: readings.timeout_from,
    }
}
