//! The members of a HookResult, each by itself and beside the others: MX-WIRE-2 and what the fold makes of them.

use hookproof_model::matrices::Point;
use serde_json::{Map, Value};

use super::answer::Judge;
use crate::handler::check::checks;
use crate::words::{plain, quote, short};

checks! {
    GIVEN = "webhook-decision-given", Must, [Clause("MX-WIRE-3"), Clause("MX-WIRE-2")],
        "A HookResult has a decision, `defer` included.";
    DECISION = "webhook-decision-known", Must, [Clause("MX-FAIL-3"), Clause("MX-FOLD-1")],
        "A decision is `defer`, `allow` or `deny`.";
    TYPES = "webhook-member-types", Must, [Clause("MX-FAIL-3"), Clause("MX-WIRE-2")],
        "A decision, a reason and an updated text are strings, and an updated input is an object; none is `null`.";
    KNOWN = "webhook-members-known", Should, [Clause("MX-WIRE-2")],
        "A HookResult has no members but those of the contract.";
    FITS = "webhook-rewrite-fits", Must, [Clause("MX-FOLD-7"), Clause("MX-FOLD-8")],
        "A rewrite is the one of its point: `updatedText`, `updatedInput` or `updatedOutput`. The others are left \
         out, not `null`.";
    ONE_REWRITE = "webhook-one-rewrite", Must, [Clause("MX-FOLD-8")],
        "A HookResult has at most one rewrite.";
    NULL_REWRITE = "webhook-null-rewrite", Should, [Clause("HK-REWRITE-3")],
        "No `null` stands for no rewrite where it is taken for one, or idle: who has none leaves the member out.";
    WHOLE_INPUT = "webhook-whole-input", Should, [Clause("HK-REWRITE-4")],
        "`updatedInput` holds every member of the input, since it replaces it and is not merged.";
    IDLE_REWRITE = "webhook-deny-without-rewrite", Should, [Clause("MX-FOLD-5")],
        "No rewrite stands beside a deny, which makes it idle.";
    REASON = "webhook-deny-reason", Should, [Clause("MX-WIRE-2"), Clause("MX-AUD-2a")],
        "A deny gives a reason, so that the audit trail says why the work did not happen.";
}

const REWRITES: [&str; 3] = ["updatedText", "updatedInput", "updatedOutput"];
/// What is written in other contracts, or by who goes by memory, and what it is here.
const MEANT: [(&str, &str); 9] = [
    ("updatedArgs", "updatedInput"),
    ("updatedArguments", "updatedInput"),
    ("updatedResult", "updatedOutput"),
    ("action", "decision"),
    ("verdict", "decision"),
    ("permissionDecision", "decision"),
    ("message", "reason"),
    ("responseText", "reason"),
    ("permissionDecisionReason", "reason"),
];
const MEANT_DECISION: [(&str, &[&str]); 3] = [
    ("defer", &["continue", "pass", "none"]),
    ("allow", &["approve", "approved", "allowed", "accept", "ok"]),
    ("deny", &["block", "blocked", "denied", "reject", "rejected", "refuse"]),
];

/// Checks that say something only of answers that deny.
pub(super) fn need_a_deny() -> [&'static crate::handler::check::Check; 2] {
    [&REASON, &IDLE_REWRITE]
}

/// Checks that say something only of answers with a rewrite.
pub(super) fn need_a_rewrite() -> [&'static crate::handler::check::Check; 4] {
    [&FITS, &ONE_REWRITE, &NULL_REWRITE, &WHOLE_INPUT]
}

