//! Scripts as JSON, and what is observed of them.

use hookproof_model::reading::Readings;
use hookproof_model::run;
use hookproof_model::script::matrices::{AuditEntry, Fired, HookSeen, Observation, Outcome};
use hookproof_model::script::{Script, Transcript};
use serde_json::{Value, json};

/// The points, and of each: the event's member, and the member that rewrites it.
pub(crate) const POINTS: [(&str, &str, &str); 4] = [
    ("before_input", "text", "updatedText"),
    ("before_tool_call", "input", "updatedInput"),
    ("after_tool_call", "output", "updatedOutput"),
    ("after_output", "text", "updatedText"),
];

/// The member of an event at this point that hooks rewrite.
pub(crate) fn member_of(point: &str) -> &'static str {
    POINTS.iter().find(|(name, ..)| *name == point).unwrap().1
}

/// The member of an answer that rewrites it.
pub(crate) fn rewrite_of(point: &str) -> &'static str {
    POINTS.iter().find(|(name, ..)| *name == point).unwrap().2
}

/// The default readings but for these alternatives.
pub(crate) fn readings(chosen: &[(&str, &str)]) -> Readings {
    let mut readings = Readings::default();
    for (clause, alternative) in chosen {
        readings.matrices.set(clause, alternative).unwrap();
    }
    readings
}

/// Every way to choose one alternative of each of these clauses.
pub(crate) fn all_readings(
    open: &[(&'static str, &[&'static str])],
) -> Vec<Vec<(&'static str, &'static str)>> {
    let Some(((clause, alternatives), rest)) = open.split_first() else { return vec![vec![]] };
    let with = |alternative: &&'static str| {
        let chosen = (*clause, *alternative);
        all_readings(rest).into_iter().map(move |more| [vec![chosen], more].concat())
    };
    alternatives.iter().flat_map(with).collect()
}

pub(crate) fn observed(readings: &Readings, steps: Vec<Value>) -> Vec<Observation> {
    observed_with(readings, None, steps)
}

/// What is observed of these steps on a platform with this catalogue.
pub(crate) fn observed_with(
    readings: &Readings,
    catalogue: Option<&[Value]>,
    steps: Vec<Value>,
) -> Vec<Observation> {
    let mut script = json!({ "steps": steps });
    if let Some(catalogue) = catalogue {
        script["catalogue"] = catalogue.into();
    }
    let script: Script = serde_json::from_value(json!({ "matrices": script })).unwrap();
    match run(&script, readings).unwrap() {
        Transcript::Matrices(transcript) => transcript.steps,
        Transcript::Voiceos(_) => unreachable!("the script was of Matrices"),
    }
}

/// A processor of this kind, as a profile lists it.
pub(crate) fn processor(kind: &str) -> Value {
    match kind {
        "url" => json!({ "kind": "url", "url": "https://hooks.acme.example/in" }),
        "agent" => json!({ "kind": "agent", "agent": "reviewer" }),
        _ => json!({ "kind": "client" }),
    }
}

/// A hook with these further members.
pub(crate) fn hook(id: &str, point: &str, kind: &str, more: Value) -> Value {
    let mut hook = json!({ "id": id, "point": point, "processor": processor(kind) });
    hook.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    hook
}

/// The text of a profile with these hooks.
pub(crate) fn text(hooks: impl Into<Value>) -> String {
    json!({ "configuration": { "hooks": hooks.into() } }).to_string()
}

pub(crate) fn create(profile: &str, text: &str) -> Value {
    json!({ "create_profile": { "profile": profile, "text": text } })
}

pub(crate) fn update(profile: &str, text: &str) -> Value {
    json!({ "update_profile": { "profile": profile, "text": text } })
}

pub(crate) fn get(profile: &str) -> Value {
    json!({ "get_profile": { "profile": profile } })
}

pub(crate) fn add_default(hook: &Value) -> Value {
    json!({ "add_default": { "hook": hook } })
}

