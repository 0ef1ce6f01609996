//! A platform that only knows waits, and keeps a list of them: MX-WAIT-1 to 10b, MX-WAIT-12, MX-DL-1,
//! MX-DL-3, MX-AUD-6, MX-PROC-3. Written from the clauses and the conventions of scripts; it shares
//! nothing with the model but the types that steps and observations are made of.

mod going;

use std::collections::{BTreeMap, BTreeSet};

use hookproof_model::reading::MatricesReadings;
use hookproof_model::reading::matrices::{BadResolution, CancelAudit, ParkedChain, WaitErrors};
use hookproof_model::script::matrices::{
    AuditEntry, Fired, Observation, Outcome, PlatformError, Resumed, Wait,
};
use serde_json::Value;

use super::deeds::{At, Body, Deed, Does, Hook};

/// The platform.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    readings: MatricesReadings,
    pub(crate) now: u64,
    profiles: Vec<(String, Vec<Hook>)>,
    threads: Vec<Thread>,
    pub(crate) firings: Vec<Firing>,
    /// Every wait that there ever was, in the order of parking.
    pub(crate) waits: Vec<Held>,
    deliveries: usize,
    /// The firing that the deed under way began, and what is observed of it and of the others.
    began: Option<usize>,
    fired: Fired,
    resumed: Vec<Resumed>,
    /// What has been seen that is to be seen sometimes.
    pub(crate) reached: BTreeSet<&'static str>,
}

#[derive(Debug, Clone)]
struct Thread {
    label: String,
    profile: String,
    cancelled: bool,
    audit: Vec<AuditEntry>,
}

#[derive(Debug, Clone)]
pub(crate) struct Firing {
    label: String,
    thread: String,
    pub(crate) at: At,
    does: BTreeMap<String, (u64, Does)>,
    /// Its hooks, each with its place in the profile's list.
    chain: Vec<(usize, Hook)>,
    began: u64,
    /// How many hooks have had their turn.
    turn: usize,
    /// When the hook whose turn it is was asked.
    asked: u64,
    /// What that hook does, and when; `None` once it has parked the work.
    coming: Option<(u64, Does)>,
    delivery: Option<String>,
    value: Value,
    over: bool,
}

/// A wait.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub(crate) thread: String,
    pub(crate) firing: usize,
    pub(crate) shown: Wait,
    pub(crate) deadline: u64,
    pub(crate) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Held,
    Resolved,
    Expired,
    Cancelled,
}

impl Reference {
    pub(crate) fn new(
        readings: MatricesReadings,
        profiles: &[(String, Vec<Hook>)],
        threads: &[(String, String)],
    ) -> Self {
        let threads = threads.iter().map(|(label, profile)| Thread {
            label: label.clone(),
            profile: profile.clone(),
            cancelled: false,
            audit: vec![],
        });
        Self {
            readings,
            now: 0,
            profiles: profiles.to_vec(),
            threads: threads.collect(),
            firings: vec![],
            waits: vec![],
            deliveries: 0,
            began: None,
            fired: Fired::default(),
            resumed: vec![],
            reached: BTreeSet::new(),
        }
    }

    /// The waits that hold work, by firing.
    pub(crate) fn held(&self) -> Vec<&Held> {
        let mut held: Vec<_> = self.waits.iter().filter(|wait| wait.state == State::Held).collect();
        held.sort_by_key(|wait| wait.firing);
        held
    }

    /// Read as live (MX-WAIT-9), the hooks that an unfinished firing has had before the one that it waits
    /// for. Whether such a hook is asked again where it now stands behind that one, HK-ONCE-1 and the
    /// reading say differently, so no list that is drawn puts one there.
    pub(crate) fn had_their_turn(&self) -> Vec<&str> {
        let is_live = self.readings.parked_chain == ParkedChain::Live;
        let under_way = self.firings.iter().filter(|firing| is_live && !firing.over);
        let before = under_way.flat_map(|firing| &firing.chain[..firing.turn]);
        before.map(|(_, hook)| hook.id.as_str()).collect()
    }

    /// What is observed of a deed.
    pub(crate) fn done(&mut self, deed: &Deed) -> Observation {
        (self.began, self.fired, self.resumed) = (None, Fired::default(), vec![]);
        let standing: Vec<_> = self.waits.iter().map(|wait| wait.state).collect();
        let mut observed = self.deed(deed).unwrap_or_else(|error| {
            self.reached.insert(told(error));
            Observation { error: Some(error), ..Observation::default() }
        });
        let was_held = |place: usize| standing.get(place).is_none_or(|state| *state == State::Held);
        let expired = self.waits.iter().enumerate().filter(|(_, wait)| wait.state == State::Expired);
        let mut deadlines: Vec<_> =
            expired.filter(|(place, _)| was_held(*place)).map(|(_, wait)| wait.deadline).collect();
        deadlines.sort_unstable();
        if deadlines.len() > 1 {
            self.reached.insert("several waits expire during one step");
        }
        if deadlines.windows(2).any(|pair| pair[0] == pair[1]) {
            self.reached.insert("several waits expire at one moment");
        }
        observed.fired = self.began.map(|_| std::mem::take(&mut self.fired));
        observed.resumed = std::mem::take(&mut self.resumed);
        observed
    }

