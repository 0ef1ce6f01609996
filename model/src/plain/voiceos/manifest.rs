//! What a manifest declares, and every fault of one: the clauses VO-MAN.

use serde_json::{Map, Value};

use super::json::{self, below};
use super::kind::{KINDS, Kind, RESERVED, kind_named, name_of};
use super::shape;
use crate::reading::VoiceosReadings;
use crate::reading::shared::Unknown;
use crate::reading::voiceos::{EmptyApps, ManifestDuplicates, Scopes};
use crate::script::voiceos::FaultSeen;

/// What hosts need of a manifest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Manifest {
    pub(super) id: String,
    /// In the events' order.
    pub(super) hooks: Vec<Declared>,
    pub(super) tools: Vec<String>,
}

/// A declared hook.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Declared {
    pub(super) kind: Kind,
    /// The bundle ids that it is restricted to, if it is.
    pub(super) apps: Option<Vec<String>>,
}

/// A member of a manifest and where it stands.
pub(super) struct Member<'a> {
    pub(super) pointer: String,
    pub(super) value: &'a Value,
}

/// The faults found so far.
pub(super) type Faults = Vec<FaultSeen>;

/// VO-MAN-T.
pub(super) fn blame(faults: &mut Faults, pointer: &str, clause: &str) {
    faults.push(FaultSeen { pointer: pointer.to_owned(), clause: clause.to_owned() });
}

/// The member `name` of the object at `place`, if it is there.
pub(super) fn member<'a>(members: &'a Map<String, Value>, place: &str, name: &str) -> Option<Member<'a>> {
    members.get(name).map(|value| Member { pointer: below(place, name), value })
}

/// Reads a manifest's text.
pub(super) fn manifest(readings: &VoiceosReadings, text: &str) -> Result<Manifest, Faults> {
    let mut faults = vec![];
    let Some(written) = json::read(text) else {
        blame(&mut faults, "", "VO-MAN-9");
        return Err(faults);
    };
    if readings.manifest_duplicates == ManifestDuplicates::Reject {
        json::given_twice(&written, "").iter().for_each(|twice| blame(&mut faults, twice, "VO-MAN-12"));
    }
    let Value::Object(members) = json::meaning(&written) else {
        blame(&mut faults, "", "VO-MAN-9");
        return Err(faults);
    };
    let id = shape::head(readings, &members, &mut faults);
    let grants = permissions(readings, &members, &mut faults);
    let tools = tools(&members, &mut faults);
    let hooks = hooks(readings, &members, &grants, &mut faults);
    if faults.is_empty() { Ok(Manifest { id, hooks, tools }) } else { Err(faults) }
}

/// What the `transcript` permissions of a manifest grant: a scope an entry. Nobody says that a manifest
/// must ask for any permission.
fn permissions(readings: &VoiceosReadings, members: &Map<String, Value>, faults: &mut Faults) -> Vec<String> {
    let mut scopes = vec![];
    let Some(permissions) = member(members, "", "permissions") else { return scopes };
    for (pointer, permission) in shape::items(&permissions, faults).unwrap_or_default() {
        let Value::Object(permission) = permission else {
            blame(faults, &pointer, "VO-MAN-9");
            continue;
        };
        if shape::permission_kind(readings, permission, &pointer, faults) == Some("transcript") {
            scopes.push(scope(readings, permission, &pointer, faults));
        }
    }
    // VO-MAN-3.
    if readings.scopes == Scopes::FirstOnly {
        scopes.truncate(1);
    }
    scopes
}

/// VO-MAN-7b: the scope of a `transcript` permission. One that cannot be read grants nothing.
fn scope(
    readings: &VoiceosReadings,
    permission: &Map<String, Value>,
    place: &str,
    faults: &mut Faults,
) -> String {
    let found = member(permission, place, "scope");
    let is_it = |scope: &&str| found.as_ref().is_some_and(|found| found.value == *scope);
    let known = ["agent", "dictation", "all"].into_iter().find(is_it);
    if known.is_none() && readings.unknown_scope == Unknown::Reject {
        blame(faults, found.as_ref().map_or(place, |found| &found.pointer), "VO-MAN-7b");
    }
    known.unwrap_or_default().to_owned()
}

/// VO-MAN-2: whether a scope covers a hook.
fn covers(scope: &str, kind: Kind) -> bool {
    match scope {
        "all" => true,
        "dictation" => kind == Kind::Dictation,
        "agent" => kind != Kind::Dictation,
        _ => false,
    }
}