impl Judge<'_> {
    pub(super) fn members(&mut self, members: &Map<String, Value>) {
        self.decision(members.get("decision"));
        for name in members.keys() {
            if name != "decision" && name != "reason" && !REWRITES.contains(&name.as_str()) {
                self.unknown(name);
            }
        }
        self.reason(members.get("reason"));
        self.rewrites = REWRITES.iter().any(|name| members.contains_key(*name));
        self.rewrite(members);
    }

    fn decision(&mut self, decision: Option<&Value>) {
        match decision {
            None => self.fatal(&GIVEN, "there is no `decision`; expected defer, allow or deny"),
            Some(Value::String(decision)) => match decision.as_str() {
                "defer" | "allow" => {}
                "deny" => self.denies = true,
                _ => {
                    let found = quote(decision.as_bytes());
                    let lower = decision.to_lowercase();
                    let meant = MEANT_DECISION
                        .iter()
                        .find(|(known, others)| lower == *known || others.contains(&lower.as_str()));
                    let expected = match meant {
                        Some((meant, _)) => format!("did you mean `{meant}`?"),
                        None => "expected defer, allow or deny".to_owned(),
                    };
                    self.fatal(&DECISION, format!("the decision is {found}; {expected}"));
                }
            },
            Some(other) => {
                self.fatal(&TYPES, format!("`decision` is {}; expected a string", short(other)));
            }
        }
    }

    fn unknown(&mut self, name: &str) {
        let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        let known = ["decision", "reason"].into_iter().chain(REWRITES).map(|known| (known, known));
        let meant = known.chain(MEANT).find(|(written, _)| bare(written) == bare(name));
        let hint = meant.map(|(_, meant)| format!("; did you mean `{meant}`?")).unwrap_or_default();
        let message = format!("`{}` is no member of a HookResult{hint}", plain(name));
        let cost = match meant {
            Some((_, meant)) if REWRITES.contains(&meant) => {
                "ignored: the value goes on as it was, unless another hook rewrites it"
            }
            _ => "ignored",
        };
        self.flaw(&KNOWN, message, cost);
    }

    fn reason(&mut self, reason: Option<&Value>) {
        match reason {
            Some(Value::String(reason)) if !reason.trim().is_empty() => {}
            Some(Value::String(_)) | None if !self.denies => {}
            Some(Value::String(_)) => {
                self.flaw(
                    &REASON,
                    "deny with an empty `reason`",
                    "nobody learns why the work did not happen",
                );
            }
            None => {
                self.flaw(&REASON, "deny without a `reason`", "nobody learns why the work did not happen");
            }
            Some(other) => {
                let message = format!("`reason` is {}; expected a string", short(other));
                match self.denies {
                    true => self.flaw(&TYPES, message, "the deny stands, and its reason is lost"),
                    false => self.fatal(&TYPES, message),
                }
            }
        }
    }

    fn rewrite(&mut self, members: &Map<String, Value>) {
        let (point, own) = (self.point.name(), self.point.rewrite_member());
        let all: Vec<_> = REWRITES.iter().filter_map(|name| Some((*name, members.get(*name)?))).collect();
        let (nulls, given): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, value)| value.is_null());
        let names = |some: &[(&str, &Value)]| {
            let names: Vec<_> = some.iter().map(|(name, _)| format!("`{name}`")).collect();
            names.join(" and ")
        };
        let are_null = |nulls: &[(&str, &Value)]| if nulls.len() == 1 { "is null" } else { "are null" };
        if self.denies {
            // A null is told below all denies alike: it is one habit of whoever writes the answers.
            if !nulls.is_empty() {
                self.flaw(
                    &NULL_REWRITE,
                    format!("{} beside deny {}", names(&nulls), are_null(&nulls)),
                    "ignored",
                );
            }
            if !given.is_empty() {
                self.flaw(&IDLE_REWRITE, format!("{} stands beside deny", names(&given)), "ignored");
            }
            return;
        }
        // A null member is there: where it can be no rewrite, it spoils the answer as another value would.
        let message = format!("{} {}; expected no such member", names(&nulls), are_null(&nulls));
        match nulls.as_slice() {
            [] => {}
            [(name, _)] if *name == own && self.point == Point::AfterToolCall => {
                // An output that was null stays what it was.
                if !self.input.get("output").is_some_and(Value::is_null) {
                    self.flaw(&NULL_REWRITE, message, "`null` stands in the place of the tool's output");
                }
            }
            [(name, _)] if *name == own => self.fatal(&TYPES, message),
            _ => self.fatal(&FITS, message),
        }
        match given.as_slice() {
            [] => {}
            [(name, value)] if *name == own => self.own_rewrite(name, value),
            [(name, _)] => {
                let message = format!("`{name}` does not belong to {point}; expected `{own}`");
                self.fatal(&FITS, message);
            }
            several => {
                let message = format!("{} stand beside each other; expected `{own}` alone", names(several));
                self.fatal(&ONE_REWRITE, message);
            }
        }
    }

    fn own_rewrite(&mut self, name: &str, value: &Value) {
        let expected = match self.point {
            Point::BeforeInput | Point::AfterOutput if !value.is_string() => "a string",
            Point::BeforeToolCall if !value.is_object() => "an object",
            _ => {
                let input = self.input.get("input").and_then(Value::as_object);
                if let (Point::BeforeToolCall, Some(input), Value::Object(updated)) =
                    (self.point, input, value)
                {
                    let lost = input.keys().filter(|name| !updated.contains_key(*name));
                    let lost: Vec<_> = lost.map(|name| plain(name)).collect();
                    if !lost.is_empty() {
                        let message = format!("`updatedInput` leaves out {}", lost.join(", "));
                        self.flaw(&WHOLE_INPUT, message, "the tool runs without them");
                    }
                }
                return;
            }
        };
        self.fatal(&TYPES, format!("`{name}` is {}; expected {expected}", short(value)));
    }
}