    fn deed(&mut self, deed: &Deed) -> Result<Observation, PlatformError> {
        match deed {
            Deed::Fire { firing, thread, at, does } => self.fire(firing, thread, *at, does)?,
            Deed::Advance(by) => self.settle(self.now + by),
            Deed::Resolve { thread, wait, body } => self.resolve(thread, wait, body)?,
            Deed::Cancel(thread) => self.cancel(thread)?,
            Deed::Update { profile, hooks } => {
                let list = self.profiles.iter_mut().find(|(label, _)| label == profile);
                list.ok_or(PlatformError::UnknownProfile)?.1.clone_from(hooks);
                if !self.held().is_empty() {
                    self.reached.insert("a profile is updated while work is parked");
                }
                let hooks = Some(hooks.iter().map(Hook::seen).collect());
                return Ok(Observation { accepted: Some(true), hooks, ..Observation::default() });
            }
            Deed::Waiting => {
                let mut threads = BTreeMap::<String, Vec<Wait>>::new();
                for wait in self.held() {
                    threads.entry(wait.thread.clone()).or_default().push(wait.shown.clone());
                }
                return Ok(Observation { threads: Some(threads), ..Observation::default() });
            }
            Deed::Audit(thread) => {
                let audit = Some(self.thread(thread)?.audit.clone());
                return Ok(Observation { audit, ..Observation::default() });
            }
        }
        Ok(Observation::default())
    }

    fn thread(&mut self, label: &str) -> Result<&mut Thread, PlatformError> {
        self.threads.iter_mut().find(|thread| thread.label == label).ok_or(PlatformError::UnknownThread)
    }

    fn fire(
        &mut self,
        label: &str,
        thread: &str,
        at: At,
        does: &BTreeMap<String, (u64, Does)>,
    ) -> Result<(), PlatformError> {
        if self.thread(thread)?.cancelled {
            return Err(PlatformError::ThreadCancelled);
        }
        if self.firings.iter().any(|firing| firing.label == label) {
            return Err(PlatformError::LabelTaken);
        }
        self.firings.push(Firing {
            label: label.into(),
            thread: thread.into(),
            at,
            does: does.clone(),
            chain: self.selected(thread, at),
            began: self.now,
            turn: 0,
            asked: self.now,
            coming: None,
            delivery: None,
            value: at.value(0),
            over: false,
        });
        let index = self.firings.len() - 1;
        self.began = Some(index);
        self.ask(index);
        self.settle(self.now);
        Ok(())
    }

    /// The hooks that a thread's profile has now for a point.
    fn selected(&self, thread: &str, at: At) -> Vec<(usize, Hook)> {
        let thread = self.threads.iter().find(|known| known.label == thread).expect("it was looked up");
        let profile = self.profiles.iter().find(|(label, _)| *label == thread.profile);
        let hooks = profile.map(|(_, hooks)| hooks.clone()).unwrap_or_default();
        hooks.into_iter().enumerate().filter(|(_, hook)| hook.at == at).collect()
    }

    /// MX-WAIT-3a, MX-WAIT-5, MX-WAIT-6, MX-WAIT-8.
    fn resolve(&mut self, thread: &str, name: &str, body: &Body) -> Result<(), PlatformError> {
        self.thread(thread)?;
        let wait = self.waits.iter().find(|wait| wait.thread == thread && wait.shown.wait == name);
        let refused = match wait.map(|wait| wait.state) {
            None => Some(PlatformError::UnknownWait),
            Some(State::Held) => None,
            Some(State::Resolved) => Some(PlatformError::AlreadyResolved),
            Some(State::Expired) => Some(PlatformError::Expired),
            Some(State::Cancelled) => Some(PlatformError::Cancelled),
        };
        let index = match (wait, refused, self.readings.wait_errors) {
            (Some(wait), None, _) => wait.firing,
            (_, Some(error), WaitErrors::Distinct) => return Err(error),
            _ => return Err(PlatformError::Conflict),
        };
        let at_deadline = wait.is_some_and(|wait| wait.deadline == self.now);
        let said = body.said(self.firings[index].at);
        if said.is_err() && self.readings.bad_resolution == BadResolution::RefuseAndStay {
            return Err(PlatformError::NotAResult);
        }
        self.reached.insert(if at_deadline {
            "a wait is resolved at its very deadline"
        } else {
            "a wait is resolved"
        });
        self.go_on(index, State::Resolved);
        match said {
            Ok(said) => self.answer(index, said),
            Err(failure) => {
                self.reached.insert("a resolution fails its hook");
                self.fail(index, failure);
            }
        }
        self.settle(self.now);
        Ok(())
    }

    /// MX-WAIT-10a, MX-WAIT-10b.
    fn cancel(&mut self, label: &str) -> Result<(), PlatformError> {
        let thread = self.thread(label)?;
        if thread.cancelled {
            return Err(PlatformError::ThreadCancelled);
        }
        thread.cancelled = true;
        for index in 0..self.firings.len() {
            if self.firings[index].over || self.firings[index].thread != label {
                continue;
            }
            self.reached.insert("a cancel drops a wait");
            self.go_on(index, State::Cancelled);
            if self.readings.cancel_audit == CancelAudit::Deny {
                self.write(index, "deny");
            }
            self.end(index, Outcome::Cancelled {});
        }
        Ok(())
    }
}

/// A refusal, as something that is to be seen sometimes.
const fn told(error: PlatformError) -> &'static str {
    match error {
        PlatformError::UnknownWait => "refused: unknown_wait",
        PlatformError::AlreadyResolved => "refused: already_resolved",
        PlatformError::Expired => "refused: expired",
        PlatformError::Cancelled => "refused: cancelled",
        PlatformError::Conflict => "refused: conflict",
        PlatformError::NotAResult => "refused: not_a_result",
        PlatformError::ThreadCancelled => "refused: thread_cancelled",
        PlatformError::UnknownThread => "refused: unknown_thread",
        PlatformError::LabelTaken => "refused: label_taken",
        _ => "refused otherwise",
    }
}
