//! The words of VoiceOS: what a step does, what a hook answers, what came of it.

use hookproof_model::kernel::Millis;
use hookproof_model::script::voiceos::{
    App, Card, Event, Install, Observation, Outcome, Policy, Says, Step, ToolStub, User,
};
use hookproof_model::voiceos::EventKind;
use serde_json::Value;

use crate::explain::words::{list, quoted, time, value};

/// The kind of an event, and the value that hooks rewrite.
pub(super) fn subject(event: &Event) -> (EventKind, Value) {
    match event {
        Event::Transcript(event) => (EventKind::Transcript, event.transcript.clone().into()),
        Event::Dictation(event) => (EventKind::Dictation, event.text.clone().into()),
        Event::PreToolUse(event) => (EventKind::PreToolUse, event.args.clone().into()),
        Event::PostToolUse(event) => (EventKind::PostToolUse, event.result.clone()),
        Event::TurnComplete(_) => (EventKind::TurnComplete, Value::Null),
    }
}

/// What a step does, as a phrase.
pub(super) fn does(step: &Step) -> String {
    match step {
        Step::Install(install) => format!("install {}", integration(install)),
        Step::Update(install) => format!("update {}", integration(install)),
        Step::Uninstall(of) => format!("uninstall {}", of.integration),
        Step::StripPermission(of) => format!("take the transcript permission from {}", of.integration),
        Step::SetTranscriptAccess(set) => {
            format!("switch transcript access of {} {}", set.integration, if set.on { "on" } else { "off" })
        }
        Step::SetPolicy(set) => {
            let policy = match set.policy {
                Policy::Unset => "unset",
                Policy::Ask => "ask",
                Policy::Never => "never ask",
            };
            format!("set the policy of {} of {} to {policy}", set.tool, set.integration)
        }
        Step::SetLock(set) => {
            let verb = if set.locked { "lock" } else { "unlock" };
            format!("{verb} {} of {}", set.tool, set.integration)
        }
        Step::Frontmost(frontmost) => match &frontmost.app {
            Some(app) => format!("bring {} to the front", named(app)),
            None => "let an unknown app be frontmost".to_owned(),
        },
        Step::AgentTools(_) => "let the agent list its tools".to_owned(),
        Step::AgentCall(call) => {
            let args = value(&Value::Object(call.args.clone()));
            format!("let the agent call {} of {} with {args}", call.tool, call.integration)
        }
        Step::Fire(fire) => format!("fire {}", event(&fire.event)),
        Step::BeginTurn(begin) => match &begin.session_id {
            Some(session) => format!("begin a turn in session {session}"),
            None => "begin a turn".to_owned(),
        },
        Step::EndTurn(end) => format!("end the turn with the response {}", quoted(&end.response_text)),
    }
}

/// An integration by what its manifest declares, whether or not the host takes it.
fn integration(install: &Install) -> String {
    let manifest: Value = serde_json::from_str(&install.manifest).unwrap_or_default();
    let id = manifest.get("id").and_then(Value::as_str).unwrap_or("a manifest without an id").to_owned();
    let hooks: Vec<_> = manifest
        .get("hooks")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(event, declared)| {
            let plain = declared.as_object().is_some_and(serde_json::Map::is_empty);
            if plain { event.clone() } else { format!("{event} {}", value(declared)) }
        })
        .collect();
    let with = match hooks.as_slice() {
        [] => " without hooks".to_owned(),
        hooks => format!(" with hooks {}", hooks.join(", ")),
    };
    let offers = install.offers.as_ref().map(|offers| match offers.as_slice() {
        [] => "; its server offers no hook tool".to_owned(),
        offers => format!("; its server offers the hook tools of {}", list(offers)),
    });
    let tools: String = install
        .tools
        .iter()
        .map(|(tool, stub)| match stub {
            ToolStub::Result(result) => format!("; {tool} gives {}", value(result)),
            ToolStub::Fails(result) => format!("; {tool} fails with {}", value(result)),
        })
        .collect();
    format!("{id}{with}{}{tools}", offers.unwrap_or_default())
}

fn named(app: &App) -> &str {
    app.bundle_id.as_deref().or(app.name.as_deref()).unwrap_or("an app without a name")
}

fn event(event: &Event) -> String {
    let (kind, subject) = subject(event);
    let name = kind.name();
    match event {
        Event::Transcript(event) => {
            let source = serde_json::to_value(event.source).unwrap_or_default();
            format!("{name} {} ({})", value(&subject), source.as_str().unwrap_or_default())
        }
        Event::Dictation(_) => format!("{name} {}", value(&subject)),
        Event::PreToolUse(event) => {
            format!("{name} for {} of {} with {}", event.tool_name, event.integration, value(&subject))
        }
        Event::PostToolUse(event) => {
            format!(
                "{name} for {} of {} with the result {}",
                event.tool_name,
                event.integration,
                value(&subject)
            )
        }
        Event::TurnComplete(receipt) => {
            format!("{name} with the receipt {}", value(&serde_json::to_value(receipt).unwrap_or_default()))
        }
    }
}

