//! Drawn scripts.

use std::collections::BTreeSet;

use hookproof::diagnosis::{Suspect, deciding};
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
fn drawn_scripts_reach_every_mutant_and_most_alternatives() {
    let mut reached = BTreeSet::new();
    for index in 0..4000 {
        let script = draw::fresh(3, index);
        reached.extend(deciding(&script, &Readings::default()).iter().map(Suspect::name));
    }
    let missing: Vec<_> = Dialect::ALL
        .into_iter()
        .flat_map(|dialect| Suspect::all(dialect, &Readings::default()))
        .map(|suspect| suspect.name())
        .filter(|name| !reached.contains(name))
        .collect();
    println!("missing: {missing:?}");
}
