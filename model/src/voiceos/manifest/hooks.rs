//! The declared hooks: VO-MAN-1, 2, 4 to 7a, 10.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::permissions::{Granted, needed};
use super::{Declared, only};
use crate::fault::{Faults, found, meant, quoted, segment};
use crate::reading::VoiceosReadings;
use crate::reading::shared::Unknown;
use crate::reading::voiceos::EmptyApps;
use crate::voiceos::EventKind;

const APPS: &str = r#""apps": ["com.acme.desktop"]"#;

/// VO-MAN-1, 2, 4 to 7a: the declared hooks.
pub(super) fn hooks(
    readings: &VoiceosReadings,
    document: &Map<String, Value>,
    granted: Granted,
    faults: &mut Faults,
) -> BTreeMap<EventKind, Declared> {
    let mut declared = BTreeMap::new();
    let hooks = match document.get("hooks") {
        None => return declared,
        Some(Value::Object(hooks)) => hooks,
        Some(other) => {
            let message = format_args!("`hooks` is an object of hooks by event; found {}", found(other));
            faults.add("/hooks", "VO-MAN-9", message, r#""hooks": { "transcript": {} }"#);
            return declared;
        }
    };
    // An event that is passed over (VO-MAN-7a, ignore) is no hook that anybody declares.
    let declares =
        |name: &String| readings.unknown_event == Unknown::Reject || EventKind::named(name).is_some();
    if hooks.keys().any(declares) && !granted.any {
        let message = "any hook requires a transcript permission; found none";
        let needed = needed(document);
        match document.get("permissions") {
            Some(Value::Array(permissions)) if !permissions.is_empty() => {
                let instead = format_args!("{needed} under \"permissions\", beside the others");
                faults.add("/permissions", "VO-MAN-1", message, instead);
            }
            permissions => {
                let instead = format_args!("\"permissions\": [{needed}]");
                faults.add(super::at("", "permissions", permissions), "VO-MAN-1", message, instead);
            }
        }
    }
    for (name, hook) in hooks {
        let pointer = format!("/hooks/{}", segment(name));
        match EventKind::named(name) {
            Some(event) => {
                let hook = Hook { readings, event, value: hook, pointer, faults };
                if let Some(hook) = hook.read(document, granted) {
                    declared.insert(event, hook);
                }
            }
            None if readings.unknown_event == Unknown::Reject => {
                let names = EventKind::ALL.map(EventKind::name);
                let message = format_args!("an event is one of {}; found {}", names.join(", "), quoted(name));
                let near = meant(name, &names).map(|name| format!("\"{name}\": {{}}"));
                let instead =
                    near.unwrap_or_else(|| "one of these names, or nothing: leave it out".to_owned());
                faults.add(pointer, "VO-MAN-7a", message, instead);
            }
            None => {}
        }
    }
    declared
}

/// One hook that is being read.
struct Hook<'a> {
    readings: &'a VoiceosReadings,
    event: EventKind,
    value: &'a Value,
    pointer: String,
    faults: &'a mut Faults,
}

impl Hook<'_> {
    /// The hook; `None` if its apps are at fault.
    fn read(mut self, document: &Map<String, Value>, granted: Granted) -> Option<Declared> {
        let name = self.event.name();
        if granted.any && !granted.covers(self.event) {
            let message = format_args!("no granted scope covers `{name}`; found {}", granted.shown());
            let instead = format_args!("{} under \"permissions\"", needed(document));
            self.faults.add(&self.pointer, "VO-MAN-2", message, instead);
        }
        let Value::Object(hook) = self.value else {
            let message = format_args!("a hook is an object; found {}", found(self.value));
            let members =
                if self.event == EventKind::Dictation { format!("{{ {APPS} }}") } else { "{}".to_owned() };
            let instead = format_args!("\"{name}\": {members}");
            self.faults.add(self.pointer, "VO-MAN-9", message, instead);
            return None;
        };
        let known: &[&str] = if self.event.is_tool_tap() { &["apps", "scope"] } else { &["apps"] };
        only(self.readings, &self.pointer, hook, known, self.faults);
        if self.event.is_tool_tap()
            && let Some(scope) = hook.get("scope").filter(|scope| scope.as_str() != Some("own"))
        {
            let message =
                format_args!("a tool tap takes the scope \"own\" and no other; found {}", found(scope));
            let pointer = format_args!("{}/scope", self.pointer);
            self.faults.add(pointer, "VO-MAN-6", message, "\"scope\": \"own\"");
        }
        self.apps(hook.get("apps"))
    }

    /// VO-MAN-4, VO-MAN-5: the apps that a hook is restricted to; `None` if they are at fault.
    fn apps(&mut self, value: Option<&Value>) -> Option<Declared> {
        let dictation = self.event == EventKind::Dictation;
        let Some(value) = value else {
            if dictation {
                let message = "a dictation hook must name its apps; found none";
                self.faults.add(&self.pointer, "VO-MAN-4", message, APPS);
                return None;
            }
            return Some(Declared { apps: None });
        };
        let pointer = format!("{}/apps", self.pointer);
        let Value::Array(apps) = value else {
            let message = format_args!("`apps` is a list of bundle ids; found {}", found(value));
            self.faults.add(pointer, "VO-MAN-9", message, APPS);
            return None;
        };
        let names: Vec<_> = apps.iter().filter_map(|app| app.as_str().map(str::to_owned)).collect();
        for (index, app) in apps.iter().enumerate().filter(|(_, app)| !app.is_string()) {
            let message = format_args!("an app is named by its bundle id; found {}", found(app));
            self.faults.add(format_args!("{pointer}/{index}"), "VO-MAN-9", message, "\"com.acme.desktop\"");
        }
        if names.len() < apps.len() {
            return None;
        }
        if !names.is_empty() {
            return Some(Declared { apps: Some(names) });
        }
        match self.readings.empty_apps {
            _ if dictation => {
                let message = "a dictation hook must name its apps; found an empty list";
                self.faults.add(pointer, "VO-MAN-4", message, APPS);
            }
            EmptyApps::Reject => {
                let message = "`apps` names at least one app where it is given; found an empty list";
                let instead = format_args!("{APPS}, or no `apps` for every app");
                self.faults.add(pointer, "VO-MAN-5", message, instead);
            }
            EmptyApps::NeverFires => return Some(Declared { apps: Some(names) }),
            EmptyApps::AsOmitted => return Some(Declared { apps: None }),
        }
        None
    }
}
