//! What a VoiceOS hook answered, held against the envelope that every hook answers with: VO-SRV-4 and what
//! the host makes of each part. Whether the answer counts at all is the model's to say.

mod members;

use hookproof_model::kernel::json::{self, Twice};
use hookproof_model::kernel::{Answer, Failure, Reply};
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::reading::voiceos::LoneSurrogate;
use hookproof_model::script::voiceos::Says;
use hookproof_model::voiceos::EventKind;
use hookproof_model::voiceos::wire::decode;
use serde_json::{Map, Value};

use super::check::{Check, checks};
use super::cost;
use super::findings::Flaw;
use crate::words::{quote, short};

checks! {
    TOOL_ERROR = "answer-no-tool-error", Must, [Clause("VO-WIRE-3")],
        "A hook answers a payload that it may be sent without `isError`.";
    CALL_RESULT = "answer-call-result", Must, [Clause("VO-WIRE-13"), Mcp("Tools")],
        "The result of a call is one that MCP's schema allows, with `content` and without a need for more input.";
    ONE_TEXT = "answer-one-text", Must, [Clause("VO-SRV-4"), Clause("VO-WIRE-9")],
        "A hook answers with exactly one content item, which is text.";
    STRUCTURED = "answer-no-structured-content", Should, [Clause("VO-WIRE-12")],
        "An answer has no `structuredContent`, which the host does not read.";
    JSON = "answer-json", Must, [Clause("VO-SRV-4"), Clause("VO-WIRE-4")],
        "The text is one JSON object: no banner before it, no NaN, nothing behind it.";
    SAYS_NOTHING = "answer-empty-object", Should, [Clause("VO-WIRE-5"), Clause("VO-FOLD-1")],
        "A hook with nothing to say answers `{}`, not `null` or an empty text.";
    SURROGATE = "answer-well-formed-unicode", Must, [Clause("VO-WIRE-10b")],
        "An answer holds no lone surrogate.";
    ONCE = "answer-members-once", Should, [Clause("VO-WIRE-11")],
        "No object of an answer has a member twice.";
    KNOWN = "answer-members-known", Should, [Clause("VO-WIRE-7")],
        "A HookResult has no members but those of the contract.";
    BELONGS = "answer-members-belong", Should, [Clause("VO-WIRE-8"), Clause("VO-FOLD-8a"), Clause("VO-FOLD-8b")],
        "A HookResult has no members that the host ignores for its event.";
    TYPES = "answer-member-types", Must, [Clause("VO-WIRE-6a")],
        "Every member has the type that the contract gives it.";
    DECISION = "answer-decision-known", Must, [Clause("VO-WIRE-6b"), Clause("VO-FOLD-3")],
        "A decision is `continue`, `block` or `handled`.";
    DECISION_FITS = "answer-decision-fits", Should, [Clause("VO-FOLD-7"), Clause("VO-FOLD-8a"), Clause("VO-FOLD-8b")],
        "A decision has a meaning for its event: `handled` has none on preToolUse, and none but `continue` after it.";
    CONFIRMATION = "answer-confirmation-true", Must, [Clause("VO-CONF-2")],
        "`requireConfirmation` is literally `true` where a confirmation is asked for.";
    HANDLED_TEXT = "answer-handled-text", Should, [Clause("VO-FOLD-11"), Clause("VO-FOLD-12")],
        "A hook that answers `handled` gives a `responseText`, since the agent will not.";
    BLOCK_TEXT = "answer-block-text", Should, [Clause("VO-FOLD-11")],
        "A hook that answers `block` gives a `responseText`, since `reason` is shown to nobody.";
    CONTEXT = "answer-context-length", Should, [Clause("VO-FOLD-10")],
        "An `additionalContext` has at most 2,000 characters, the most that is seen in practice.";
    NULL_REWRITE = "answer-null-rewrite", Should, [Clause("HK-REWRITE-3")],
        "A rewrite is not `null`: who has none leaves the member out.";
    WHOLE_ARGS = "answer-whole-args", Should, [Clause("HK-REWRITE-4")],
        "`updatedArgs` holds every argument of the call, since it replaces them and is not merged.";
    IDLE_REWRITE = "answer-rewrite-counts", Should, [Clause("VO-FOLD-9")],
        "No rewrite stands beside a decision that ends the event, which makes it idle.";
    SIZE = "answer-size", Should, [Clause("HK-LIMIT-1")],
        "The text of an answer has at most 1 MiB.";
}

/// HK-LIMIT-1: what every host can be expected to read, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// An answer, judged.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    /// What the model makes of it.
    pub(crate) counts: Result<Answer, Failure>,
    /// What is wrong with it.
    pub(crate) flaws: Vec<Flaw>,
    /// The text that counts.
    pub(crate) text: String,
}

impl Judged {
    /// Whether it is a HookResult, though one with a member that makes it count for nothing: no payload is to
    /// blame for that.
    pub(crate) fn is_answer(&self) -> bool {
        self.flaws.iter().any(|flaw| [&TYPES, &DECISION, &NULL_REWRITE].contains(&flaw.check))
    }
}

