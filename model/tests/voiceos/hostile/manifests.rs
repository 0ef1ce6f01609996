//! Manifests.

use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::{FaultSeen, Observation};
use hookproof_model::voiceos::manifest::MAX_BYTES;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::texts::{MIB, Whole, strings, values, wholes};
use super::{in_no_time, on_a_small_stack};
use crate::{install, observed, observed_by_the_model, readings, script};

/// Each value in one manifest, each string in two, and those of the whole answers that are no `{}`.
const MANIFESTS: usize = 95 + 227 * 2 + 106;

/// A manifest whose members are right but for these, which are JSON texts.
fn with(id: usize, name: &str, unknown: &str) -> String {
    format!(
        r#"{{"schemaVersion":1,"id":"a.n{id}","version":"1.0.0","name":{name},"summary":"s","publisher":{{"id":"p","name":"P"}},"runtime":{{"kind":"hosted"}},"tools":[{{"name":"send"}}],"x":{unknown}}}"#
    )
}

fn accepted() -> Observation {
    let (accepted, hooks, callout) = (Some(true), Some(vec![]), Some(false));
    Observation { accepted, hooks, callout, ..Observation::default() }
}

fn rejected(pointer: &str, clause: &str) -> Observation {
    let faults = vec![FaultSeen { pointer: pointer.to_owned(), clause: clause.to_owned() }];
    Observation { accepted: Some(false), faults, ..Observation::default() }
}

/// What is no JSON object is no manifest, as a whole.
fn either(is_json: bool) -> Observation {
    if is_json { accepted() } else { rejected("", "VO-MAN-9") }
}

/// The tables' manifests, each with what becomes of it.
fn cases() -> Vec<(String, Observation)> {
    let mut cases = vec![];
    for (text, meant) in values() {
        cases.push((with(cases.len(), r#""Name""#, &text), either(meant.is_some())));
    }
    for text in strings() {
        let (written, is_json) = (&text.written, text.means.is_some());
        cases.push((with(cases.len(), written, "0"), either(is_json)));
        let names = format!("{{{written}:{written}}}");
        cases.push((with(cases.len(), r#""Name""#, &names), either(is_json)));
    }
    for (text, whole) in wholes() {
        // An object without members lacks seven of them.
        if whole != Whole::Continue || !text.contains('{') {
            cases.push((text, either(false)));
        }
    }
    cases
}

fn hold(cases: Vec<(String, Observation)>) -> usize {
    let (manifests, expected): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let script = script(manifests.iter().cloned().map(install).collect());
    let observed = observed(&script, &Readings::default());
    for ((manifest, expected), seen) in manifests.iter().zip(&expected).zip(&observed) {
        let short: String = manifest.chars().rev().take(200).collect();
        let short: String = short.chars().rev().collect();
        assert!(expected == seen, "…{short}\nexpected {expected:?}\nobserved {seen:?}");
    }
    observed.len()
}

#[test]
fn manifests_are_taken_as_they_are_or_are_no_json() {
    on_a_small_stack(|| in_no_time(|| assert_eq!(hold(cases()), MANIFESTS)));
}

/// VO-MAN-9: characters are counted, not bytes; and what must be lower case is nothing else.
#[test]
fn members_with_a_shape_keep_it() {
    let change = |member: &str, value: serde_json::Value| {
        let mut manifest = crate::manifest("a.b", &json!({}));
        manifest.as_object_mut().unwrap().insert(member.to_owned(), value);
        manifest.to_string()
    };
    let mut cases = vec![];
    for hostile in
        ["\0", "\u{1f}", "\u{7f}", "\u{2028}", "\u{feff}", "\u{200b}", "é", "A", "а", "１", " ", "/", "\n"]
    {
        cases.push((change("id", json!(format!("a.b{hostile}"))), "/id"));
        cases.push((change("id", json!(format!("{hostile}a.b"))), "/id"));
        cases.push((change("version", json!(format!("1.{hostile}0.0"))), "/version"));
        cases.push((change("tools", json!([{ "name": format!("send{hostile}") }])), "/tools/0/name"));
        cases.push((change("runtime", json!({ "kind": format!("hosted{hostile}") })), "/runtime/kind"));
    }
    for over in ["x".repeat(141), "é".repeat(141), "🚢".repeat(141), "\0".repeat(141), "x".repeat(MIB)] {
        cases.push((change("summary", json!(over)), "/summary"));
    }
    cases.push((change("id", json!("a.".repeat(MIB / 2))), "/id"));
    let script = script(cases.iter().map(|(manifest, _)| install(manifest.clone())).collect());
    let seen = observed(&script, &Readings::default());
    for ((manifest, pointer), seen) in cases.iter().zip(&seen) {
        let short: String = manifest.chars().take(300).collect();
        assert_eq!(*seen, rejected(pointer, "VO-MAN-9"), "{short}");
    }
    assert_eq!(seen.len(), 13 * 5 + 5 + 1);

    for at_most in ["x".repeat(140), "é".repeat(140), "🚢".repeat(140), "\0".repeat(140)] {
        let script = crate::script(vec![install(change("summary", json!(at_most)))]);
        assert_eq!(observed(&script, &Readings::default()), [accepted()]);
    }
}

/// A manifest has at most 4 MiB, white space included.
#[test]
fn a_manifest_has_at_most_four_mebibytes() {
    assert_eq!(MAX_BYTES, 4 * MIB);
    let least = with(0, r#""Name""#, r#""""#).len();
    let filled = |size: usize| with(0, r#""Name""#, &format!("\"{}\"", "x".repeat(size - least)));
    let padded = |size: usize| {
        let manifest = with(0, r#""Name""#, r#""""#);
        let spaces = size - manifest.len();
        manifest + &" ".repeat(spaces)
    };
    let wide = |size: usize| {
        with(
            0,
            r#""Name""#,
            &format!("\"{}{}\"", "x".repeat((size - least) % 2), "é".repeat((size - least) / 2)),
        )
    };
    in_no_time(|| {
        for text in [&filled, &padded, &wide] as [&dyn Fn(usize) -> String; 3] {
            let (full, over) = (text(MAX_BYTES), text(MAX_BYTES + 1));
            assert_eq!((full.len(), over.len()), (MAX_BYTES, MAX_BYTES + 1));
            let script = |manifest| script(vec![install(manifest)]);
            assert_eq!(observed(&script(full), &Readings::default()), [accepted()]);
            let seen = observed_by_the_model(&script(over), &Readings::default());
            assert_eq!(seen, [rejected("", "VO-MAN-T")]);
        }
    });
}

/// VO-MAN-12: that none of many members is given twice takes no time to see.
#[test]
fn many_members_take_no_time() {
    let members: Vec<_> = (0..50_000).map(|n| format!(r#""m{n}":0"#)).collect();
    let once = with(0, r#""Name""#, &format!("{{{}}}", members.join(",")));
    let twice = with(0, r#""Name""#, &format!("{{{},\"m7\":1}}", members.join(",")));
    let reject = readings(&[("VO-MAN-12", "reject")]);
    in_no_time(|| {
        let seen = observed_by_the_model(&script(vec![install(twice), install(once)]), &reject);
        assert_eq!(seen, [rejected("/x/m7", "VO-MAN-12"), accepted()]);
    });
}
