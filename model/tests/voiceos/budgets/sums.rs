//! Cases around a budget, and what each comes to by adding up.

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::{Answer, Event, Observation, Outcome, Says, Step};
use serde_json::{Value, json};

use crate::{answer, call, failed, fire, payload, read, readings};

pub(super) const APP: &str = "com.example.editor";

/// An awaited event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaited {
    Transcript,
    Dictation,
    PreToolUse,
    PostToolUse,
}

use Awaited::{Dictation, PostToolUse, PreToolUse, Transcript};

impl Awaited {
    /// VO-DL-1.
    pub(super) const fn budget(self) -> u64 {
        match self {
            Dictation => 250,
            Transcript => 500,
            PreToolUse | PostToolUse => 2000,
        }
    }

    /// Its name, its reserved tool, and the member that rewrites it, by the wire facts.
    pub(super) const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Transcript => ("transcript", "voiceos_hook_transcript", "updatedText"),
            Dictation => ("dictation", "voiceos_hook_dictation", "updatedText"),
            PreToolUse => ("preToolUse", "voiceos_hook_pre_tool_use", "updatedArgs"),
            PostToolUse => ("postToolUse", "voiceos_hook_post_tool_use", "updatedResult"),
        }
    }

    /// VO-SEL-5: what happens to a tool concerns its owner alone.
    pub(super) fn chain(self, installed: usize, owner: usize) -> Vec<usize> {
        match self {
            Transcript | Dictation => (0..installed).collect(),
            PreToolUse | PostToolUse => vec![owner],
        }
    }

    /// What a hook in this place rewrites the value to; before any of them, what it is.
    pub(super) fn value(self, by: Option<usize>) -> Value {
        let text = by.map_or_else(|| "as it was".to_owned(), |place| format!("by {place}"));
        if self == PreToolUse { json!({ "text": text }) } else { json!(text) }
    }

    pub(super) fn event(self, owner: usize) -> Event {
        let (integration, value) = (id(owner), self.value(None));
        read(match self {
            Transcript => json!({ "transcript": { "transcript": value, "source": "voice" } }),
            Dictation => json!({ "dictation": { "text": value } }),
            PreToolUse => {
                json!({ "preToolUse": { "integration": integration, "toolName": "send", "args": value } })
            }
            PostToolUse => json!({ "postToolUse": { "integration": integration, "toolName": "send",
                                                    "args": { "to": "you" }, "result": value } }),
        })
    }

    pub(super) fn payload(self, sees: &Value) -> Value {
        let members = match self {
            Transcript => {
                json!({ "transcript": sees, "source": "voice", "frontmostApp": { "bundleId": APP } })
            }
            Dictation => json!({ "text": sees, "targetApp": { "bundleId": APP } }),
            PreToolUse => json!({ "toolName": "send", "args": sees, "frontmostApp": { "bundleId": APP } }),
            PostToolUse => json!({ "toolName": "send", "args": { "to": "you" }, "result": sees }),
        };
        payload(self.names().0, members)
    }
}

/// The id of the integration in this place. Ids fall as places rise, as far as they are sorted at all.
pub(super) fn id(place: usize) -> String {
    format!("hook.{}", 20 - place)
}

/// What the culprit does when its time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Rewrites,
    Blocks,
    Disconnects,
    Errs,
    Nothing,
}

/// How long the others take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// None of the time: it is the culprit's.
    NoTime,
    /// An equal share each; the culprit takes the rest.
    Share,
    /// All of it, and the culprit none.
    All,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) event: Awaited,
    pub(super) installed: usize,
    pub(super) culprit: usize,
    pub(super) does: Does,
    pub(super) others: Others,
    /// How far the time of all hooks together is beyond the budget, plus one: 0, 1 or 2.
    pub(super) beyond: u64,
}

impl Case {
    /// All cases of chains of this length.
    pub(super) fn all(event: Awaited, installed: usize) -> Vec<Self> {
        let mut cases = vec![];
        for culprit in 0..installed {
            for others in [Others::NoTime, Others::Share, Others::All] {
                for beyond in 0..3 {
                    for does in [Does::Rewrites, Does::Blocks, Does::Disconnects, Does::Errs, Does::Nothing] {
                        cases.push(Self { event, installed, culprit, does, others, beyond });
                    }
                }
            }
        }
        cases
    }

    /// When a hook answers, since it was asked.
    pub(super) fn after(self, place: usize) -> u64 {
        let time = self.event.budget() + self.beyond - 1;
        let (count, is_culprit) = (self.installed as u64, place == self.culprit);
        match (self.others, is_culprit) {
            (Others::NoTime, true) => time,
            (Others::NoTime, false) | (Others::All, true) => 0,
            (Others::Share, true) => time - (count - 1) * (time / count),
            (Others::Share, false) => time / count,
            // The first of the others takes what does not divide.
            (Others::All, false) if place == usize::from(self.culprit == 0) => {
                time - (count - 2) * (time / (count - 1))
            }
            (Others::All, false) => time / (count - 1),
        }
    }

    pub(super) fn does(self, place: usize) -> Does {
        if place == self.culprit { self.does } else { Does::Rewrites }
    }

