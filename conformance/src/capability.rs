//! Capabilities: what a vector needs of a candidate beyond firing hooks. It follows from the
//! vector's steps and observations; what a candidate does not declare is not applicable.

use std::collections::BTreeSet;

use hookproof_model::script::ids::OPAQUE;
use serde_json::Value;

/// Every capability, with the steps and observations that need it.
pub const ALL: &[(&str, &[&str], &str)] = &[
    ("access", &["set_transcript_access", "strip_permission"], "consent can be withdrawn and given again"),
    ("agent_calls", &["agent_tools", "agent_call"], "the agent's tools can be listed and called"),
    ("agent_run", &["agent_run"], "agent processors run steps of their own"),
    ("audit", &["audit"], "the audit trail can be read"),
    ("cards", &["cards"], "confirmation cards are observed"),
    ("defaults", &["add_default"], "default hooks can be introduced later"),
    ("lifecycle", &["update", "uninstall"], "integrations can be updated and removed"),
    ("logged", &["logged"], "the log about hooks can be read"),
    ("meanwhile", &["meanwhile"], "control steps can be carried out while a firing runs"),
    ("mutates", &["mutates"], "hooks run in process and can overwrite what they are handed"),
    ("notch", &["user_sees"], "what the user is shown is observed"),
    ("profiles", &["update_profile", "get_profile"], "profiles can be read and updated"),
    ("turns", &["begin_turn", "end_turn"], "turns begin and end, and receipts are sent"),
    (
        "waits",
        &["resolve", "waiting_threads", "advance", "cancel_thread", "pending", "parked"],
        "work can be parked and resolved",
    ),
];

/// A capability that no vector needs: where faults are is compared only if it is declared.
pub const FAULT_POINTERS: &str = "fault_pointers";

/// Members whose own members are named by hooks, tools or threads.
const NAMED: [&str; 3] = ["answers", "tools", "threads"];

/// Whether there is a capability of this name.
#[must_use]
pub fn is_known(name: &str) -> bool {
    name == FAULT_POINTERS || ALL.iter().any(|(known, ..)| *known == name)
}

/// The capabilities that a script with this transcript needs.
#[must_use]
pub fn needs(script: &Value, transcript: &Value) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    visit(script, &mut found);
    visit(transcript, &mut found);
    found
}

/// Notes the capabilities that a value's member names need. Where members are named by hooks, tools or
/// threads, names say nothing, and what hooks are sent and answer is theirs.
fn visit(value: &Value, found: &mut BTreeSet<&'static str>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let needing = ALL.iter().filter(|(_, words, _)| words.contains(&name.as_str()));
                found.extend(needing.map(|(known, ..)| *known));
                if name == "payload" || name == "event" || OPAQUE.contains(&name.as_str()) {
                    continue;
                }
                match member {
                    Value::Object(named) if NAMED.contains(&name.as_str()) => {
                        named.values().for_each(|member| visit(member, found));
                    }
                    member => visit(member, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, found)),
        _ => {}
    }
}