/// VO-MAN-9, VO-MAN-8: the names of the tools.
fn tools(members: &Map<String, Value>, faults: &mut Faults) -> Vec<String> {
    let mut names = vec![];
    let Some(tools) = member(members, "", "tools") else {
        blame(faults, "", "VO-MAN-9");
        return names;
    };
    let Some(tools) = shape::items(&tools, faults) else { return names };
    if tools.is_empty() {
        blame(faults, "/tools", "VO-MAN-9");
    }
    for (pointer, tool) in tools {
        let Value::Object(tool) = tool else {
            blame(faults, &pointer, "VO-MAN-9");
            continue;
        };
        let Some(name) = shape::text(tool, &pointer, "name", faults) else { continue };
        if name.value.starts_with(RESERVED) {
            blame(faults, &name.pointer, "VO-MAN-8");
        }
        if !shape::is_tool_name(name.value) {
            blame(faults, &name.pointer, "VO-MAN-9");
        }
        names.push(name.value.to_owned());
    }
    names
}

/// The declared hooks.
fn hooks(
    readings: &VoiceosReadings,
    members: &Map<String, Value>,
    grants: &[String],
    faults: &mut Faults,
) -> Vec<Declared> {
    let Some(hooks) = member(members, "", "hooks") else { return vec![] };
    let Value::Object(declared) = hooks.value else {
        blame(faults, &hooks.pointer, "VO-MAN-9");
        return vec![];
    };
    // VO-MAN-7a: what is ignored counts as if it were not there.
    let unknown: Vec<_> = declared.keys().filter(|name| kind_named(name).is_none()).collect();
    let unknown = if readings.unknown_event == Unknown::Reject { unknown } else { vec![] };
    unknown.iter().for_each(|name| blame(faults, &below("/hooks", name), "VO-MAN-7a"));
    let known = KINDS.into_iter().filter_map(|kind| Some((kind, member(declared, "/hooks", name_of(kind))?)));
    let known: Vec<_> = known.collect();
    // VO-MAN-1: no grant at all is one fault. VO-MAN-2: none that covers a hook is one for each.
    if grants.is_empty() && !(known.is_empty() && unknown.is_empty()) {
        blame(faults, member(members, "", "permissions").map_or("", |_| "/permissions"), "VO-MAN-1");
    }
    for (kind, hook) in &known {
        if !grants.is_empty() && !grants.iter().any(|scope| covers(scope, *kind)) {
            blame(faults, &hook.pointer, "VO-MAN-2");
        }
    }
    known.iter().filter_map(|(kind, member)| hook(readings, *kind, member, faults)).collect()
}

/// One declared hook.
fn hook(readings: &VoiceosReadings, kind: Kind, hook: &Member<'_>, faults: &mut Faults) -> Option<Declared> {
    let Value::Object(members) = hook.value else {
        blame(faults, &hook.pointer, "VO-MAN-9");
        return None;
    };
    let is_tap = matches!(kind, Kind::PreToolUse | Kind::PostToolUse);
    let known: &[&str] = if is_tap { &["apps", "scope"] } else { &["apps"] };
    shape::only_known(readings, members, &hook.pointer, known, faults);
    // VO-MAN-6.
    if let Some(scope) = member(members, &hook.pointer, "scope").filter(|_| is_tap)
        && scope.value != "own"
    {
        blame(faults, &scope.pointer, "VO-MAN-6");
    }
    Some(Declared { kind, apps: apps(readings, kind, members, &hook.pointer, faults) })
}

/// VO-MAN-4, VO-MAN-5: what a hook is restricted to.
fn apps(
    readings: &VoiceosReadings,
    kind: Kind,
    members: &Map<String, Value>,
    place: &str,
    faults: &mut Faults,
) -> Option<Vec<String>> {
    let Some(apps) = member(members, place, "apps") else {
        if kind == Kind::Dictation {
            blame(faults, place, "VO-MAN-4");
        }
        return None;
    };
    let Value::Array(listed) = apps.value else {
        blame(faults, &apps.pointer, "VO-MAN-9");
        return None;
    };
    for (index, _) in listed.iter().enumerate().filter(|(_, app)| !app.is_string()) {
        blame(faults, &format!("{}/{index}", apps.pointer), "VO-MAN-9");
    }
    if listed.is_empty() && kind == Kind::Dictation {
        blame(faults, &apps.pointer, "VO-MAN-4");
    } else if listed.is_empty() {
        match readings.empty_apps {
            EmptyApps::Reject => blame(faults, &apps.pointer, "VO-MAN-5"),
            EmptyApps::NeverFires => {}
            EmptyApps::AsOmitted => return None,
        }
    }
    Some(listed.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
