//! The faults that can be planted in the parcel tracker, by name, and where each has its effect.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hookproof_model::voiceos::EventKind::{
    self, Dictation, PostToolUse, PreToolUse, Transcript, TurnComplete,
};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use super::server::{State, success, tool};

/// What a hook does in place of an answer.
pub(super) enum Instead {
    Throws(&'static str),
    ProtocolError,
    Silence,
    Exit,
}

/// Before anything else is done with a call.
pub(super) fn on_arguments(
    fault: &str,
    event: EventKind,
    arguments: &JsonObject,
    state: &State,
) -> Result<(), Instead> {
    let payload = arguments.get("payload_json");
    let text = payload.and_then(Value::as_str);
    let read = text.and_then(|text| serde_json::from_str::<Value>(text).ok());
    let is_met = match fault {
        "crash-on-malformed" => text.is_some() && read.is_none(),
        "crash-on-no-object" => read.is_some_and(|read| !read.is_object()),
        "crash-on-missing" => payload.is_none(),
        "crash-on-no-string" => payload.is_some_and(|payload| !payload.is_string()),
        "crash-on-another-event" => {
            read.and_then(|read| read.get("event").cloned()).is_some_and(|other| other != event.name())
        }
        "crash-on-surrogate" => text.is_some_and(|text| text.contains("\\ud800")),
        "breaks-for-good" => {
            if payload.is_none() {
                state.is_broken.store(true, Ordering::Relaxed);
            }
            return match state.is_broken.load(Ordering::Relaxed) {
                true => Err(Instead::Throws("out of order")),
                false => Ok(()),
            };
        }
        _ => false,
    };
    if is_met { Err(Instead::Exit) } else { Ok(()) }
}

/// What is answered to what is no payload.
pub(super) fn on_malformed(fault: &str) -> &'static str {
    if fault == "decides-on-malformed" { r#"{"updatedText":"Pardon?"}"# } else { "{}" }
}

/// Before a hook looks at a payload.
pub(super) async fn on_payload(
    fault: &str,
    event: EventKind,
    payload: &Map<String, Value>,
    state: &State,
) -> Result<(), Instead> {
    let whole = || Value::Object(payload.clone()).to_string();
    let throws = |is_met: bool, why| if is_met { Err(Instead::Throws(why)) } else { Ok(()) };
    match fault {
        "throws" => return Err(Instead::Throws("the parcel tracker is closed")),
        "protocol-error" => return Err(Instead::ProtocolError),
        "chokes-on-own" if whole().contains("the moon") => return Err(Instead::ProtocolError),
        "strict-payload" => {
            let known = ["hookApiVersion", "event"].iter().chain(members(event)).copied();
            let is_known = |name: &String| known.clone().any(|known| known == name);
            return throws(!payload.keys().all(is_known), "an unknown member");
        }
        "needs-optional" => {
            let app = match event {
                Transcript | PreToolUse => "frontmostApp",
                Dictation => "targetApp",
                PostToolUse | TurnComplete => return Ok(()),
            };
            return throws(!payload.contains_key(app), "there is no app");
        }
        "no-sessions" => return throws(payload.contains_key("sessionId"), "a session"),
        "ascii-only" => return throws(!whole().is_ascii(), "not ASCII"),
        "no-control-characters" => return throws(whole().contains("\\u0000"), "a control character"),
        "size-limit" => return throws(whole().len() > 768 << 10, "too large"),
        "shallow" => return throws(whole().contains("}}}}}}}}}}}}}}}}}}}}"), "too deep"),
        "slow" if event == Dictation => sleep(budget(event) + Duration::from_millis(120)).await,
        "half-slow" if event == Dictation => sleep(budget(event) * 3 / 5).await,
        "slow-together" if event == Dictation => {
            let _turn = state.queue.lock().await;
            sleep(Duration::from_millis(30)).await;
        }
        "drops-some-at-once" if event == Dictation => {
            let others = state.under_way.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(20)).await;
            state.under_way.fetch_sub(1, Ordering::Relaxed);
            if others > 3 {
                return Err(Instead::Silence);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The members that a payload of an event has in this version of the contract.
const fn members(event: EventKind) -> &'static [&'static str] {
    match event {
        Transcript => {
            &["transcript", "source", "detectedLanguage", "audioDurationMs", "sessionId", "frontmostApp"]
        }
        Dictation => &["text", "rawTranscript", "detectedLanguage", "targetApp"],
        PreToolUse => &["toolName", "args", "frontmostApp"],
        PostToolUse => &["toolName", "args", "result"],
        TurnComplete => &["sessionId", "transcript", "responseText", "tools"],
    }
}

fn budget(event: EventKind) -> Duration {
    Duration::from_millis(event.budget().map_or(0, |budget| budget.0))
}

/// Changes what a hook answers.
pub(super) fn answer(
    fault: &str,
    event: EventKind,
    payload: &Map<String, Value>,
    mut answer: Value,
) -> Value {
    let Some(members) = answer.as_object_mut() else { return answer };
    let decision = members.get("decision").and_then(Value::as_str).unwrap_or_default().to_owned();
    let has = |members: &Map<String, Value>, name: &str| members.contains_key(name);
    match fault {
        "confirm-string" if has(members, "requireConfirmation") => {
            members.insert("requireConfirmation".to_owned(), json!("true"));
        }
        "misspelt-member" => {
            for (name, misspelt) in [("updatedText", "updated_text"), ("updatedArgs", "updated_args")] {
                if let Some(value) = members.remove(name) {
                    members.insert(misspelt.to_owned(), value);
                }
            }
        }
        "foreign-member" if matches!(event, PreToolUse | TurnComplete) => {
            members.insert("updatedText".to_owned(), json!("Noted."));
        }
        "unknown-decision" if decision == "block" => {
            members.insert("decision".to_owned(), json!("deny"));
        }
        "blocks-afterwards" if event == PostToolUse => {
            members.insert("decision".to_owned(), json!("block"));
        }
        "handled-without-text" if decision == "handled" => {
            members.remove("responseText");
        }
        "block-without-text" if decision == "block" => {
            members.remove("responseText");
        }
        "idle-rewrite" if decision == "handled" => {
            members.insert("updatedText".to_owned(), json!("Collected."));
        }
        "long-context" if has(members, "additionalContext") => {
            members.insert("additionalContext".to_owned(), json!("é".repeat(2500)));
        }
        "partial-args" if has(members, "updatedArgs") => {
            members.insert("updatedArgs".to_owned(), json!({ "service": "standard" }));
        }
        "null-rewrite" if event == Dictation && decision.is_empty() => {
            members.insert("updatedText".to_owned(), Value::Null);
        }
        "wrong-type" if has(members, "updatedText") => {
            members.insert("updatedText".to_owned(), json!({ "text": payload.get("text") }));
        }
        "random-answers" => {
            static CALLS: AtomicUsize = AtomicUsize::new(0);
            members.insert("reason".to_owned(), json!(CALLS.fetch_add(1, Ordering::Relaxed).to_string()));
        }
        "big-answer" => {
            members.insert("reason".to_owned(), json!("parcel ".repeat(160_000)));
        }
        _ => {}
    }
    answer
}

/// What calls that are under way at once do to each other.
pub(super) async fn among_others(fault: &str, answer: Value, state: &State) -> Value {
    if fault != "swapped-answers" {
        return answer;
    }
    *state.latest.lock().await = Some(answer.clone());
    sleep(Duration::from_millis(20)).await;
    state.latest.lock().await.clone().unwrap_or(answer)
}

/// The result of a call.
pub(super) fn result(fault: &str, answer: &Value) -> CallToolResult {
    let text = answer.to_string();
    let with_reason = |reason: &str| {
        let rest = text.trim_start_matches('{');
        let comma = if rest == "}" { "" } else { "," };
        success(format!("{{{reason}{comma}{rest}"))
    };
    match fault {
        "not-json" => success("ok"),
        "null-answer" if text == "{}" => success("null"),
        "two-texts" => {
            CallToolResult::success(vec![ContentBlock::text(text), ContentBlock::text("Parcels.")])
        }
        "duplicate-member" => with_reason(r#""reason":"a","reason":"b""#),
        "lone-surrogate" => with_reason(r#""reason":"\ud800""#),
        "structured" => {
            let mut result = success("{}");
            result.structured_content = Some(answer.clone());
            result
        }
        _ => success(text),
    }
}

/// Changes what is listed.
pub(super) fn tools(fault: &str, mut tools: Vec<Tool>) -> Vec<Tool> {
    let payload = || json!({ "payload_json": { "type": "string" } });
    match fault {
        "missing-hook" => tools.retain(|tool| tool.name != PostToolUse.tool()),
        "misnamed-hook" => {
            tools.retain(|tool| tool.name != PreToolUse.tool());
            tools.push(tool("voiceos_hook_preToolUse", "Misnamed.", payload(), &["payload_json"]));
        }
        "no-hooks" => tools.retain(|tool| !tool.name.starts_with("voiceos_hook_")),
        "lost-tool" => tools.retain(|tool| tool.name != "track_parcel"),
        "listed-twice" => tools.extend(tools.last().cloned()),
        "optional-argument" => {
            tools.pop();
            tools.push(tool(TurnComplete.tool(), "Optional.", payload(), &[]));
        }
        "two-arguments" => {
            tools.pop();
            let both = json!({ "payload_json": { "type": "string" }, "version": { "type": "string" } });
            tools.push(tool(TurnComplete.tool(), "Two.", both, &["payload_json", "version"]));
        }
        _ => {}
    }
    tools
}

/// What is done before the server starts.
pub(super) fn at_start(fault: &str) {
    match fault {
        "stdout-banner" => println!("parcel tracker 1.0.0"),
        "leaves-a-child" => {
            // In a session of its own, so that ending the server's process group does not reach it.
            let null = std::process::Stdio::null;
            let mut sleep = std::process::Command::new("setsid");
            drop(sleep.args(["sleep", "61"]).stdin(null()).stdout(null()).stderr(null()).spawn());
        }
        "ignores-sigterm" => {
            let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).unwrap();
            Box::leak(Box::new(signal));
        }
        _ => {}
    }
}

/// What is done once the input has ended.
pub(super) async fn at_end(fault: &str) {
    match fault {
        "stays-after-stdin" => std::future::pending().await,
        "exit-code" => std::process::exit(3),
        _ => {}
    }
}
