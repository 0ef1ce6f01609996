//! The words of Matrices: what a step does, what a processor answers, what came of it.

use hookproof_model::kernel::Millis;
use hookproof_model::script::matrices::{
    AuditEntry, Event, HookSeen, Observation, Outcome, Place, Says, Step,
};
use serde_json::Value;

use crate::explain::words::{list, quoted, time, value};

/// What a step does, as a phrase.
pub(super) fn does(step: &Step) -> String {
    match step {
        Step::CreateProfile(profile) => format!("create profile {} {}", profile.profile, text(&profile.text)),
        Step::UpdateProfile(profile) => format!("update profile {} {}", profile.profile, text(&profile.text)),
        Step::GetProfile(of) => format!("read profile {}", of.profile),
        Step::AddDefault(add) => format!("introduce the default hook {}", hook(&add.hook)),
        Step::OpenThread(open) => format!("open thread {} under profile {}", open.thread, open.profile),
        Step::CancelThread(of) => format!("cancel thread {}", of.thread),
        Step::Advance(advance) => format!("let {} pass", time(advance.by_ms)),
        Step::WaitingThreads(_) => "list the threads that wait".to_owned(),
        Step::Resolve(resolve) => {
            format!("resolve {} in thread {} with {}", resolve.wait, resolve.thread, body(&resolve.body))
        }
        Step::Audit(of) => format!("read the audit trail of thread {}", of.thread),
        Step::Fire(fire) => format!("fire {} in thread {}: {}", fire.firing, fire.thread, event(&fire.event)),
    }
}

/// A profile's text by what it says of hooks.
fn text(text: &str) -> String {
    let profile: Value = serde_json::from_str(text).unwrap_or_default();
    let configuration = profile.get("configuration");
    match configuration.and_then(|configuration| configuration.get("hooks")) {
        _ if !profile.is_object() => format!("from {}", quoted(text)),
        None => "without hooks".to_owned(),
        Some(Value::Array(hooks)) if hooks.is_empty() => "with an empty list of hooks".to_owned(),
        Some(Value::Array(hooks)) => {
            let hooks: Vec<_> = hooks.iter().map(hook).collect();
            format!("with hooks {}", hooks.join("; "))
        }
        Some(other) => format!("with hooks {}", value(other)),
    }
}

/// A hook of a profile's text, by what it says beside the usual.
fn hook(hook: &Value) -> String {
    let Value::Object(members) = hook else { return value(hook) };
    let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or("?");
    let kind = members.get("processor").and_then(|processor| processor.get("kind")).and_then(Value::as_str);
    let mut words = format!("{} ({} at {}", text("id"), kind.unwrap_or("?"), text("point"));
    for (name, member) in members {
        if !matches!(name.as_str(), "id" | "point" | "processor") {
            words.push_str(&format!(", {name} {}", value(member)));
        }
    }
    words.push(')');
    words
}

/// The body of a request, without quotation marks where it is JSON.
pub(super) fn body(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(body) if body.is_object() => value(&body),
        _ => quoted(text),
    }
}

fn event(event: &Event) -> String {
    match event {
        Event::BeforeInput { text } => format!("before_input {}", quoted(text)),
        Event::BeforeToolCall { tool, input } => {
            format!("before_tool_call of {tool} with {}", value(&Value::Object(input.clone())))
        }
        Event::AfterToolCall { tool, output } => {
            format!("after_tool_call of {tool} with the output {}", value(output))
        }
        Event::AfterOutput { text } => format!("after_output {}", quoted(text)),
    }
}

/// What a processor does, and after how long.
pub(super) fn says(says: &Says, after: Millis) -> String {
    let what = match says {
        Says::Result(result) => format!("it answers {}", value(result)),
        Says::Body(body) => format!("it answers with the body {}", quoted(body)),
        Says::BytesB64(bytes) => format!("it answers with the bytes {} (base64)", quoted(bytes)),
        Says::Status(status) => format!("it answers with status {status} and no body"),
        Says::Redirect(url) => format!("it redirects to {}", quoted(url)),
        Says::Never => return "It never answers".to_owned(),
        Says::Refused => "the connection is refused".to_owned(),
        Says::Reset => "the connection breaks".to_owned(),
        Says::Pending => "it answers 202, to be answered later".to_owned(),
        Says::AgentRun(_) => "its own run is over, and it defers".to_owned(),
    };
    if after == Millis::ZERO { format!("At once {what}") } else { format!("After {} {what}", time(after)) }
}

