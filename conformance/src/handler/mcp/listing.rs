//! `tools/list`: that it is whole, and that the hooks in it are those that are declared.

use std::collections::{BTreeMap, BTreeSet};

use hookproof_model::voiceos::EventKind;
use hookproof_model::voiceos::event::RESERVED_PREFIX;
use serde_json::{Map, Value, json};

use super::Exam;
use crate::handler::Plan;
use crate::handler::check::checks;
use crate::handler::cost;
use crate::handler::payload::{OwnTool, Payloads};
use crate::handler::rpc::message::Reply;
use crate::handler::rpc::session::{Outcome, Session};
use crate::words::{plain, quote};

checks! {
    WHOLE = "tools-list-whole", Must, [Mcp("Pagination")],
        "`tools/list` comes to an end: every page is a list of tools, and no cursor comes twice.";
    ONCE = "tools-list-once", Must, [Mcp("Tools")],
        "No tool is listed twice.";
    FORM = "tools-list-form", Must, [Mcp("Tools")],
        "Every tool has a name and an `inputSchema` of type object.";
    STABLE = "tools-list-stable", Should, [Mcp("Tools")],
        "Asked again, the server lists the same tools.";
    OFFERED = "hooks-offered", Must, [Clause("VO-SRV-1")],
        "The server offers at least one hook.";
    RESERVED = "hooks-reserved-names", Must, [Clause("VO-SRV-1"), Clause("VO-WIRE-1")],
        "Every tool whose name starts with `voiceos_hook_` has the name of one of the five events.";
    ARGUMENT = "hooks-argument", Must, [Clause("VO-SRV-1")],
        "A hook takes exactly one argument, a required string `payload_json`.";
    MANIFEST = "manifest-accepted", Must, [Clause("VO-MAN-1"), Clause("VO-MAN-9")],
        "The manifest is accepted.";
    DECLARED = "hooks-declared-offered", Must, [Clause("VO-SRV-1"), Clause("VO-LOAD-2a")],
        "The server offers every hook that the manifest declares.";
    UNDECLARED = "hooks-offered-declared", Should, [Clause("VO-LOAD-2b")],
        "The manifest declares every hook that the server offers.";
    TOOLS = "manifest-tools-offered", Should, [Clause("VO-WIRE-1")],
        "The server offers every tool that the manifest lists, under the manifest's name.";
}

/// A server may name a next page for ever.
const MAX_PAGES: usize = 100;
/// So many tools, and no more, are looked at.
const MAX_TOOLS: usize = 10_000;
const PAYLOAD: &str = "payload_json";

/// What a server lists.
pub(super) struct Listing {
    /// The hooks that can be called.
    pub(super) hooks: Vec<EventKind>,
    tools: BTreeMap<String, Value>,
}

/// Tells what there is to tell of the manifest before anything is started.
pub(super) fn manifest(exam: &Exam<'_>) {
    let held_against = [&DECLARED, &UNDECLARED, &TOOLS];
    match &exam.plan.manifest {
        None => {
            for check in held_against.into_iter().chain([&MANIFEST]) {
                exam.findings.not_applicable(check, "no manifest was given (--manifest FILE)");
            }
        }
        Some(Ok(_)) => exam.findings.judged(&MANIFEST),
        Some(Err(faults)) => {
            for fault in faults {
                exam.findings.broken(&MANIFEST, "manifest", fault, "the integration is not installed");
            }
            for check in held_against {
                exam.findings.not_reached(check, "the manifest is rejected");
            }
        }
    }
}

