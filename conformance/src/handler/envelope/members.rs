//! The members of a HookResult, each by itself and beside the others.

use hookproof_model::voiceos::EventKind;
use serde_json::{Map, Value};

use super::{
    BELONGS, BLOCK_TEXT, CONFIRMATION, CONTEXT, DECISION, DECISION_FITS, HANDLED_TEXT, IDLE_REWRITE, Judge,
    KNOWN, NULL_REWRITE, TYPES, WHOLE_ARGS,
};
use crate::words::{plain, short};

/// The longest additional context that is seen in practice, in characters.
const MAX_CONTEXT: usize = 2000;
/// The members of a HookResult, and for which events the host reads them (VO-WIRE-8, VO-FOLD-18).
const MEMBERS: [(&str, &[EventKind]); 9] = {
    use EventKind::{Dictation, PostToolUse, PreToolUse, Transcript, TurnComplete};
    [
        ("decision", &[Transcript, Dictation, PreToolUse]),
        ("updatedText", &[Transcript, Dictation]),
        ("updatedArgs", &[PreToolUse]),
        ("updatedResult", &[PostToolUse]),
        ("additionalContext", &[Transcript]),
        ("requireConfirmation", &[PreToolUse]),
        ("responseText", &[Transcript, Dictation, PreToolUse]),
        ("view", &[Transcript, Dictation, PreToolUse]),
        ("reason", &[Transcript, Dictation, PreToolUse, PostToolUse, TurnComplete]),
    ]
};

impl Judge<'_> {
    pub(super) fn members(&mut self, members: &Map<String, Value>) {
        for (name, value) in members {
            match MEMBERS.iter().find(|(known, _)| known == name) {
                None => {
                    let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
                    let meant = MEMBERS.iter().find(|(known, _)| bare(known) == bare(name));
                    let meant =
                        meant.map(|(known, _)| format!("; did you mean `{known}`?")).unwrap_or_default();
                    let message = format!("`{}` is no member of a HookResult{meant}", plain(name));
                    self.flaw(&KNOWN, message, "ignored");
                }
                Some((_, events)) if events.contains(&self.event) => self.member(name, value),
                // Nothing but a decision that is none is lost, if that is all it says.
                Some(_) if name == "decision" && value == "continue" => {}
                Some(_) if name == "decision" => self.idle_decision(value),
                Some(_) => {
                    let message = format!("`{name}` does not belong to {}", self.event.name());
                    self.flaw(&BELONGS, message, "ignored");
                }
            }
        }
        self.together(members);
    }

    fn idle_decision(&mut self, decision: &Value) {
        let message = format!("the decision {} has no meaning on {}", short(decision), self.event.name());
        self.flaw(&DECISION_FITS, message, "ignored: taken as `continue`");
    }

    fn member(&mut self, name: &str, value: &Value) {
        let expected = match name {
            "decision" if !value.is_string() => "a string",
            "decision" => {
                match value.as_str() {
                    Some("continue" | "block") => {}
                    Some("handled") if self.event == EventKind::PreToolUse => self.idle_decision(value),
                    Some("handled") => {}
                    _ => self.fatal(
                        &DECISION,
                        format!("the decision is {}; expected continue, block or handled", short(value)),
                    ),
                }
                return;
            }
            "requireConfirmation" => {
                if !value.is_boolean() && !value.is_null() {
                    let message = format!("`requireConfirmation` is {}; expected true", short(value));
                    self.flaw(&CONFIRMATION, message, "no confirmation is asked for: the tool runs");
                }
                return;
            }
            "updatedResult" => {
                if value.is_null() {
                    let cost = "the model reads `null` in place of the tool's result";
                    self.flaw(&NULL_REWRITE, "`updatedResult` is null", cost);
                }
                return;
            }
            "updatedArgs" if !value.is_object() => "an object",
            "view" if !value.get("blocks").is_some_and(Value::is_array) => {
                "an object with a list of `blocks`"
            }
            "updatedText" | "additionalContext" | "responseText" | "reason" if !value.is_string() => {
                "a string"
            }
            _ => return,
        };
        let check = if value.is_null() && name.starts_with("updated") { &NULL_REWRITE } else { &TYPES };
        self.fatal(check, format!("`{name}` is {}; expected {expected}", short(value)));
    }

    /// What only shows in several members beside each other.
    fn together(&mut self, members: &Map<String, Value>) {
        let decision = members.get("decision").and_then(Value::as_str).unwrap_or_default();
        let decides =
            MEMBERS.iter().any(|(name, events)| *name == "decision" && events.contains(&self.event));
        let ends = decides
            && match decision {
                "block" => true,
                "handled" => self.event != EventKind::PreToolUse,
                _ => false,
            };
        let is_silent =
            members.get("responseText").and_then(Value::as_str).is_none_or(|text| text.trim().is_empty());
        if ends && is_silent {
            let check = if decision == "handled" { &HANDLED_TEXT } else { &BLOCK_TEXT };
            let message = format!("{decision} without a `responseText`");
            self.flaw(check, message, "the user is shown nothing and does not learn why nothing happens");
        }
        if let Some(name) = self.event.rewrite_member()
            && ends
            && members.contains_key(name)
        {
            self.flaw(&IDLE_REWRITE, format!("`{name}` stands beside {decision}"), "ignored");
        }
        if self.event == EventKind::Transcript
            && let Some(context) = members.get("additionalContext").and_then(Value::as_str)
            && context.chars().count() > MAX_CONTEXT
        {
            let length = context.chars().count();
            let message =
                format!("`additionalContext` has {length} characters; expected at most {MAX_CONTEXT}");
            self.flaw(&CONTEXT, message, "a host may cut it or leave it out");
        }
        if self.event == EventKind::PreToolUse
            && let Some(Value::Object(updated)) = members.get("updatedArgs")
            && let Some(Value::Object(args)) = self.payload.get("args")
        {
            let lost: Vec<_> =
                args.keys().filter(|name| !updated.contains_key(*name)).map(|name| plain(name)).collect();
            if !lost.is_empty() {
                let message = format!("`updatedArgs` leaves out {}", lost.join(", "));
                self.flaw(&WHOLE_ARGS, message, "the tool runs without these arguments");
            }
        }
    }
}