/// Judges the result of a call for `event`, whose payload was `payload`.
pub(crate) fn judge(event: EventKind, payload: &Value, result: &Map<String, Value>) -> Judged {
    let mut judge = Judge { event, payload, flaws: Vec::new() };
    let text = judge.result(result);
    let counts = match decode(&VoiceosReadings::default(), event, &Says::CallResult(result.clone())) {
        Some(Reply::Answered(answer)) => Ok(*answer),
        Some(Reply::Failed(failure)) => Err(failure),
        Some(Reply::Pending) | None => Err(Failure::ProtocolError),
    };
    if let Err(failure) = &counts
        && judge.flaws.is_empty()
    {
        judge.fatal(&JSON, format!("the answer does not count ({failure}): {}", quote(text.as_bytes())));
    }
    Judged { counts, flaws: judge.flaws, text }
}

struct Judge<'a> {
    event: EventKind,
    payload: &'a Value,
    flaws: Vec<Flaw>,
}

impl Judge<'_> {
    fn flaw(&mut self, check: &'static Check, message: impl Into<String>, cost: impl Into<String>) {
        self.flaws.push(Flaw { check, message: message.into(), cost: cost.into() });
    }

    /// A flaw for which the host discards the answer.
    fn fatal(&mut self, check: &'static Check, message: impl Into<String>) {
        self.flaw(check, message, cost::no_handler(self.event));
    }

    /// The whole CallToolResult; the text that counts.
    fn result(&mut self, result: &Map<String, Value>) -> String {
        let items = match result.get("content") {
            Some(Value::Array(items)) => items.as_slice(),
            other => {
                let found = other.map_or("nothing".to_owned(), short);
                self.fatal(&CALL_RESULT, format!("`content` is {found}; expected a list of items"));
                &[]
            }
        };
        let texts: Vec<_> =
            items.iter().filter_map(|item| item.get("text").and_then(Value::as_str)).collect();
        let text = texts.first().copied().unwrap_or_default().to_owned();
        match result.get("isError") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) => {
                self.fatal(&TOOL_ERROR, format!("answered with isError: {}", quote(text.as_bytes())));
                return text;
            }
            Some(other) => {
                self.fatal(&CALL_RESULT, format!("`isError` is {}; expected a boolean", short(other)))
            }
        }
        if result.get("resultType").is_some_and(|kind| kind != "complete") {
            self.fatal(&CALL_RESULT, "the result wants more input, which a hook is not given".to_owned());
        }
        match result.get("structuredContent") {
            None => {}
            Some(Value::Object(_)) => {
                let message = "`structuredContent` stands beside the text";
                self.flaw(&STRUCTURED, message, "ignored: the text alone counts");
            }
            Some(other) => {
                let message = format!("`structuredContent` is {}; expected an object, or none", short(other));
                self.fatal(&CALL_RESULT, message);
            }
        }
        if items.len() != 1 || texts.len() != 1 {
            let found = format!("{} content items, of which {} are text", items.len(), texts.len());
            let cost = match texts.first() {
                Some(_) => "the first text counts, and the others are ignored",
                None => "nothing is said: counts as `{}`",
            };
            self.flaw(&ONE_TEXT, format!("found {found}; expected one, a text"), cost);
        }
        if !texts.is_empty() {
            self.text(&text);
        }
        text
    }

    /// Whether the text would count for who puts another character in the place of a lone surrogate.
    fn only_lacks_unicode(&self, text: &str) -> bool {
        let readings =
            VoiceosReadings { lone_surrogate: LoneSurrogate::Replaced, ..VoiceosReadings::default() };
        matches!(decode(&readings, self.event, &Says::Text(text.to_owned())), Some(Reply::Answered(_)))
    }

    fn text(&mut self, text: &str) {
        if text.len() > MAX_TEXT {
            let message = format!("the text has {} bytes; expected at most {MAX_TEXT}", text.len());
            self.flaw(&SIZE, message, "a host that bounds what it reads counts it as no handler");
        }
        if text.is_empty() {
            return self.flaw(
                &SAYS_NOTHING,
                "the text is empty; expected `{}`",
                "taken as `{}`, but not by every host",
            );
        }
        let members = match json::parse(text, Twice::LastCounts) {
            Ok(Value::Object(members)) => members,
            Ok(Value::Null) => {
                let cost = "taken as `{}`, but not by every host";
                return self.flaw(&SAYS_NOTHING, "the text is `null`; expected `{}`", cost);
            }
            Ok(other) => {
                return self.fatal(&JSON, format!("the text is {}; expected a JSON object", short(&other)));
            }
            Err(error) => {
                let check = if self.only_lacks_unicode(text) { &SURROGATE } else { &JSON };
                let message = format!("the text is no JSON object ({error}): {}", quote(text.as_bytes()));
                return self.fatal(check, message);
            }
        };
        if let Err(error) = json::parse(text, Twice::Fault) {
            self.flaw(&ONCE, format!("{error}"), "the last one counts, but not for every host");
        }
        self.members(&members);
    }
}

#[cfg(test)]
mod tests;
