//! A witness: rules that apply those of another and note what came of each application.
//!
//! A transcript tells what can be observed from outside. What went on between two observations
//! (until when a hook had time, what a rewrite made of the value, whose decision stood) is told by
//! the model's own rules while they run, so that nothing here says a rule a second time.

use std::cell::{Cell, RefCell};

use hookproof_model::Fault;
use hookproof_model::kernel::{
    self, Admission, Answer, Clock, Decision, Failure, FailurePolicy, Guard, Millis, Reply, Ruling, Scene,
    Terms, Visit,
};
use hookproof_model::matrices::audit::Evaluated;
use hookproof_model::matrices::defaults::Installed;
use hookproof_model::matrices::matching::Happening;
use hookproof_model::matrices::profile::{Given, Processor, ProfileHook};
use hookproof_model::matrices::wait::WaitState;
use hookproof_model::matrices::{self, Point};
use hookproof_model::reading::shared::{Boundary, Contexts, Dispatch, Exhaustion, RewriteMode, Sight};
use hookproof_model::reading::{MatricesReadings, VoiceosReadings};
use hookproof_model::script::matrices::{AuditEntry, PlatformError, Wait};
use hookproof_model::script::voiceos::{App, Event, ToolStatus, User};
use hookproof_model::script::{matrices as mx, voiceos as vo};
use hookproof_model::voiceos::confirmation::Demand;
use hookproof_model::voiceos::loading::Standing;
use hookproof_model::voiceos::manifest::{Declared, Manifest};
use hookproof_model::voiceos::{self, EventKind};
use serde_json::{Map, Value};

use crate::mutant::AnyRules;

/// One thing that a rule said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// An integration has a hook for the event, and this is whether the event concerns it.
    Concerns { kind: EventKind, integration: String, yes: bool },
    /// Whether its list of apps lets the hook fire.
    Fires { apps: Vec<String>, frontmost: Option<String>, yes: bool },
    /// A hook is asked, and has until then.
    Asked { at: Millis, until: Millis },
    /// Nobody is asked any more, since no time is left.
    NothingLeft { at: Millis },
    /// The work is parked, until then.
    Parked { until: Millis },
    /// A hook's turn came: what it decided or failed with, what its rewrite made of the value, and
    /// the ruling before and after it.
    Folded(Folded),
    /// The budget was exhausted, and this is whether the answers in time stand.
    Keeps(bool),
}

/// What a hook's turn came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Folded {
    pub(super) decision: Decision,
    pub(super) failure: Option<Failure>,
    /// The value before its rewrite and after it.
    pub(super) composed: Option<(Value, Value)>,
    pub(super) standing: Ruling,
    pub(super) chosen: Ruling,
}

impl Folded {
    /// Whether its decision is the one that stands now.
    pub(super) fn wins(&self) -> bool {
        self.chosen != self.standing
    }
}

/// Rules with a memory.
pub(super) struct Witness<'r> {
    rules: &'r AnyRules,
    said: RefCell<Vec<Said>>,
    /// The turn that is being folded.
    under_way: RefCell<Option<Folded>>,
    /// The moment at which a hook may be about to be asked.
    asking: Cell<Option<Millis>>,
}

impl<'r> Witness<'r> {
    pub(super) fn of(rules: &'r AnyRules) -> Self {
        Self { rules, said: RefCell::default(), under_way: RefCell::default(), asking: Cell::default() }
    }

    /// What was said since this was last asked.
    pub(super) fn take(&self) -> Vec<Said> {
        self.said.take()
    }

    fn note(&self, said: Said) {
        self.said.borrow_mut().push(said);
    }

    /// Starts what a hook's turn comes to; the ruling completes it.
    fn turn(&self, decision: Decision, failure: Option<Failure>) {
        let (standing, chosen) = (Ruling::default(), Ruling::default());
        let turn = Folded { decision, failure, composed: None, standing, chosen };
        self.under_way.replace(Some(turn));
    }
}

/// Rules that the witness applies without a note.
macro_rules! forward {
    ($seam:path: $(fn $rule:ident(&self $(, $given:ident: $of:ty)*) -> $out:ty;)+) => {$(
        fn $rule(&self $(, $given: $of)*) -> $out {
            <AnyRules as $seam>::$rule(self.rules $(, $given)*)
        }
    )+};
}

