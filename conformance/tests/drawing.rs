//! Drawn scripts.

use std::collections::{BTreeMap, BTreeSet};

use hookproof::diagnosis::Suspect;
use hookproof::draw;
use hookproof::rename::Renaming;
use hookproof_model::reading::Readings;
use hookproof_model::script::Script;
use hookproof_model::{Dialect, run};
use serde_json::{Value, json};

#[test]
fn the_same_seed_draws_the_same_scripts() {
    for index in 0..50 {
        assert_eq!(draw::fresh(7, index), draw::fresh(7, index));
    }
    assert_ne!(draw::fresh(7, 2), draw::fresh(8, 2));
}

#[test]
fn a_renamed_script_gives_the_renamed_transcript() {
    for index in 0..1000 {
        let mut script = draw::fresh(1, index);
        if let Script::Matrices(script) = &mut script {
            script.catalogue = Some(hookproof_model::matrices::defaults::convention_json());
        }
        let plain = json!(script);
        // Comparisons by order are the one thing that a renaming may change.
        if ["\\\"gt", "\\\"lt"].iter().any(|operator| plain.to_string().contains(operator)) {
            continue;
        }
        let renaming = Renaming::of(&plain, index, &BTreeSet::new());
        let renamed: Script = serde_json::from_value(renaming.there(&plain)).unwrap();
        let mut there = renaming.there(&json!(run(&script, &Readings::default()).unwrap()));
        let mut found = json!(run(&renamed, &Readings::default()).unwrap());
        sort(&mut found);
        sort(&mut there);
        assert_eq!(found, there, "script {index}: {plain}");
    }
}

/// Lists of tools and faults stand in the order of names, and so in another one after a renaming.
fn sort(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match member.as_array_mut().filter(|_| name == "tools" || name == "faults") {
                    Some(items) => items.sort_by_key(ToString::to_string),
                    None => sort(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(sort),
        _ => {}
    }
}

#[test]
fn drawn_scripts_reach_every_mutant_and_every_modelled_alternative() {
    let readings = Readings::default();
    let suspects: BTreeMap<_, _> =
        Dialect::ALL.map(|dialect| (dialect, Suspect::all(dialect, &readings).collect::<Vec<_>>())).into();
    let mut missing: BTreeSet<_> = suspects.values().flatten().map(Suspect::name).collect();
    for index in 0..20_000 {
        let script = draw::fresh(3, index);
        let transcript = run(&script, &readings).ok();
        for suspect in &suspects[&script.dialect()] {
            let name = suspect.name();
            if missing.contains(&name) && suspect.transcript(&script, &readings) != transcript {
                missing.remove(&name);
            }
        }
        if missing.is_empty() {
            break;
        }
    }
    assert!(missing.is_empty(), "not reached: {missing:?}");
}

#[test]
fn drawn_scripts_reach_every_failure_outcome_and_edge() {
    let mut seen = BTreeSet::new();
    for index in 0..6000 {
        let script = draw::fresh(5, index);
        let transcript = json!(run(&script, &Readings::default()).unwrap());
        let dialect = script.dialect();
        note(&transcript, &mut |name, value| match name {
            "failure" | "error" => {
                seen.insert(format!("{dialect} {name} {}", value.as_str().unwrap()));
            }
            "outcome" => {
                seen.extend(value.as_object().unwrap().keys().map(|kind| format!("{dialect} {kind}")))
            }
            "parked" | "cards" | "user_sees" | "context" => {
                seen.insert(format!("{dialect} {name}"));
            }
            "ended_ms" => {
                let budget = [250, 500, 2000].contains(&value.as_u64().unwrap());
                seen.extend(budget.then(|| format!("{dialect} budget used up")));
            }
            "calls" if value.as_array().unwrap().len() >= 12 => {
                seen.insert(format!("{dialect} long chain"));
            }
            _ => {}
        });
        note(&json!(script), &mut |name, value| {
            if name == "after_ms" && dialect == Dialect::Voiceos {
                let offset = [250, 500, 2000].map(|budget| value.as_i64().unwrap() - budget);
                seen.extend(
                    offset
                        .iter()
                        .filter(|offset| offset.abs() <= 1)
                        .map(|offset| format!("voiceos {offset:+} ms")),
                );
            }
            if name == "after_ms" && dialect == Dialect::Matrices {
                let offset = value.as_i64().unwrap() - 10_000;
                seen.extend((offset.abs() <= 1).then(|| format!("matrices {offset:+} ms")));
            }
        });
    }
    let expected = "voiceos failure timeout, voiceos failure disconnect, voiceos failure tool_error,
        voiceos failure protocol_error, voiceos failure unparsable, voiceos failure wrong_shape,
        voiceos failure unregistered, voiceos failure silenced, voiceos went_on, voiceos pasted, voiceos executed,
        voiceos blocked, voiceos handled, voiceos consumed, voiceos declined, voiceos not_run, voiceos sent,
        voiceos cards, voiceos user_sees, voiceos context, voiceos budget used up, voiceos long chain,
        voiceos -1 ms, voiceos +0 ms, voiceos +1 ms,
        matrices failure timeout, matrices failure refused, matrices failure disconnect, matrices failure status,
        matrices failure redirect, matrices failure unparsable, matrices failure wrong_shape, matrices failure expired,
        matrices went_on, matrices denied, matrices withheld, matrices cancelled, matrices parked,
        matrices long chain, matrices error already_resolved, matrices error expired, matrices error unknown_wait,
        matrices error not_a_result, matrices -1 ms, matrices +0 ms, matrices +1 ms";
    let missing: Vec<_> = expected.split(',').map(str::trim).filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}; drawn: {seen:?}");
}

/// Tells of every member of a value.
fn note(value: &Value, see: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                see(name, member);
                if !matches!(name.as_str(), "payload" | "value" | "result" | "args" | "text" | "body") {
                    note(member, see);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| note(item, see)),
        _ => {}
    }
}
