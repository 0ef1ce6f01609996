//! One firing as it is told: whose turn came, what each saw, answered and changed, in order of time.

use hookproof_model::kernel::{Decision, Failure, Millis, Reply};
use serde_json::Value;

use super::timeline::{Mark, Row, Timeline};
use super::witness::Folded;
use super::words;

/// A hook whose turn came, or that was asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Visit {
    /// Its name.
    pub(super) hook: String,
    /// What else it is, in brackets; empty for nothing.
    pub(super) about: String,
    /// When it was asked, since the firing began.
    pub(super) asked: Option<Millis>,
    /// Until when it had to answer.
    pub(super) until: Option<Millis>,
    /// The value that it was handed; `None` where nothing was delivered.
    pub(super) sees: Option<Value>,
    /// What it did, as one sentence.
    pub(super) did: String,
    /// When it did so; `None` for never.
    pub(super) did_at: Option<Millis>,
    /// From when on it parks the work, and until when at the longest.
    pub(super) parked: Option<(Millis, Option<Millis>)>,
    /// When that came to something.
    pub(super) settled: Option<Millis>,
    /// How it failed.
    pub(super) failure: Option<Failure>,
    /// What that changed, as sentences.
    pub(super) changed: Vec<String>,
}

impl Visit {
    /// That it is asked, and what it sees.
    fn asking(&self, asked: Millis, original: &Value) -> String {
        let Self { hook, about, .. } = self;
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        let until = self.until.map(|until| format!(", until {}", words::time(until))).unwrap_or_default();
        let sees = match &self.sees {
            None => String::new(),
            Some(value) if value == original => " It sees the value as it came.".to_owned(),
            Some(value) => format!(" It sees the rewritten value {}.", words::value(value)),
        };
        format!("At {}, {hook}{about} is asked{until}.{sees}", words::time(asked))
    }

    /// What it did and what that changed.
    fn settling(&self) -> String {
        let mut sentence = self.did.clone();
        for changed in &self.changed {
            if !sentence.is_empty() {
                sentence.push(' ');
            }
            sentence.push_str(changed);
        }
        sentence
    }

    fn row(&self) -> Row {
        let settled = self.settled.map(|at| {
            let mark = match self.failure {
                None => Mark::Answered,
                Some(Failure::Timeout | Failure::Expired) => Mark::TimedOut,
                Some(Failure::Silenced) => Mark::Silenced,
                Some(_) => Mark::Failed,
            };
            (at, mark)
        });
        let until = self.parked.map_or(self.until, |(_, until)| until);
        let parked = self.parked.map(|(from, _)| from);
        Row { name: self.hook.clone(), asked: self.asked, parked, settled, until }
    }
}

/// A firing, or the part of it that one step shows.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    /// Who was asked, in chain order.
    pub(super) visits: Vec<Visit>,
    /// How many of them an earlier step has shown already.
    pub(super) known: usize,
    /// The value as it came.
    pub(super) original: Value,
    /// What else happened, and when.
    pub(super) meanwhile: Vec<(Millis, String)>,
    /// When it ended.
    pub(super) ended: Option<Millis>,
    /// What it came to, as sentences.
    pub(super) came_to: Vec<String>,
}

