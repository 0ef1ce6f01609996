//! A tool call: the card, the tool and what the model reads. The clauses VO-CONF and VO-HIDE-2.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::firing::{Fired, fired};
use super::host::{Host, Installed, decided_about, find};
use super::kind::RESERVED;
use super::{Course, told_of, turn};
use crate::kernel::Decision;
use crate::reading::voiceos::{AskingOff, FailedTool, HiddenTool, NobodyThere, PostArgs, ReceiptStopped};
use crate::script::voiceos::{
    AgentCall, Answer, Card, Event, HostError, Observation, Outcome, Policy, PostToolUseEvent,
    PreToolUseEvent, ToolStatus, ToolStub, User,
};

/// Whether the tool that an event is about is there.
pub(super) fn refused(host: &Host, event: &Event) -> Option<HostError> {
    match event {
        Event::PreToolUse(event) => tool(host, &event.integration, &event.tool_name).err(),
        Event::PostToolUse(event) => tool(host, &event.integration, &event.tool_name).err(),
        Event::Transcript(_) | Event::Dictation(_) | Event::TurnComplete(_) => None,
    }
}

/// The integration whose tool this is.
fn tool<'a>(host: &'a Host, integration: &str, tool: &str) -> Result<&'a Installed, HostError> {
    let number = find(host, integration)?;
    let found = host.installed.iter().find(|it| it.number == number);
    found.filter(|it| it.manifest.tools.iter().any(|name| name == tool)).ok_or(HostError::UnknownTool)
}

/// What comes of a call once its preToolUse has fired.
pub(super) fn decided(course: &Course, fired: Fired, event: &PreToolUseEvent, user: &User) -> Observation {
    let args = arguments(&fired.value);
    let blocked = fired.told.outcome.decision == Decision::Deny;
    let asks = !blocked && asks(course, &fired, event);
    // VO-CONF-6: it shows the arguments as rewritten.
    let card = Card { tool: event.tool_name.clone(), args: args.clone() };
    let (outcome, shown) = match user {
        // VO-FOLD-6, VO-CONF-5.
        _ if blocked => (Outcome::Blocked {}, false),
        _ if !asks => (Outcome::Executed { args }, false),
        User::Approve => (Outcome::Executed { args }, true),
        // VO-CONF-6.
        User::Edit(edited) => (Outcome::Executed { args: edited.clone() }, true),
        // VO-CONF-7a.
        User::Decline => (Outcome::Declined {}, true),
        // VO-CONF-8.
        User::Absent => match course.begins.readings.nobody_there {
            NobodyThere::DoesNotRun => (Outcome::NotRun {}, false),
            NobodyThere::Parks => (Outcome::Parked {}, false),
        },
    };
    let cards = if shown { vec![card] } else { vec![] };
    let event = Event::PreToolUse(event.clone());
    Observation { outcome: Some(outcome), cards, ..told_of(&course.begins, &event, fired) }
}

/// VO-CONF-1 to VO-CONF-4: whether a call that would run asks first.
fn asks(course: &Course, fired: &Fired, event: &PreToolUseEvent) -> bool {
    // Where nobody is called, the firing is over as it begins.
    let lasts = !fired.told.calls.is_empty();
    let later = course.later.iter().rev().filter(|moment| lasts && moment.at <= fired.told.outcome.at);
    let mut back = later.map(|moment| &moment.host).chain([&course.begins]);
    // VO-CONF-9: what was decided last, before an uninstall if there was one.
    let owner = find(&course.begins, &event.integration);
    let owner = back.find_map(|host| host.installed.iter().find(|it| Ok(it.number) == owner));
    let decided = owner.map(|owner| decided_about(owner, &event.tool_name)).unwrap_or_default();
    let off = decided.policy == Policy::Never && course.begins.readings.asking_off == AskingOff::UserWins;
    let hook_asks = fired.told.outcome.confirm && !off;
    decided.locked || decided.policy == Policy::Ask || hook_asks
}

/// The agent calls a tool.
pub(super) fn agent_calls(host: &mut Host, call: &AgentCall) -> Observation {
    if let Err(error) = visible(host, call) {
        return Observation { contacted: Some(false), error: Some(error), ..Observation::default() };
    }
    let event = PreToolUseEvent {
        integration: call.integration.clone(),
        tool_name: call.tool.clone(),
        args: call.args.clone(),
    };
    let course = Course { begins: host.clone(), later: vec![] };
    let pre = fired(&course, &Event::PreToolUse(event.clone()), &only(&call.integration, call.pre.as_ref()));
    let observation = decided(&course, pre, &event, &call.user);
    let Some(Outcome::Executed { args }) = observation.outcome.clone() else {
        // VO-CONF-7b, VO-FOLD-16d.
        if host.readings.receipt_stopped == ReceiptStopped::Failed {
            turn::used(host, &call.integration, &call.tool, ToolStatus::Failed);
        }
        return Observation { contacted: Some(false), ..observation };
    };
    runs(host, call, args, observation)
}

/// VO-HIDE-2: whether the agent may call this tool.
fn visible(host: &Host, call: &AgentCall) -> Result<(), HostError> {
    let hidden = call.tool.starts_with(RESERVED) && host.readings.hidden_tool == HiddenTool::Forbidden;
    let found = tool(host, &call.integration, &call.tool).map(|_| ());
    match found {
        Err(HostError::UnknownTool) if hidden => Err(HostError::Forbidden),
        found => found,
    }
}

/// The tool runs, and the model reads what came of it (VO-EVT-4).
fn runs(host: &mut Host, call: &AgentCall, executed: Map<String, Value>, before: Observation) -> Observation {
    let (result, failed) = match stub(host, call) {
        None => (json!({}), false),
        Some(ToolStub::Result(result)) => (result, false),
        Some(ToolStub::Fails(result)) => (result, true),
    };
    let status = if failed { ToolStatus::Failed } else { ToolStatus::Done };
    turn::used(host, &call.integration, &call.tool, status);
    let observation = Observation { contacted: Some(true), ..before };
    // VO-FOLD-17a.
    if failed && host.readings.failed_tool == FailedTool::Silent {
        return Observation { model_sees: Some(result), ..observation };
    }
    let event = Event::PostToolUse(PostToolUseEvent {
        integration: call.integration.clone(),
        tool_name: call.tool.clone(),
        // VO-FOLD-17b.
        args: match host.readings.post_args {
            PostArgs::Executed => executed,
            PostArgs::Original => call.args.clone(),
        },
        result,
    });
    // VO-DL-8: a firing of its own.
    let course = Course { begins: host.clone(), later: vec![] };
    let post = fired(&course, &event, &only(&call.integration, call.post.as_ref()));
    Observation {
        model_sees: Some(post.value),
        calls: [observation.calls, post.calls].concat(),
        logged: [observation.logged, post.logged].concat(),
        ..observation
    }
}

/// What the script says that the tool does.
fn stub(host: &Host, call: &AgentCall) -> Option<ToolStub> {
    let owner = tool(host, &call.integration, &call.tool).ok()?;
    owner.install.tools.get(&call.tool).cloned()
}

/// The answers of a firing that asks the owner alone (VO-SEL-5).
fn only(owner: &str, answer: Option<&Answer>) -> BTreeMap<String, Answer> {
    answer.map(|answer| (owner.to_owned(), answer.clone())).into_iter().collect()
}

fn arguments(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
