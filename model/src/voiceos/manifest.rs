//! The manifest: VO-MAN-1 to 12. Raw text becomes a [`Manifest`], or every fault is told.

mod head;
mod hooks;
mod permissions;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::event::EventKind;
use crate::document::Expected;
use crate::fault::{Fault, Faults, quoted, segment};
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::{ManifestDuplicates, UnknownMembers};

/// The most bytes that a manifest may have.
pub const MAX_BYTES: usize = 4 << 20;

/// What a host needs to know of an integration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Its id.
    pub id: String,
    /// The names of its tools.
    pub tools: BTreeSet<String>,
    /// The hooks it declares.
    pub hooks: BTreeMap<EventKind, Declared>,
}

/// A declared hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The bundle ids of the apps it is restricted to, if it is.
    pub apps: Option<Vec<String>>,
}

const MEMBERS: [&str; 10] = [
    "schemaVersion",
    "id",
    "version",
    "name",
    "summary",
    "publisher",
    "runtime",
    "permissions",
    "tools",
    "hooks",
];

/// What stands where there is no manifest at all.
const LEAST: &str = r#"{ "schemaVersion": 1, "id": "com.acme.orders", "version": "1.0.0", "name": "Acme Orders", "summary": "Takes orders by voice.", "publisher": { "id": "acme", "name": "Acme" }, "runtime": { "kind": "hosted" }, "tools": [{ "name": "create_order" }] }"#;

/// Reads a manifest of at most [`MAX_BYTES`].
///
/// # Errors
/// Every fault, in the order of the document's members.
pub fn parse(readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
    let mut faults = Faults::default();
    let twice = (readings.manifest_duplicates == ManifestDuplicates::Reject).then_some("VO-MAN-12");
    let expected = Expected {
        name: "manifest",
        clause: "VO-MAN-9",
        limit: "VO-MAN-T",
        max_bytes: MAX_BYTES,
        instead: LEAST,
        twice,
    };
    let Some(document) = expected.read(text, &mut faults) else { return Err(faults.into_vec()) };
    let id = head::head(readings, &document, &mut faults);
    let tools = head::tools(&document, &mut faults);
    let granted = permissions::granted(readings, &document, &mut faults);
    let hooks = hooks::hooks(readings, &document, granted, &mut faults);
    only(readings, "", &document, &MEMBERS, &mut faults);
    faults.or(Manifest { id, tools, hooks })
}

/// VO-MAN-10, reject: an object has no other members than these. What tools may have, no source lists.
fn only(
    readings: &VoiceosReadings,
    pointer: &str,
    members: &Map<String, Value>,
    known: &[&str],
    faults: &mut Faults,
) {
    if readings.unknown_members == UnknownMembers::Ignore {
        return;
    }
    for name in members.keys().filter(|name| !known.contains(&name.as_str())) {
        faults.add(
            format_args!("{pointer}/{}", segment(name)),
            "VO-MAN-10",
            format_args!("the members that are known are {}; found {}", known.join(", "), quoted(name)),
            crate::fault::meant(name, known)
                .map_or_else(|| "nothing: leave it out".to_owned(), |name| format!("the name \"{name}\"")),
        );
    }
}

/// The pointer of a member, or of its parent if it is missing.
fn at(parent: &str, name: &str, found: Option<&Value>) -> String {
    if found.is_some() { format!("{parent}/{name}") } else { parent.to_owned() }
}