/// Lists the tools; `None` if there is nothing to call.
pub(super) async fn examine(exam: &Exam<'_>, session: &Session) -> Option<Listing> {
    let (names, tools) = match list(exam, session).await {
        Ok(listed) => listed,
        Err(instead) => {
            exam.findings.broken(&WHOLE, "tools/list", instead, "no hook of it is ever called");
            exam.findings.stop("the server does not list its tools");
            return None;
        }
    };
    once(exam, &names);
    form(exam, &tools);
    if exam.wants(&STABLE)
        && let Ok((_, again)) = list(exam, session).await
    {
        exam.findings.judged(&STABLE);
        let (first, second): (BTreeSet<_>, BTreeSet<_>) = (tools.keys().collect(), again.keys().collect());
        if first != second {
            let differ: Vec<_> = first.symmetric_difference(&second).map(|name| plain(name)).collect();
            let message = format!("asked again, the list differs in {}", differ.join(", "));
            exam.findings.broken(
                &STABLE,
                "tools/list",
                message,
                "a host that lists again loses or gains hooks",
            );
        }
    }
    reserved(exam, &tools);
    let offered: Vec<_> =
        EventKind::ALL.into_iter().filter(|event| tools.contains_key(event.tool())).collect();
    for event in offered.iter().filter(|event| exam.examines(event.name())) {
        argument(exam, *event, tools.get(event.tool()));
    }
    declared(exam, &offered, &tools);
    exam.findings.judged(&OFFERED);
    if offered.is_empty() {
        let message =
            format!("found {} tools, none of them a hook; expected `{RESERVED_PREFIX}…`", tools.len());
        exam.findings.broken(&OFFERED, "tools/list", message, "nothing is ever called");
        exam.findings.stop("the server offers no hook");
        return None;
    }
    let hooks: Vec<_> = offered.into_iter().filter(|event| exam.examines(event.name())).collect();
    if hooks.is_empty() {
        exam.findings.stop("the server offers no hook of the events that were asked for");
        return None;
    }
    Some(Listing { hooks, tools })
}

type Listed = (Vec<String>, BTreeMap<String, Value>);

/// Every tool by name, and every name as often as it came.
async fn list(exam: &Exam<'_>, session: &Session) -> Result<Listed, String> {
    let (mut names, mut tools) = (Vec::new(), BTreeMap::new());
    let mut cursors = BTreeSet::new();
    let mut params = json!({});
    for page in 1..=MAX_PAGES {
        let outcome = session.request("tools/list", params).wait(exam.patience()).await;
        let Outcome::Reply(Reply::Result(mut result), _) = outcome else {
            let why = session.link.ended().await.unwrap_or_else(|| outcome.instead());
            return Err(format!("asked for page {page}, the server {why}; expected a list of tools"));
        };
        exam.findings.judged(&WHOLE);
        let Some(Value::Array(listed)) = result.remove("tools") else {
            return Err(format!("page {page} has no list of `tools`"));
        };
        for tool in listed {
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            names.push(name.clone());
            tools.entry(name).or_insert(tool);
        }
        match result.remove("nextCursor") {
            None | Some(Value::Null) => return Ok((names, tools)),
            Some(Value::String(cursor)) if cursors.insert(cursor.clone()) && names.len() < MAX_TOOLS => {
                params = json!({ "cursor": cursor });
            }
            Some(Value::String(cursor)) => {
                return endless(
                    exam,
                    format!("the cursor {} comes again", quote(cursor.as_bytes())),
                    (names, tools),
                );
            }
            Some(other) => {
                let found = quote(other.to_string().as_bytes());
                return endless(exam, format!("`nextCursor` is {found}; expected a string"), (names, tools));
            }
        }
    }
    endless(exam, format!("there is another page after {MAX_PAGES}"), (names, tools))
}

/// The list does not end; what was listed so far is looked at all the same.
fn endless(exam: &Exam<'_>, message: String, listed: Listed) -> Result<Listed, String> {
    exam.findings.broken(
        &WHOLE,
        "tools/list",
        message,
        "a client may ask for ever, and the hooks are never called",
    );
    Ok(listed)
}

fn once(exam: &Exam<'_>, names: &[String]) {
    exam.findings.judged(&ONCE);
    let mut seen = BTreeSet::new();
    for name in names.iter().filter(|name| !seen.insert(*name)) {
        let message = format!("`{}` is listed more than once", plain(name));
        exam.findings.broken(&ONCE, "tools/list", message, "which of them is called is left to chance");
    }
}

fn form(exam: &Exam<'_>, tools: &BTreeMap<String, Value>) {
    exam.findings.judged(&FORM);
    for (name, tool) in tools {
        let kind = tool.get("inputSchema").and_then(|schema| schema.get("type"));
        if name.is_empty() || kind.is_none_or(|kind| kind != "object") {
            let found = quote(tool.to_string().as_bytes());
            let message = format!("found {found}; expected a `name` and an `inputSchema` of type object");
            exam.findings.broken(&FORM, "tools/list", message, "a strict client refuses the whole list");
        }
    }
}

fn reserved(exam: &Exam<'_>, tools: &BTreeMap<String, Value>) {
    exam.findings.judged(&RESERVED);
    let known = EventKind::ALL.map(EventKind::tool);
    for name in
        tools.keys().filter(|name| name.starts_with(RESERVED_PREFIX) && !known.contains(&name.as_str()))
    {
        let message = format!("`{}` is no hook; expected one of {}", plain(name), known.join(", "));
        exam.findings.broken(
            &RESERVED,
            "tools/list",
            message,
            "it is never called, and hidden from the agent",
        );
    }
}

