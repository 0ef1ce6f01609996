//! Small scripts of both dialects, and what is observed of them.

use std::collections::BTreeMap;

use hookproof_model::kernel::Millis;
use hookproof_model::reading::{Flip, Readings};
use hookproof_model::script::voiceos::{
    Answer, App, DictationEvent, Event, Fire, Frontmost, InputSource, Install, Observation, PostToolUseEvent,
    PreToolUseEvent, Receipt, Says, Script, SetLock, SetPolicy, Step, TranscriptAccess, TranscriptEvent,
    User,
};
use hookproof_model::script::{self, Transcript, matrices};
use hookproof_model::voiceos::EventKind;
use hookproof_model::{Dialect, run};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// The tool that calls concern, and who owns it.
pub(crate) const TOOL: &str = "delete_records";
pub(crate) const OWNER: &str = "com.owner.app";

/// An integration with these hooks and tools; it has a tool of its own as well.
pub(crate) fn integration(id: &str, hooks: &[(&str, Value)], tools: &[&str]) -> Step {
    let tools = tools.iter().chain(&["unused"]).map(|tool| json!({ "name": tool, "description": "does it" }));
    let manifest = json!({
        "schemaVersion": 1, "id": id, "version": "1.0.0", "name": "Product", "summary": "It listens.",
        "publisher": { "id": "acme", "name": "Acme" }, "runtime": { "kind": "local-mcp", "command": "run" },
        "permissions": [{ "kind": "transcript", "scope": "all" }], "tools": tools.collect::<Vec<_>>(),
        "hooks": hooks.iter().map(|(event, hook)| ((*event).to_owned(), hook.clone())).collect::<Value>(),
    });
    Step::Install(Install { manifest: manifest.to_string(), offers: None, tools: BTreeMap::new() })
}

pub(crate) fn access(integration: &str, on: bool) -> Step {
    Step::SetTranscriptAccess(TranscriptAccess { integration: integration.into(), on })
}

pub(crate) fn policy(policy: script::voiceos::Policy) -> Step {
    Step::SetPolicy(SetPolicy { integration: OWNER.into(), tool: TOOL.into(), policy })
}

pub(crate) fn lock(locked: bool) -> Step {
    Step::SetLock(SetLock { integration: OWNER.into(), tool: TOOL.into(), locked })
}

pub(crate) fn frontmost(bundle: Option<&str>) -> Step {
    let app = bundle.map(|bundle| App { bundle_id: Some(bundle.into()), name: None });
    Step::Frontmost(Frontmost { app })
}

pub(crate) fn transcript(text: &str) -> Event {
    Event::Transcript(TranscriptEvent {
        transcript: text.into(),
        source: InputSource::Voice,
        detected_language: None,
        audio_duration_ms: None,
        session_id: None,
    })
}

/// An event of this kind, about this text; a tool of [`OWNER`] if about a tool.
pub(crate) fn event(kind: EventKind, text: &str) -> Event {
    let (integration, tool_name) = (OWNER.to_owned(), TOOL.to_owned());
    match kind {
        EventKind::Transcript => transcript(text),
        EventKind::Dictation => Event::Dictation(DictationEvent {
            text: text.into(),
            raw_transcript: None,
            detected_language: None,
        }),
        EventKind::PreToolUse => {
            Event::PreToolUse(PreToolUseEvent { integration, tool_name, args: object(text) })
        }
        EventKind::PostToolUse => {
            let (args, result) = (object("args"), json!(text));
            Event::PostToolUse(PostToolUseEvent { integration, tool_name, args, result })
        }
        EventKind::TurnComplete => Event::TurnComplete(Receipt {
            session_id: None,
            transcript: text.into(),
            response_text: String::new(),
            tools: vec![],
        }),
    }
}

pub(crate) fn object(text: &str) -> Map<String, Value> {
    Map::from_iter([("note".to_owned(), json!(text))])
}

pub(crate) fn fire<const N: usize>(event: Event, answers: [(&str, Answer); N]) -> Step {
    let answers = answers.into_iter().map(|(hook, answer)| (hook.to_owned(), answer)).collect();
    Step::Fire(Fire { event, answers, user: User::Approve, meanwhile: vec![] })
}

pub(crate) fn says(after: u64, says: Says) -> Answer {
    Answer { after_ms: Millis(after), says }
}