/// What a firing came to.
pub(super) fn outcome(outcome: &Outcome, ended: Millis) -> String {
    let what = match outcome {
        Outcome::WentOn { value: went } => format!("the work goes on with {}", value(went)),
        Outcome::Denied {} => "denied, the work does not happen".to_owned(),
        Outcome::Withheld { place } => match place {
            Place::Error => "withheld, an error stands in the output's place",
            Place::Null => "withheld, null stands in the output's place",
            Place::Absent => "withheld, nothing stands in the output's place",
        }
        .to_owned(),
        Outcome::Cancelled {} => "cancelled with its thread, the work does not happen".to_owned(),
    };
    format!("At {} the firing is over: {what}.", time(ended))
}

/// What was observed of a step beside its firings.
pub(super) fn shown(observed: &Observation) -> Vec<String> {
    let mut shown = Vec::new();
    let hooks = |hooks: &[HookSeen]| {
        let hook = |hook: &HookSeen| {
            let HookSeen { id, point, processor, on_failure, .. } = hook;
            let wait = match processor.as_str() {
                "client" => format!(", waits {}", time(hook.async_timeout_ms)),
                _ => String::new(),
            };
            format!("{id} ({processor} at {point}, {on_failure}{wait})")
        };
        match hooks {
            [] => "no hooks".to_owned(),
            hooks => format!("the hooks {}", list(&hooks.iter().map(hook).collect::<Vec<_>>())),
        }
    };
    match (observed.accepted, &observed.hooks) {
        (Some(true), Some(given)) => {
            shown.push(format!("The platform takes it; the profile has {} now.", hooks(given)));
        }
        (Some(true), None) => shown.push("The platform takes it.".to_owned()),
        (Some(false), _) => {
            let fault = |fault: &hookproof_model::script::matrices::FaultSeen| {
                let pointer = if fault.pointer.is_empty() { "/" } else { &fault.pointer };
                format!("{pointer} ({})", fault.clause)
            };
            let faults: Vec<_> = observed.faults.iter().map(fault).collect();
            shown.push(format!("The platform does not take it, because of {}.", list(&faults)));
        }
        (None, Some(given)) => shown.push(format!("The profile has {}.", hooks(given))),
        (None, None) => {}
    }
    if let Some(error) = observed.error {
        let error = serde_json::to_value(error).unwrap_or_default();
        shown
            .push(format!("The platform refuses: {}.", error.as_str().unwrap_or_default().replace('_', " ")));
    }
    if let Some(threads) = &observed.threads {
        let threads: Vec<_> = threads
            .iter()
            .map(|(thread, waits)| {
                let waits: Vec<_> = waits.iter().map(|wait| wait.wait.as_str()).collect();
                format!("{thread} on {}", list(&waits))
            })
            .collect();
        shown.push(if threads.is_empty() {
            "No thread waits.".to_owned()
        } else {
            format!("Waiting: {}.", threads.join("; "))
        });
    }
    if let Some(audit) = &observed.audit {
        shown.push(if audit.is_empty() {
            "It has no entries.".to_owned()
        } else {
            "Its entries:".to_owned()
        });
        shown.extend(audit.iter().map(|entry| format!("  {}", audited(entry))));
    }
    shown
}

fn audited(entry: &AuditEntry) -> String {
    let mut words = format!(
        "{}. {} ({} at {}): {} after {}",
        entry.index,
        entry.hook_id,
        entry.processor,
        entry.point,
        entry.decision,
        time(entry.latency_ms)
    );
    words.extend(entry.failure.map(|failure| format!(", failure {failure}")));
    words.extend(entry.rewrote.map(|rewrote| if rewrote { ", rewrote" } else { ", rewrote nothing" }));
    words.extend(entry.reason.as_ref().map(|reason| format!(", reason {}", quoted(reason))));
    words.extend(entry.delivery_id.as_ref().map(|id| format!(", {id}")));
    words
}