impl Told {
    /// The firing as sentences, in order of time.
    pub(super) fn sentences(&self) -> Vec<String> {
        let mut events: Vec<(Millis, Event<'_>)> = Vec::new();
        for (place, visit) in self.visits.iter().enumerate() {
            if let Some(asked) = visit.asked.filter(|_| place >= self.known) {
                events.push((asked, Event::Asked(place, visit)));
            }
            if place == 0 {
                // At one moment, control steps come before answers; the first hook is asked already.
                events.extend(self.meanwhile.iter().map(|(at, sentence)| (*at, Event::Else(sentence))));
            }
            let at = visit.settled.or(visit.parked.map(|(from, _)| from)).or(self.ended).or(visit.asked);
            events.push((at.unwrap_or_default(), Event::Settled(place, visit)));
        }
        if self.visits.is_empty() {
            events.extend(self.meanwhile.iter().map(|(at, sentence)| (*at, Event::Else(sentence))));
        }
        events.sort_by_key(|(at, _)| *at);
        let mut sentences = Vec::new();
        let mut last_asked = None;
        for (at, event) in events {
            match event {
                Event::Asked(place, visit) => {
                    sentences.push(visit.asking(at, &self.original));
                    last_asked = Some(place);
                }
                Event::Settled(place, visit) => {
                    let settling = visit.settling();
                    // Who it is goes without saying right behind its question.
                    let known = place < self.known || last_asked == Some(place) || settling.is_empty();
                    let who = if known { String::new() } else { format!("{}: ", visit.hook) };
                    sentences.extend((!settling.is_empty()).then(|| format!("  {who}{settling}")));
                    last_asked = None;
                }
                Event::Else(sentence) => {
                    sentences.push(sentence.clone());
                    last_asked = None;
                }
            }
        }
        sentences.extend(self.came_to.iter().cloned());
        sentences
    }

    /// The firing as a time line; `None` where nobody was asked.
    pub(super) fn timeline(&self) -> Option<Timeline> {
        let rows: Vec<_> = self.visits.iter().filter(|visit| visit.asked.is_some()).map(Visit::row).collect();
        (!rows.is_empty()).then_some(Timeline { rows, ended: self.ended })
    }
}

/// Something that happens in a firing.
enum Event<'a> {
    Asked(usize, &'a Visit),
    Settled(usize, &'a Visit),
    Else(&'a String),
}

/// What a dialect calls the things that both have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// The names of defer, allow, handled and deny.
    pub(super) decision: fn(Decision) -> &'static str,
    /// What a failing hook that decides nothing counts as.
    pub(super) no_answer: &'static str,
}

impl Terms {
    /// What an answer says, in a few words, where it is one.
    pub(super) fn reads(&self, reply: Option<&Reply>) -> String {
        let Some(Reply::Answered(answer)) = reply else { return String::new() };
        let mut gives = Vec::new();
        gives.extend(answer.rewrite.as_ref().map(|_| "a rewrite"));
        gives.extend(answer.confirm.then_some("a request to confirm"));
        gives.extend(answer.context.as_ref().map(|_| "a context for the model"));
        gives.extend(answer.response_text.as_ref().map(|_| "a text for the user"));
        gives.extend(answer.view.as_ref().map(|_| "a view"));
        let with = if gives.is_empty() { String::new() } else { format!(", with {}", words::list(&gives)) };
        format!(": {}{with}", (self.decision)(answer.decision))
    }

    /// What an answer in time changed.
    pub(super) fn changed(&self, turn: &Folded, reply: Option<&Reply>) -> Vec<String> {
        let mut changed = Vec::new();
        let rewrites = matches!(reply, Some(Reply::Answered(answer)) if answer.rewrite.is_some());
        match &turn.composed {
            Some((before, after)) if before == after => {
                changed.push("The value stays as it is.".to_owned());
            }
            Some((_, after)) => changed.push(format!("The value becomes {}.", words::value(after))),
            None if rewrites => changed.push("Its rewrite does not count.".to_owned()),
            None => {}
        }
        changed.extend(self.ruled(turn));
        changed
    }

    /// Whether a decision stands.
    pub(super) fn ruled(&self, turn: &Folded) -> Option<String> {
        let name = (self.decision)(turn.decision);
        if turn.decision == Decision::Defer {
            None
        } else if turn.wins() {
            Some(format!("That decides: {name}."))
        } else {
            let standing = (self.decision)(turn.standing.decision);
            Some(format!("Its {name} does not count: the {standing} before it stands."))
        }
    }

    /// What a failure came to. `due` is when the answer would have arrived.
    pub(super) fn failed(
        &self,
        failure: Failure,
        decision: Decision,
        at: Option<Millis>,
        due: Option<Millis>,
    ) -> String {
        let counts = match decision {
            Decision::Defer => format!("it counts as {}", self.no_answer),
            decision => format!("it counts as {}", (self.decision)(decision)),
        };
        let at = at.map(|at| format!("At {}, ", words::time(at))).unwrap_or_default();
        let what = match (failure, due) {
            (Failure::Timeout, Some(due)) => {
                format!(
                    "{at}its time is up (timeout), and what arrives at {} comes too late",
                    words::time(due)
                )
            }
            (Failure::Timeout, None) => format!("{at}its time is up (timeout)"),
            (Failure::Expired, _) => format!("{at}its wait expires"),
            (Failure::Silenced, _) => "Consent was withdrawn meanwhile (silenced)".to_owned(),
            (Failure::Condition, _) => "Its conditions cannot be held against the value".to_owned(),
            (other, _) => format!("That is no answer ({other})"),
        };
        capitalized(&format!("{what}: {counts}."))
    }
}

/// The text with its first letter as a capital.
pub(super) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
