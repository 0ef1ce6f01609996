//! A tool call and a turn, told as a story: VO-EVT-3 to 5, VO-HIDE-2, VO-FOLD-13, 16, 17, VO-CONF-7.

use serde_json::{Map, Value};

use super::event::EventKind;
use super::host::{Host, refused};
use super::rules::Rules;
use crate::kernel::Millis;
use crate::reading::voiceos::{
    EndedTurnReceipt, HiddenTool, PostArgs, ReceiptResponse, ReceiptStopped, ReceiptTools, ReceiptTranscript,
};
use crate::script::voiceos::{
    AgentCall, App, BeginTurn, EndTurn, Event, Fire, HostError, Observation, Outcome, PostToolUseEvent,
    PreToolUseEvent, Receipt, Shown, ToolStatus, ToolUsed,
};

/// What the host remembers of a turn for its receipt.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    session_id: Option<String>,
    pub(super) frontmost: Option<App>,
    said: String,
    rewritten: String,
    /// What a hook that ended the turn let the user read; `None` where the agent ran.
    ended: Option<String>,
    tools: Vec<(String, ToolUsed)>,
}

impl<R: Rules + ?Sized> Host<'_, R> {
    pub(super) fn begin_turn(&mut self, begin: &BeginTurn) -> Observation {
        if self.turn.is_some() {
            return refused(HostError::TurnOpen);
        }
        let (session_id, frontmost) = (begin.session_id.clone(), self.frontmost.clone());
        self.turn = Some(Turn { session_id, frontmost, ..Turn::default() });
        Observation::default()
    }

    /// Keeps what a firing that came to `value` means for the receipt of its turn.
    pub(super) fn remember(&mut self, event: &Event, value: &Value, observation: &Observation) {
        let (Some(turn), Event::Transcript(event)) = (&mut self.turn, event) else { return };
        turn.said.clone_from(&event.transcript);
        value.as_str().unwrap_or_default().clone_into(&mut turn.rewritten);
        turn.ended = match &observation.outcome {
            Some(Outcome::WentOn { .. }) => None,
            _ => {
                let shown = observation.user_sees.as_ref().and_then(|Shown { text, .. }| text.clone());
                Some(shown.unwrap_or_default())
            }
        };
    }

    /// VO-FOLD-13, VO-FOLD-16.
    pub(super) fn end_turn(&mut self, end: &EndTurn) -> Observation {
        let Some(turn) = &self.turn else { return refused(HostError::NoTurn) };
        if turn.ended.is_some() && self.readings.ended_turn_receipt == EndedTurnReceipt::Silent {
            self.turn = None;
            return Observation::default();
        }
        let response_text = match (&turn.ended, self.readings.receipt_response) {
            (None, _) => end.response_text.clone(),
            (Some(shown), ReceiptResponse::Hooks) => shown.clone(),
            (Some(_), ReceiptResponse::Empty) => String::new(),
        };
        let transcript = match self.readings.receipt_transcript {
            ReceiptTranscript::AsRewritten => &turn.rewritten,
            ReceiptTranscript::AsSaid => &turn.said,
        };
        let receipt = |of: Option<&str>| Receipt {
            session_id: turn.session_id.clone(),
            transcript: transcript.clone(),
            response_text: response_text.clone(),
            tools: (turn.tools.iter())
                .filter(|(owner, _)| of.is_none_or(|of| of == owner))
                .map(|(_, used)| used.clone())
                .collect(),
        };
        let own = self.readings.receipt_tools == ReceiptTools::OwnOnly;
        let observation = self.sent(|of| receipt(of.filter(|_| own)));
        self.turn = None;
        observation
    }

    /// One call by the agent, from its pre hook to what the model reads.
    pub(super) fn agent_call(&mut self, call: &AgentCall) -> Observation {
        let refusal = |error| Observation { contacted: Some(false), ..refused(error) };
        if let Err(error) = self.named(&call.integration) {
            return refusal(error);
        }
        if !self.rules.visible(&call.tool) {
            return refusal(match self.readings.hidden_tool {
                HiddenTool::UnknownTool => HostError::UnknownTool,
                HiddenTool::Forbidden => HostError::Forbidden,
            });
        }
        // A rule that shows a hook's tool to the agent lets it be called, too.
        let hidden = EventKind::ALL.iter().any(|kind| kind.tool() == call.tool);
        if !hidden && let Err(error) = self.owns(&call.integration, &call.tool) {
            return refusal(error);
        }
        let (integration, tool_name) = (call.integration.clone(), call.tool.clone());
        let event = Event::PreToolUse(PreToolUseEvent { integration, tool_name, args: call.args.clone() });
        let answers = call.pre.iter().map(|answer| (call.integration.clone(), answer.clone())).collect();
        let fire = Fire { event, answers, user: call.user.clone(), meanwhile: Vec::new() };
        let mut observation = if hidden { executed(&call.args) } else { self.fire(&fire, Millis::ZERO) };
        let args = self.rules.runs_with(&call.args, observation.outcome.as_ref());
        observation.contacted = Some(args.is_some());
        let Some(args) = args else {
            self.used(call, None);
            if self.rules.is_followed_up(&self.readings, None) {
                self.after(call, call.args.clone(), Value::Null, &mut observation);
            }
            return observation;
        };
        let Ok(owner) = self.named(&call.integration) else { return observation };
        let (result, failed) = owner.run(&call.tool);
        let status = if failed { ToolStatus::Failed } else { ToolStatus::Done };
        self.used(call, Some(status));
        observation.model_sees = Some(if self.rules.is_followed_up(&self.readings, Some(status)) {
            self.after(call, args, result, &mut observation)
        } else {
            result
        });
        observation
    }

    /// The post hook of a call; what the model reads.
    fn after(
        &mut self,
        call: &AgentCall,
        executed: Map<String, Value>,
        result: Value,
        seen: &mut Observation,
    ) -> Value {
        let args = match self.readings.post_args {
            PostArgs::Executed => executed,
            PostArgs::Original => call.args.clone(),
        };
        let (integration, tool_name) = (call.integration.clone(), call.tool.clone());
        let event = PostToolUseEvent { integration, tool_name, args, result: result.clone() };
        let answers = call.post.iter().map(|answer| (call.integration.clone(), answer.clone())).collect();
        let event = Event::PostToolUse(event);
        let fire = Fire { event, answers, user: call.user.clone(), meanwhile: Vec::new() };
        let post = self.fire(&fire, seen.ended_ms.unwrap_or_default());
        seen.calls.extend(post.calls);
        seen.logged.extend(post.logged);
        self.rules.reads(result, post.outcome)
    }

    /// VO-FOLD-16d: notes a tool for the turn's receipt; `None` where it was stopped.
    fn used(&mut self, call: &AgentCall, status: Option<ToolStatus>) {
        let stopped = match self.readings.receipt_stopped {
            ReceiptStopped::Omitted => None,
            ReceiptStopped::Failed => Some(ToolStatus::Failed),
        };
        if let (Some(turn), Some(status)) = (&mut self.turn, status.or(stopped)) {
            turn.tools.push((call.integration.clone(), ToolUsed { tool: call.tool.clone(), status }));
        }
    }
}

fn executed(args: &Map<String, Value>) -> Observation {
    Observation { outcome: Some(Outcome::Executed { args: args.clone() }), ..Observation::default() }
}