fn argument(exam: &Exam<'_>, event: EventKind, tool: Option<&Value>) {
    exam.findings.judged(&ARGUMENT);
    let schema = tool.and_then(|tool| tool.get("inputSchema")).cloned().unwrap_or_default();
    let properties: Vec<_> =
        schema.get("properties").and_then(Value::as_object).into_iter().flatten().collect();
    let kind =
        properties.iter().find(|(name, _)| *name == PAYLOAD).map(|(_, schema)| schema.get("type").cloned());
    let required: Vec<_> = schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
    let found = if properties.len() != 1 || kind.is_none() {
        let names: Vec<_> = properties.iter().map(|(name, _)| plain(name)).collect();
        format!("takes {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") })
    } else if kind != Some(Some(json!("string"))) {
        let kind = kind.flatten().unwrap_or_default();
        format!("takes `{PAYLOAD}` as {}", quote(kind.to_string().as_bytes()))
    } else if required != [PAYLOAD] {
        let names: Vec<_> = required.iter().map(|name| name.to_string()).collect();
        format!("requires {}", if names.is_empty() { "nothing".to_owned() } else { plain(&names.join(", ")) })
    } else {
        return;
    };
    let message = format!("{found}; expected exactly one argument, a required string `{PAYLOAD}`");
    exam.findings.broken(&ARGUMENT, event.name(), message, cost::no_handler(event));
}

fn declared(exam: &Exam<'_>, offered: &[EventKind], tools: &BTreeMap<String, Value>) {
    let Some(Ok(manifest)) = &exam.plan.manifest else { return };
    for check in [&DECLARED, &UNDECLARED, &TOOLS] {
        exam.findings.judged(check);
    }
    for event in manifest.hooks.keys().filter(|event| !offered.contains(event)) {
        let message = format!("the manifest declares it; the server offers no `{}`", event.tool());
        exam.findings.broken(&DECLARED, event.name(), message, cost::no_handler(*event));
    }
    for event in offered.iter().filter(|event| !manifest.hooks.contains_key(event)) {
        let message = format!("the server offers `{}`; the manifest does not declare it", event.tool());
        exam.findings.broken(&UNDECLARED, event.name(), message, "it is never called");
    }
    for name in manifest.tools.iter().filter(|name| !tools.contains_key(*name)) {
        let message = format!("the manifest lists `{}`; the server does not offer it", plain(name));
        exam.findings.broken(
            &TOOLS,
            "tools/list",
            message,
            "the agent cannot call it, and its taps never fire",
        );
    }
}

impl Listing {
    /// Payloads about a tool of this server, in an app that its manifest names.
    pub(super) fn payloads(&self, plan: &Plan) -> Payloads {
        let mut payloads = Payloads::default();
        let manifest = plan.manifest.as_ref().and_then(|manifest| manifest.as_ref().ok());
        let own = |(name, tool): (&String, &Value)| {
            let is_own = manifest.is_none_or(|manifest| manifest.tools.contains(name));
            let is_tool = is_own && !name.starts_with(RESERVED_PREFIX) && !name.is_empty();
            is_tool.then(|| OwnTool { name: name.clone(), args: arguments(tool) })
        };
        if let Some(tool) = self.tools.iter().find_map(own) {
            payloads.tool = tool;
        }
        let apps = manifest.iter().flat_map(|manifest| manifest.hooks.values());
        if let Some(app) = apps.filter_map(|declared| declared.apps.as_ref()).flatten().next() {
            payloads.app.clone_from(app);
        }
        payloads
    }
}

/// Arguments that a tool's schema takes, as far as types tell.
fn arguments(tool: &Value) -> Map<String, Value> {
    let properties = tool.pointer("/inputSchema/properties").and_then(Value::as_object);
    let example = |schema: &Value| {
        let one_of = schema.get("enum").and_then(|list| list.get(0)).cloned();
        one_of.unwrap_or_else(|| match schema.get("type").and_then(Value::as_str) {
            Some("integer" | "number") => json!(1),
            Some("boolean") => json!(true),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => json!("example"),
        })
    };
    properties.into_iter().flatten().take(20).map(|(name, schema)| (name.clone(), example(schema))).collect()
}