pub(crate) fn open(thread: &str, profile: &str) -> Value {
    json!({ "open_thread": { "thread": thread, "profile": profile } })
}

pub(crate) fn advance(by: u64) -> Value {
    json!({ "advance": { "by_ms": by } })
}

pub(crate) fn resolve(thread: &str, wait: &str, body: &str) -> Value {
    json!({ "resolve": { "thread": thread, "wait": wait, "body": body } })
}

pub(crate) fn trail(thread: &str) -> Value {
    json!({ "audit": { "thread": thread } })
}

pub(crate) fn waiting() -> Value {
    json!({ "waiting_threads": {} })
}

/// An event at this point, with the tool `tool` where it has one.
pub(crate) fn event(point: &str, tool: &str, value: &Value) -> Value {
    let member = member_of(point);
    let mut of = json!({});
    of[member] = value.clone();
    if point.ends_with("_tool_call") {
        of["tool"] = tool.into();
    }
    let mut event = json!({});
    event[point] = of;
    event
}

pub(crate) fn fire(firing: &str, thread: &str, event: &Value, answers: &Value) -> Value {
    json!({ "fire": { "firing": firing, "thread": thread, "event": event, "answers": answers } })
}

/// A value that an event at this point may have.
pub(crate) fn usual(point: &str) -> Value {
    match point {
        "before_tool_call" => json!({ "amount": 100 }),
        "after_tool_call" => json!([1, { "ok": true }]),
        _ => json!("said"),
    }
}

/// Another one, told apart by `n`.
pub(crate) fn other(point: &str, n: usize) -> Value {
    match point {
        "before_tool_call" => json!({ "rewritten": n }),
        "after_tool_call" => json!(n),
        _ => json!(format!("rewritten {n}")),
    }
}

/// What becomes of the work at this point where it is denied.
pub(crate) fn stopped(point: &str) -> Value {
    if point.starts_with("before") {
        json!({ "denied": {} })
    } else {
        json!({ "withheld": { "place": "error" } })
    }
}

pub(crate) fn went_on(value: &Value) -> Value {
    json!({ "went_on": { "value": value } })
}

pub(crate) fn outcome_json(outcome: &Outcome) -> Value {
    serde_json::to_value(outcome).unwrap()
}

/// The ids of a profile's hooks, in order.
pub(crate) fn ids(hooks: &[HookSeen]) -> Vec<&str> {
    hooks.iter().map(|hook| hook.id.as_str()).collect()
}

/// Of a firing and all that was seen of it later: one, with every call and how it ended.
pub(crate) fn whole(firing: &str, seen: &[Observation]) -> Fired {
    let mut whole = Fired::default();
    let resumed = seen.iter().flat_map(|step| step.resumed.iter().filter(|of| of.firing == firing));
    let first = seen.iter().find_map(|step| step.fired.as_ref());
    for fired in first.into_iter().chain(resumed.map(|resumed| &resumed.fired)) {
        whole.calls.extend(fired.calls.iter().cloned());
        whole.agent_runs.extend(fired.agent_runs.iter().cloned());
        whole.ended_ms = whole.ended_ms.or(fired.ended_ms);
        whole.outcome = whole.outcome.or_else(|| fired.outcome.clone());
        whole.parked.clone_from(&fired.parked);
    }
    whole
}

/// An audit entry in short: whose, what it decided, and how it failed.
pub(crate) fn short(entry: &AuditEntry) -> (&str, &str, Option<String>) {
    let failure = entry.failure.map(|failure| serde_json::to_value(failure).unwrap());
    let failure = failure.map(|failure| failure.as_str().unwrap().to_owned());
    (&entry.hook_id, &entry.decision, failure)
}

/// Each point with each policy.
pub(crate) fn policies() -> Vec<(&'static str, &'static str)> {
    let both = |(point, ..): (&'static str, &str, &str)| [(point, "fail_closed"), (point, "fail_open")];
    POINTS.into_iter().flat_map(both).collect()
}