/// What a hook does, and after how long.
pub(super) fn says(says: &Says, after: Millis) -> String {
    let what = match says {
        Says::Result(result) => format!("it answers {}", value(result)),
        Says::Text(text) => format!("it answers with the text {}", quoted(text)),
        Says::Content(items) => {
            format!("it answers with the content {}", value(&Value::Array(items.clone())))
        }
        Says::CallResult(result) => {
            format!("it answers with the call's result {}", value(&result.clone().into()))
        }
        Says::ToolError(text) => format!("it answers with the tool error {}", quoted(text)),
        Says::Never => return "It never answers".to_owned(),
        Says::Disconnect => "its connection breaks".to_owned(),
        Says::Unregistered => "its server says that it has no such tool".to_owned(),
        Says::Mutates(result) => format!("it overwrites what it was handed and answers {}", value(result)),
    };
    if after == Millis::ZERO { format!("At once {what}") } else { format!("After {} {what}", time(after)) }
}

/// What a firing came to.
pub(super) fn outcome(kind: EventKind, outcome: &Outcome, ended: Millis) -> String {
    let what = match outcome {
        Outcome::WentOn { value: went, context } => {
            let context = match context.as_slice() {
                [] => String::new(),
                contexts => format!(", beside the context {}", value(&Value::from(contexts.to_vec()))),
            };
            let who =
                if kind == EventKind::PostToolUse { "the model reads" } else { "the agent goes on with" };
            format!("{who} {}{context}", value(went))
        }
        Outcome::Pasted { text } => format!("{} is pasted", quoted(text)),
        Outcome::Executed { args } => {
            format!("the tool runs with {}", value(&Value::Object(args.clone())))
        }
        Outcome::Blocked {} => match kind {
            EventKind::Dictation => "blocked, nothing is pasted",
            EventKind::PreToolUse => "blocked, the tool does not run",
            _ => "blocked, the agent does not run",
        }
        .to_owned(),
        Outcome::Handled {} => "handled, the agent does not run".to_owned(),
        Outcome::Consumed {} => "consumed by the hook, nothing is pasted".to_owned(),
        Outcome::Declined {} => "the user declined, the tool does not run".to_owned(),
        Outcome::NotRun {} => "nobody is there to confirm, the tool does not run".to_owned(),
        Outcome::Parked {} => "nobody is there to confirm, the call waits".to_owned(),
        Outcome::Sent {} => return "The receipt is sent, and nobody waits for an answer.".to_owned(),
    };
    format!("At {} the firing is over: {what}.", time(ended))
}

/// The cards that were shown, and what the user did.
pub(super) fn cards(cards: &[Card], user: &User) -> Vec<String> {
    let does = match user {
        User::Approve => "approves".to_owned(),
        User::Decline => "declines".to_owned(),
        User::Edit(args) => format!("edits it to {} and approves", value(&Value::Object(args.clone()))),
        User::Absent => "is not there".to_owned(),
    };
    let card = |card: &Card| {
        let args = value(&Value::Object(card.args.clone()));
        format!("A card asks the user to confirm {} with {args}; the user {does}.", card.tool)
    };
    cards.iter().map(card).collect()
}

/// What was observed of a step beside its firing.
pub(super) fn shown(step: &Step, observed: &Observation) -> Vec<String> {
    let mut shown = Vec::new();
    match (observed.accepted, &observed.hooks) {
        (Some(true), Some(hooks)) => {
            let hooks =
                if hooks.is_empty() { "no hooks".to_owned() } else { format!("the hooks {}", list(hooks)) };
            let callout =
                if observed.callout == Some(true) { "; the install sheet calls that out" } else { "" };
            shown.push(format!("The host takes it and loads {hooks}{callout}."));
        }
        (Some(true), None) => shown.push("The host takes it.".to_owned()),
        (Some(false), _) => {
            let faults: Vec<_> = observed
                .faults
                .iter()
                .map(|fault| {
                    let pointer = if fault.pointer.is_empty() { "/" } else { &fault.pointer };
                    format!("{pointer} ({})", fault.clause)
                })
                .collect();
            shown.push(format!("The host does not take it, because of {}.", list(&faults)));
        }
        (None, _) => {}
    }
    if let Some(error) = observed.error {
        let error = serde_json::to_value(error).unwrap_or_default();
        shown.push(format!("The host refuses: {}.", error.as_str().unwrap_or_default().replace('_', " ")));
    }
    if let Some(tools) = &observed.tools {
        let tools: Vec<_> =
            tools.iter().map(|tool| format!("{} of {}", tool.tool, tool.integration)).collect();
        shown.push(format!(
            "The agent can call {}.",
            if tools.is_empty() { "no tool".to_owned() } else { list(&tools) }
        ));
    }
    if let (Step::AgentCall(_), Some(contacted)) = (step, observed.contacted) {
        shown.push(format!("The tool's server was {}contacted.", if contacted { "" } else { "not " }));
    }
    if let Some(result) = &observed.model_sees {
        shown.push(format!("The model reads the result {}.", value(result)));
    }
    if let Some(notch) = &observed.user_sees {
        let text = notch.text.as_deref().map(quoted);
        let view = notch.view.as_ref().map(|view| format!("the view {}", value(view)));
        let seen: Vec<_> = text.into_iter().chain(view).collect();
        shown.push(format!("The user sees {}.", list(&seen)));
    }
    let logged: Vec<_> = observed
        .logged
        .iter()
        .map(|entry| {
            let failure = entry.failure.map(|failure| failure.to_string());
            let reason = entry.reason.as_deref().map(quoted);
            let what: Vec<_> = failure.into_iter().chain(reason).collect();
            format!("{}: {}", entry.hook, list(&what))
        })
        .collect();
    if !logged.is_empty() {
        shown.push(format!("Logged: {}.", logged.join("; ")));
    }
    shown
}