    pub(super) fn answer(self, place: usize) -> Answer {
        let says = match self.does(place) {
            Does::Rewrites => Says::Result(json!({
                self.event.names().2: self.event.value(Some(place)), "additionalContext": format!("of {place}")
            })),
            Does::Blocks => Says::Result(json!({ "decision": "block" })),
            Does::Disconnects => Says::Disconnect,
            Does::Errs => Says::ToolError(r#"{"decision":"block"}"#.to_owned()),
            Does::Nothing => Says::Never,
        };
        answer(self.after(place), says)
    }

    pub(super) fn step(self) -> Step {
        let answers = (0..self.installed).map(|place| (id(place), self.answer(place)));
        fire(self.event.event(self.culprit), answers)
    }
}

/// How the open points are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub(super) concurrent: bool,
    pub(super) late: bool,
    pub(super) rollback: bool,
    pub(super) zero: bool,
}

impl Read {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..16).map(|bits| {
            let is = |bit: u32| bits & (1 << bit) != 0;
            Self { concurrent: is(0), late: is(1), rollback: is(2), zero: is(3) }
        })
    }

    /// How many are not the default.
    pub(super) fn others_than_default(self) -> u32 {
        [self.concurrent, self.late, self.rollback, self.zero].map(u32::from).iter().sum()
    }

    pub(super) fn readings(self) -> Readings {
        let all = [
            (self.concurrent, "HK-REWRITE-2", "original"),
            (self.concurrent, "VO-ORDER-2", "concurrent"),
            (self.late, "VO-DL-4", "late"),
            (self.rollback, "VO-DL-5", "rollback"),
            (self.zero, "VO-DL-9", "asked-with-zero"),
        ];
        let chosen: Vec<_> = all.into_iter().filter(|(is, ..)| *is).map(|(_, id, name)| (id, name)).collect();
        readings(&chosen)
    }

    /// VO-DL-4.
    pub(super) const fn in_time(self, at: u64, budget: u64) -> bool {
        at < budget || at == budget && !self.late
    }
}

/// What a firing comes to, by adding up.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// Who is called, when, and whose rewrite it sees.
    pub(super) calls: Vec<(usize, u64, Option<usize>)>,
    pub(super) failures: Vec<(usize, Failure)>,
    pub(super) ended: u64,
    /// Whose rewrites and contexts stand.
    pub(super) stand: Vec<usize>,
    pub(super) blocked: bool,
    pub(super) exhausted: bool,
}

impl Sum {
    /// A hook whose answer arrived in time; whether that was the end of it.
    pub(super) fn hear(&mut self, place: usize, does: Does) -> bool {
        match does {
            Does::Rewrites => self.stand.push(place),
            // VO-FAIL-2: whoever fails in time keeps nobody from being asked.
            Does::Disconnects => self.failures.push((place, Failure::Disconnect)),
            Does::Errs => self.failures.push((place, Failure::ToolError)),
            Does::Blocks => self.blocked = true,
            Does::Nothing => unreachable!("what never comes is never in time"),
        }
        self.blocked
    }

    /// VO-DL-3: the budget ended the wait for a hook.
    pub(super) fn time_out(&mut self, place: usize) {
        self.failures.push((place, Failure::Timeout));
        self.exhausted = true;
    }

    /// One after the other, each with what is left.
    pub(super) fn sequential(case: Case, read: Read) -> Self {
        let (mut sum, budget) = (Self::default(), case.event.budget());
        for place in case.event.chain(case.installed, case.culprit) {
            // VO-DL-9.
            if sum.ended == budget && !read.zero {
                sum.exhausted = true;
                break;
            }
            sum.calls.push((place, sum.ended, sum.stand.last().copied()));
            let at = sum.ended + case.after(place);
            if case.does(place) == Does::Nothing || !read.in_time(at, budget) {
                sum.time_out(place);
                sum.ended = budget;
                break;
            }
            sum.ended = at;
            if sum.hear(place, case.does(place)) {
                break;
            }
        }
        sum.rolled_back(read)
    }

    /// All at once, each with the whole budget; folded in chain order up to whoever decides.
    pub(super) fn concurrent(case: Case, read: Read) -> Self {
        let (mut sum, budget) = (Self::default(), case.event.budget());
        let chain = case.event.chain(case.installed, case.culprit);
        sum.calls = chain.iter().map(|place| (*place, 0, None)).collect();
        for place in chain {
            if case.does(place) == Does::Nothing || !read.in_time(case.after(place), budget) {
                sum.time_out(place);
                sum.ended = budget;
                continue;
            }
            sum.ended = sum.ended.max(case.after(place));
            if sum.hear(place, case.does(place)) {
                break;
            }
        }
        sum.rolled_back(read)
    }

    /// VO-DL-5.
    pub(super) fn rolled_back(mut self, read: Read) -> Self {
        if read.rollback && self.exhausted {
            self.stand.clear();
            self.blocked = false;
        }
        self
    }

    pub(super) fn observation(&self, event: Awaited) -> Observation {
        let value = event.value(self.stand.last().copied());
        let outcome = match event {
            // What postToolUse decides does not count (VO-FOLD-8a).
            Transcript | Dictation | PreToolUse if self.blocked => Outcome::Blocked {},
            Transcript => {
                let context = self.stand.iter().map(|place| format!("of {place}")).collect();
                Outcome::WentOn { value, context }
            }
            Dictation => Outcome::Pasted { text: read(value) },
            PreToolUse => Outcome::Executed { args: read(value) },
            PostToolUse => Outcome::WentOn { value, context: vec![] },
        };
        let calls = self.calls.iter().map(|(place, at, sees)| {
            call(&id(*place), event.names().1, event.payload(&event.value(*sees)), *at)
        });
        Observation {
            calls: calls.collect(),
            ended_ms: Some(Millis(self.ended)),
            outcome: Some(outcome),
            logged: self.failures.iter().map(|(place, failure)| failed(&id(*place), *failure)).collect(),
            ..Observation::default()
        }
    }
}
