//! A turn, and the receipt that its end sends: VO-DL-7, VO-FOLD-13, VO-FOLD-16.

use super::firing::{Selected, called, consents, in_front, offers, selected};
use super::host::Host;
use super::kind::Kind;
use super::payload;
use crate::kernel::{Failure, Millis};
use crate::reading::voiceos::{
    EndedTurnReceipt, FrontmostAt, ReceiptResponse, ReceiptTools, ReceiptTranscript,
};
use crate::script::voiceos::{
    App, BeginTurn, EndTurn, Event, HostError, LogEntry, Observation, Outcome, Receipt, ToolStatus, ToolUsed,
    TranscriptEvent,
};

/// A turn that has begun.
#[derive(Clone)]
pub(super) struct Turn {
    session_id: Option<String>,
    /// The frontmost app as it began.
    front: Option<App>,
    /// Its input as it was said.
    said: String,
    /// Its input as hooks rewrote it.
    rewritten: String,
    /// What the user read of the hook that ended it, if one did.
    ended: Option<String>,
    /// Its tools, each with its owner.
    tools: Vec<(String, ToolUsed)>,
}

/// A turn begins.
pub(super) fn begins(host: &mut Host, begin: &BeginTurn) -> Observation {
    if host.turn.is_some() {
        return Observation { error: Some(HostError::TurnOpen), ..Observation::default() };
    }
    host.turn = Some(Turn {
        session_id: begin.session_id.clone(),
        front: host.front.clone(),
        said: String::default(),
        rewritten: String::default(),
        ended: None,
        tools: vec![],
    });
    Observation::default()
}

/// VO-SEL-6: the app in front of which an event of this kind is.
pub(super) fn front_for(host: &Host, kind: Kind) -> Option<&App> {
    let later = matches!(kind, Kind::PostToolUse | Kind::TurnComplete);
    match &host.turn {
        Some(turn) if later && host.readings.frontmost_at == FrontmostAt::AtTurnStart => turn.front.as_ref(),
        _ => host.front.as_ref(),
    }
}

/// A transcript has fired, within a turn or without one.
pub(super) fn heard(host: &mut Host, event: &TranscriptEvent, value: &str, seen: &Observation) {
    let Some(turn) = &mut host.turn else { return };
    turn.said.clone_from(&event.transcript);
    value.clone_into(&mut turn.rewritten);
    // VO-FOLD-4a, VO-FOLD-4b. Whatever it was before, the turn is now about this input.
    let ended = matches!(seen.outcome, Some(Outcome::Blocked {} | Outcome::Handled {}));
    let text = seen.user_sees.as_ref().and_then(|shown| shown.text.clone());
    turn.ended = ended.then(|| text.unwrap_or_default());
}

/// A tool was called, within a turn or without one.
pub(super) fn used(host: &mut Host, owner: &str, tool: &str, status: ToolStatus) {
    let Some(turn) = &mut host.turn else { return };
    turn.tools.push((owner.to_owned(), ToolUsed { tool: tool.to_owned(), status }));
}

/// The turn ends.
pub(super) fn ends(host: &mut Host, end: &EndTurn) -> Observation {
    let Some(turn) = host.turn.clone() else {
        return Observation { error: Some(HostError::NoTurn), ..Observation::default() };
    };
    // VO-FOLD-13.
    let silent = host.readings.ended_turn_receipt == EndedTurnReceipt::Silent && turn.ended.is_some();
    let observation = if silent {
        Observation::default()
    } else {
        sent(host, &|integration| receipt(host, &turn, end, integration))
    };
    host.turn = None;
    observation
}

/// VO-FOLD-16: the receipt that an integration gets.
fn receipt(host: &Host, turn: &Turn, end: &EndTurn, integration: &str) -> Receipt {
    let readings = &host.readings;
    let listed = |owner: &str| readings.receipt_tools == ReceiptTools::All || owner == integration;
    let tools = turn.tools.iter().filter(|(owner, _)| listed(owner));
    Receipt {
        session_id: turn.session_id.clone(),
        transcript: match readings.receipt_transcript {
            ReceiptTranscript::AsRewritten => turn.rewritten.clone(),
            ReceiptTranscript::AsSaid => turn.said.clone(),
        },
        response_text: match (&turn.ended, readings.receipt_response) {
            (None, _) => end.response_text.clone(),
            (Some(text), ReceiptResponse::Hooks) => text.clone(),
            (Some(_), ReceiptResponse::Empty) => String::default(),
        },
        tools: tools.map(|(_, tool)| tool.clone()).collect(),
    }
}

/// VO-DL-7, VO-FOLD-8b: every subscriber is sent its receipt at once, and nobody waits for what it
/// does.
pub(super) fn sent(host: &Host, receipt: &dyn Fn(&str) -> Receipt) -> Observation {
    let kind = Kind::TurnComplete;
    let event_for = |id: &str| Event::TurnComplete(receipt(id));
    let chain = selected(host, &event_for(""));
    let heard = |hook: &&Selected| consents(host, host, kind, hook) && in_front(host, kind, hook);
    let offered = |hook: &&Selected| offers(host, kind, hook);
    let calls = chain.iter().filter(heard).filter(offered).map(|hook| {
        let (payload, _) = payload::of(host, &event_for(&hook.id));
        called(kind, hook, payload, Millis::ZERO)
    });
    let missing = chain.iter().filter(heard).filter(|hook| !offered(hook));
    let logged = missing.map(|hook| LogEntry {
        hook: hook.id.clone(),
        failure: Some(Failure::Unregistered),
        reason: None,
    });
    Observation {
        calls: calls.collect(),
        logged: logged.collect(),
        ended_ms: Some(Millis::ZERO),
        outcome: Some(Outcome::Sent {}),
        ..Observation::default()
    }
}