impl kernel::Rules for Witness<'_> {
    forward! { kernel::Rules:
        fn takes_effect(&self, at: Millis) -> Millis;
        fn may_ask(&self, dispatch: Dispatch, outstanding: usize) -> bool;
        fn admits(&self, terms: &Terms, guard: &Guard, scene: Scene<'_>) -> Admission;
        fn in_time(&self, boundary: Boundary, at: Millis, until: Millis) -> bool;
        fn undecided(&self) -> Decision;
        fn asks_again(&self, terms: &Terms, failure: Failure, already_again: bool) -> bool;
        fn settled(&self, terms: &Terms, standing: Ruling) -> bool;
        fn stand(&self, decision: Decision) -> bool;
        fn rewrote(&self, before: &Value, after: &Value) -> bool;
        fn confirm(&self, standing: bool, asks: bool) -> bool;
        fn add_context(&self, mode: Contexts, contexts: &mut Vec<String>, next: &str) -> ();
    }

    fn sees<'v>(&self, sight: Sight, original: &'v Value, composed: &'v Value) -> &'v Value {
        self.rules.sees(sight, original, composed)
    }

    fn left(&self, clock: Clock, now: Millis) -> Millis {
        self.asking.set(Some(now));
        self.rules.left(clock, now)
    }

    fn worth_asking(&self, terms: &Terms, left: Millis, ran_out: bool) -> bool {
        let worth = self.rules.worth_asking(terms, left, ran_out);
        if let Some(at) = self.asking.get().filter(|_| !worth) {
            self.asking.take();
            self.note(Said::NothingLeft { at });
        }
        worth
    }

    fn deadline(&self, clock: Clock, left: Millis, now: Millis, own: Millis) -> Millis {
        let until = self.rules.deadline(clock, left, now, own);
        self.note(match self.asking.take() {
            Some(at) => Said::Asked { at, until },
            None => Said::Parked { until },
        });
        until
    }

    fn keeps(&self, exhaustion: Exhaustion) -> bool {
        let keeps = self.rules.keeps(exhaustion);
        self.note(Said::Keeps(keeps));
        keeps
    }

    fn on_failure(&self, policy: FailurePolicy, failure: Failure) -> Decision {
        let decision = self.rules.on_failure(policy, failure);
        self.turn(decision, Some(failure));
        decision
    }

    fn choose(&self, terms: &Terms, standing: Ruling, next: Ruling) -> Ruling {
        let chosen = self.rules.choose(terms, standing, next);
        if let Some(turn) = self.under_way.take() {
            self.note(Said::Folded(Folded { standing, chosen, ..turn }));
        }
        chosen
    }

    fn applies(&self, terms: &Terms, decision: Decision, rewritten: bool) -> bool {
        self.turn(decision, None);
        self.rules.applies(terms, decision, rewritten)
    }

    fn compose(&self, mode: RewriteMode, before: &Value, rewrite: Value) -> Value {
        let composed = self.rules.compose(mode, before, rewrite);
        if let Some(turn) = self.under_way.borrow_mut().as_mut() {
            turn.composed = Some((before.clone(), composed.clone()));
        }
        composed
    }
}

impl voiceos::Rules for Witness<'_> {
    fn concerns(&self, event: &Event, integration: &str) -> bool {
        let yes = voiceos::Rules::concerns(self.rules, event, integration);
        let kind = EventKind::of(event);
        self.note(Said::Concerns { kind, integration: integration.to_owned(), yes });
        yes
    }

    fn fires(&self, readings: &VoiceosReadings, declared: &Declared, frontmost: Option<&App>) -> bool {
        let yes = self.rules.fires(readings, declared, frontmost);
        let apps = declared.apps.clone().unwrap_or_default();
        let frontmost = frontmost.and_then(|app| app.bundle_id.clone().or_else(|| app.name.clone()));
        self.note(Said::Fires { apps, frontmost, yes });
        yes
    }

    forward! { voiceos::Rules:
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>>;
        fn calls_out(&self, manifest: &Manifest) -> bool;
        fn loads(&self, standing: Standing) -> bool;
        fn is_callable(&self, standing: Standing) -> bool;
        fn is_heard(&self, standing: Standing) -> bool;
        fn access(&self, before: bool, set: bool) -> bool;
        fn keeps_decisions(&self) -> bool;
        fn heard_as(&self, kind: EventKind) -> EventKind;
        fn visible(&self, tool: &str) -> bool;
        fn budget(&self, kind: EventKind, spent_before: Millis) -> Option<Millis>;
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value;
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &vo::Says) -> Option<Reply>;
        fn asks(&self, readings: &VoiceosReadings, demand: Demand) -> bool;
        fn shows(&self, called: &Map<String, Value>, rewritten: &Map<String, Value>) -> Map<String, Value>;
        fn decided(&self, readings: &VoiceosReadings, user: &User, shown: Map<String, Value>) -> vo::Outcome;
        fn runs_with(
            &self, called: &Map<String, Value>, outcome: Option<&vo::Outcome>
        ) -> Option<Map<String, Value>>;
        fn is_followed_up(&self, readings: &VoiceosReadings, ran: Option<ToolStatus>) -> bool;
        fn reads(&self, result: Value, outcome: Option<vo::Outcome>) -> Value;
    }
}

impl matrices::Rules for Witness<'_> {
    forward! { matrices::Rules:
        fn profile(
            &self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str
        ) -> Result<Given, Vec<Fault>>;
        fn rejected(&self, before: &Installed) -> Installed;
        fn update(
            &self, readings: &MatricesReadings, catalogue: &[ProfileHook], before: &Installed, given: Given
        ) -> Installed;
        fn matches(&self, readings: &MatricesReadings, pattern: &str, name: &str) -> bool;
        fn concerns(&self, readings: &MatricesReadings, hook: &ProfileHook, happening: Happening<'_>) -> bool;
        fn is_delivered(&self, processor: &Processor) -> bool;
        fn hook_input(
            &self, frame: &Map<String, Value>, point: Point, hook: &str, delivery: &str, sees: Value
        ) -> Value;
        fn outcome(
            &self, readings: &MatricesReadings, point: Point, decision: Decision, value: Value
        ) -> mx::Outcome;
        fn pending(&self, waits: Vec<(Wait, WaitState)>) -> Vec<Wait>;
        fn is_of(&self, thread: &str, named: &str) -> bool;
        fn calls_off(&self) -> bool;
        fn entry(
            &self, readings: &MatricesReadings, point: Point, of: Evaluated<'_>, visit: &Visit
        ) -> AuditEntry;
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &mx::Says) -> Option<Reply>;
        fn resolution(&self, readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure>;
        fn unresolvable(&self, readings: &MatricesReadings, state: WaitState) -> Option<PlatformError>;
        fn install(
            &self, readings: &MatricesReadings, catalogue: &[ProfileHook], given: Given
        ) -> Installed;
        fn reach(
            &self, readings: &MatricesReadings, catalogue: &[ProfileHook], profile: &mut Installed,
            default: &ProfileHook
        ) -> ();
    }
}
