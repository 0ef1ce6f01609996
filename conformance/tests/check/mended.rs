//! What is offered instead is right: written where it belongs, it mends the document.

use hookproof::document::{self, Finding};
use hookproof_model::Dialect;
use hookproof_model::matrices::defaults;
use hookproof_model::reading::Readings;
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::{all, source};

/// What follows a snippet in what is offered, where that says more than the snippet.
const WORDS: [&str; 4] = [", or ", "; ", " for none", " under \"permissions\""];

fn findings(kind: &str, readings: &Readings, document: &Value) -> Vec<Finding> {
    let text = serde_json::to_string_pretty(document).unwrap();
    let findings = match kind {
        "manifest" => document::manifest(&readings.voiceos, text.as_bytes()).err(),
        _ => document::profile(&readings.matrices, &defaults::convention(), text.as_bytes()).err(),
    };
    findings.map_or_else(Vec::new, |findings| findings.told)
}

/// The document with one value exchanged or, for `None`, left out, for each value in it.
fn changed(document: &Value, by: Option<&Value>) -> Vec<Value> {
    fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
        let inner: Vec<_> = match value {
            Value::Object(members) => members.iter().map(|(name, inner)| (name.clone(), inner)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(at, inner)| (at.to_string(), inner)).collect()
            }
            _ => Vec::new(),
        };
        for (name, inner) in inner {
            let pointer = format!("{pointer}/{name}");
            pointers(inner, &pointer, found);
            found.push(pointer);
        }
    }
    let mut found = Vec::new();
    pointers(document, "", &mut found);
    let change = |pointer: String| {
        let mut document = document.clone();
        match by {
            Some(value) => *document.pointer_mut(&pointer).unwrap() = value.clone(),
            None => remove(&mut document, &pointer),
        }
        document
    };
    found.into_iter().map(change).collect()
}

fn remove(document: &mut Value, pointer: &str) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(members) => drop(members.remove(name)),
        Value::Array(items) => drop(items.remove(name.parse().unwrap())),
        _ => {}
    }
}

/// Writes what a finding offers where it belongs; whether it is a snippet at all.
fn mend(document: &mut Value, finding: &Finding) -> bool {
    let offered = finding.instead.as_str();
    if !offered.starts_with(['"', '{']) {
        return false;
    }
    let cut = WORDS.iter().filter_map(|word| offered.find(word)).min().unwrap_or(offered.len());
    let (snippet, words) = offered.split_at(cut);
    if words.starts_with(" under ") {
        let needed = serde_json::from_str(snippet).unwrap();
        let permissions = document.pointer_mut("/permissions").unwrap().as_array_mut().unwrap();
        permissions.retain(|permission| permission["kind"] != "transcript");
        permissions.push(needed);
        return true;
    }
    if let Ok(value) = serde_json::from_str(snippet) {
        *document.pointer_mut(&finding.pointer).unwrap() = value;
        return true;
    }
    let Ok(members) = serde_json::from_str::<Map<String, Value>>(&format!("{{{snippet}}}")) else {
        unreachable!("no snippet: {offered}")
    };
    let (name, value) = members.into_iter().next().unwrap();
    let (parent, last) = finding.pointer.rsplit_once('/').unwrap_or_default();
    // It stands for the member itself, is one that is missing, or one by another name.
    let is_renamed = finding.clause == "VO-MAN-7a";
    if is_renamed {
        remove(document, &finding.pointer);
    }
    let into = if last == name || is_renamed { parent } else { &finding.pointer };
    let into = document.pointer_mut(into).unwrap();
    if let Value::Object(members) = into {
        members.insert(name, value);
    } else {
        *into = json!({ name: value });
    }
    true
}

#[rstest]
#[case("manifest", Dialect::Voiceos)]
#[case("profile", Dialect::Matrices)]
fn what_is_offered_mends_the_document(#[case] kind: &str, #[case] dialect: Dialect) {
    let default = Readings::default();
    let readings: Vec<_> =
        [default].into_iter().chain(default.flips(dialect).map(|flip| default.flipped(flip))).collect();
    let values =
        [json!(null), json!(-1), json!("Pre Tool.Use"), json!("*x"), json!([]), json!({}), json!([{}])];
    let mut mended = 0;
    for path in all(kind) {
        let file = path.rsplit('/').next().unwrap();
        let good: Value = serde_json::from_str(&source(kind, file)).unwrap();
        for value in values.iter().map(Some).chain([None]) {
            for broken in changed(&good, value) {
                for readings in &readings {
                    let mut document = broken.clone();
                    for round in 0.. {
                        let told = findings(kind, readings, &document);
                        let says_what = |finding: &Finding| finding.message.contains("found");
                        assert!(told.iter().all(says_what), "{told:#?}");
                        let Some(first) = told.iter().find(|finding| mend(&mut document, finding)) else {
                            break;
                        };
                        assert!(round < 20, "{first:?} is not mended: {document:#}");
                        mended += 1;
                    }
                }
            }
        }
    }
    assert!(mended > 1000, "{mended}");
}