/// What is observed of these steps on a fresh host, by the default readings.
pub(crate) fn observed(steps: Vec<Step>) -> Vec<Observation> {
    observed_by(&Readings::default(), steps)
}

pub(crate) fn observed_by(readings: &Readings, steps: Vec<Step>) -> Vec<Observation> {
    match run(&script::Script::Voiceos(Script { steps }), readings).expect("the readings go together") {
        Transcript::Voiceos(transcript) => transcript.steps,
        Transcript::Matrices(_) => unreachable!("the script was of VoiceOS"),
    }
}

/// The default readings, or one alternative in the place of one; but for these.
pub(crate) fn readings(dialect: Dialect, but_for: fn(&Flip) -> bool) -> impl Strategy<Value = Readings> {
    let flips: Vec<_> = Readings::default().flips(dialect).filter(|flip| !but_for(flip)).collect();
    proptest::option::weighted(0.7, select(flips))
        .prop_map(|flip| flip.map_or_else(Readings::default, |flip| Readings::default().flipped(flip)))
}

/// A text, the empty one included.
pub(crate) fn text() -> impl Strategy<Value = String> {
    select(vec!["", "hello", "pay 100", "\u{1d11e}"]).prop_map(str::to_owned)
}

// Matrices.

/// A `url` hook at this point.
pub(crate) fn url_hook(id: &str, point: &str) -> Value {
    json!({ "id": id, "point": point, "processor": { "kind": "url", "url": "https://hooks.acme.example/in" } })
}

pub(crate) fn tool_call(tool: &str) -> matrices::Event {
    matrices::Event::BeforeToolCall { tool: tool.into(), input: object("pay 100") }
}

pub(crate) fn create_profile(hooks: Option<&[Value]>) -> matrices::Step {
    let configuration = hooks.map_or_else(|| json!({}), |hooks| json!({ "hooks": hooks }));
    let text = json!({ "configuration": configuration }).to_string();
    matrices::Step::CreateProfile(matrices::ProfileText { profile: "profile".into(), text })
}

pub(crate) fn open_thread() -> matrices::Step {
    matrices::Step::OpenThread(matrices::OpenThread { thread: "thread".into(), profile: "profile".into() })
}

pub(crate) fn fire_at(event: matrices::Event, answers: BTreeMap<String, matrices::Answer>) -> matrices::Step {
    let (firing, thread) = ("firing".into(), "thread".into());
    matrices::Step::Fire(matrices::Fire { firing, thread, event, answers, meanwhile: vec![] })
}

pub(crate) fn audit() -> matrices::Step {
    matrices::Step::Audit(matrices::OfThread { thread: "thread".into() })
}

pub(crate) fn observed_at(readings: &Readings, steps: Vec<matrices::Step>) -> Vec<matrices::Observation> {
    let script = script::Script::Matrices(matrices::Script { catalogue: None, steps });
    match run(&script, readings).expect("the readings go together") {
        Transcript::Matrices(transcript) => transcript.steps,
        Transcript::Voiceos(_) => unreachable!("the script was of Matrices"),
    }
}

/// What is observed of a firing under a profile with this list, or with none; and of its audit.
pub(crate) fn fired<const N: usize>(
    hooks: Option<&[Value]>,
    event: matrices::Event,
    answers: [(&str, matrices::Answer); N],
) -> Happened {
    let answers = answers.into_iter().map(|(hook, answer)| (hook.to_owned(), answer)).collect();
    fired_by(&Readings::default(), hooks, event, answers)
}

/// A firing, where one came about, and the entries of the audit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Happened {
    pub fired: Option<matrices::Fired>,
    pub audit: Vec<matrices::AuditEntry>,
}

impl Happened {
    pub(crate) fn outcome(&self) -> Option<&matrices::Outcome> {
        self.fired.as_ref()?.outcome.as_ref()
    }
}

pub(crate) fn fired_by(
    readings: &Readings,
    hooks: Option<&[Value]>,
    event: matrices::Event,
    answers: BTreeMap<String, matrices::Answer>,
) -> Happened {
    let steps = vec![create_profile(hooks), open_thread(), fire_at(event, answers), audit()];
    let mut seen = observed_at(readings, steps);
    let audit = seen.pop().and_then(|step| step.audit).unwrap_or_default();
    Happened { fired: seen.pop().and_then(|step| step.fired), audit }
}
