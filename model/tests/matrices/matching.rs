//! Tool patterns: MX-MATCH-1, 3, 4, 5 and MX-VAL-4, 5, 6, over every short pattern and every short name.
//!
//! What a pattern stands for is spelled out: the set of the names that it can be read as, put together
//! letter by letter.

use std::collections::BTreeSet;

use hookproof_model::matrices::matching;
use serde_json::json;

use crate::support::*;

const LONGEST: usize = 4;

/// Every text of at most `longest` of these letters.
fn texts(letters: &str, longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|text| letters.chars().map(move |letter| format!("{text}{letter}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Whether a pattern has its wildcard, if any, at its end alone.
fn is_pattern(text: &str) -> bool {
    !text.contains('*') || text.find('*') == Some(text.len() - 1)
}

/// The names over `letters` that a pattern stands for.
fn names_of(pattern: &str, letters: &str, crosses_dots: bool, empty_too: bool) -> BTreeSet<String> {
    let Some(at) = pattern.find('*') else { return BTreeSet::from([pattern.to_owned()]) };
    let tail_letters = if crosses_dots { letters.to_owned() } else { letters.replace('.', "") };
    let tails = texts(&tail_letters, LONGEST - at).into_iter().filter(|tail| empty_too || !tail.is_empty());
    tails.map(|tail| format!("{}{tail}", &pattern[..at])).collect()
}

const OPEN: [(&str, &[&str]); 2] =
    [("MX-MATCH-3", &["crosses-dots", "one-segment"]), ("MX-MATCH-4", &["matches", "does-not"])];

fn reads(chosen: &[(&str, &str)]) -> (bool, bool) {
    (chosen.contains(&("MX-MATCH-3", "crosses-dots")), chosen.contains(&("MX-MATCH-4", "matches")))
}

/// With a capital among the letters of the names, so that MX-MATCH-5 is in the table, too.
#[test]
fn every_short_pattern_matches_the_names_that_it_spells() {
    let (letters, mut compared) = ("aAb.", 0);
    let names = texts(letters, LONGEST);
    for chosen in all_readings(&OPEN) {
        let (crosses_dots, empty_too) = reads(&chosen);
        let readings = readings(&chosen).matrices;
        for pattern in texts("aA.*", LONGEST).into_iter().filter(|text| is_pattern(text)) {
            let expected = names_of(&pattern, letters, crosses_dots, empty_too);
            let found = names.iter().filter(|name| matching::matches(&readings, &pattern, name)).cloned();
            assert_eq!(found.collect::<BTreeSet<_>>(), expected, "`{pattern}` under {chosen:?}");
            compared += names.len();
        }
    }
    assert!(compared > 200_000, "only {compared}");
}

/// All of them through profiles, threads and events, at both tool points: a hook a pattern, sixteen hooks
/// a profile, and an event a name.
#[test]
fn a_hook_is_asked_for_the_names_that_its_pattern_spells() {
    let (letters, mut asked) = ("ab.", 0);
    let names = texts(letters, LONGEST);
    let patterns: Vec<_> = texts("a.*", LONGEST).into_iter().filter(|text| is_pattern(text)).collect();
    for (point, chosen) in ["before_tool_call", "after_tool_call"]
        .into_iter()
        .flat_map(|point| all_readings(&OPEN).into_iter().map(move |chosen| (point, chosen)))
    {
        let (crosses_dots, empty_too) = reads(&chosen);
        for patterns in patterns.chunks(16) {
            let hook = |pattern: &String| {
                hook(&format!("on {pattern}"), point, "url", json!({ "match": { "tools": [pattern] } }))
            };
            let hooks: Vec<_> = patterns.iter().map(hook).collect();
            let mut steps = vec![create("p", &text(hooks)), open("t", "p")];
            let fires = names
                .iter()
                .enumerate()
                .map(|(n, name)| fire(&n.to_string(), "t", &event(point, name, &usual(point)), &json!({})));
            steps.extend(fires);
            let seen = observed(&readings(&chosen), steps);
            assert_eq!(seen[0].accepted, Some(true));
            for (name, seen) in names.iter().zip(&seen[2..]) {
                let calls = seen.fired.as_ref().unwrap().calls.iter().map(|call| call.hook.clone());
                let spelled =
                    |pattern: &&String| names_of(pattern, letters, crosses_dots, empty_too).contains(name);
                let expected = patterns.iter().filter(spelled).map(|pattern| format!("on {pattern}"));
                let calls: Vec<_> = calls.collect();
                asked += calls.len();
                assert_eq!(calls, expected.collect::<Vec<_>>(), "`{name}` at {point} under {chosen:?}");
            }
        }
    }
    assert!(asked > 1_500, "only {asked}");
}

/// MX-VAL-4, 5, 6: each text as the one pattern of a profile.
#[test]
fn a_wildcard_elsewhere_is_refused_and_the_open_ones_by_their_readings() {
    let open: [(&str, &[&str]); 2] =
        [("MX-VAL-5", &["accept", "reject"]), ("MX-VAL-6", &["accept", "reject"])];
    let patterns = texts("a.*", LONGEST);
    for chosen in all_readings(&open) {
        let refused = |clause| chosen.contains(&(clause, "reject"));
        let expected = |pattern: &str| match pattern {
            _ if !is_pattern(pattern) => Some("MX-VAL-4"),
            "*" => refused("MX-VAL-5").then_some("MX-VAL-5"),
            "a*" | "aa*" | "aaa*" | ".a*" | "a.a*" | "..a*" | ".aa*" => {
                refused("MX-VAL-6").then_some("MX-VAL-6")
            }
            _ => None,
        };
        let listed = |pattern: &String| {
            create(
                pattern,
                &text([hook("h", "after_tool_call", "url", json!({ "match": { "tools": [pattern] } }))]),
            )
        };
        let seen = observed(&readings(&chosen), patterns.iter().map(listed).collect());
        for (pattern, seen) in patterns.iter().zip(&seen) {
            let faults: Vec<_> = seen.faults.iter().map(|fault| (&*fault.pointer, &*fault.clause)).collect();
            let place = "/configuration/hooks/0/match/tools/0";
            let expected: Vec<_> = expected(pattern).map(|clause| (place, clause)).into_iter().collect();
            assert_eq!(faults, expected, "`{pattern}` under {chosen:?}");
            assert_eq!(
                (seen.accepted, seen.hooks.is_some()),
                (Some(expected.is_empty()), expected.is_empty())
            );
        }
    }
}

/// Each fault stands at its own pattern, however many there are.
#[test]
fn every_bad_pattern_of_a_list_is_told() {
    let tools = json!(["a", "*a", "a.*", "**", "a*a", "b"]);
    let seen = observed(
        &readings(&[]),
        vec![create(
            "p",
            &text([hook("h", "before_tool_call", "url", json!({ "match": { "tools": tools } }))]),
        )],
    );
    let pointers: Vec<_> =
        seen[0].faults.iter().map(|fault| fault.pointer.rsplit('/').next().unwrap()).collect();
    assert_eq!(pointers, ["1", "3", "4"]);
}

/// MX-MATCH-1, and that a point is a point: without `match` on all of its events and on no other's.
#[test]
fn without_match_a_hook_runs_on_every_event_at_its_point() {
    let names = ["", "a", ".", "*", "payments.transfer", "ß", "a b\u{0}"];
    for (own, ..) in POINTS {
        let mut steps = vec![create("p", &text([hook("h", own, "url", json!({}))])), open("t", "p")];
        for (point, ..) in POINTS {
            let at = |name: &&str| {
                fire(&format!("{point}{name}"), "t", &event(point, name, &usual(point)), &json!({}))
            };
            steps.extend(names.iter().map(at));
        }
        let seen = observed(&readings(&[]), steps);
        for (place, seen) in seen[2..].iter().enumerate() {
            let (point, ..) = POINTS[place / names.len()];
            assert_eq!(
                seen.fired.as_ref().unwrap().calls.len(),
                usize::from(point == own),
                "{own} at {point}"
            );
        }
    }
}

/// MX-MATCH-2: one pattern of a list suffices, whichever it is.
#[test]
fn any_pattern_of_a_list_may_match() {
    let patterns = ["a", "b.*", "ab", "c*", "b.a"];
    for chosen in 1..1_u32 << patterns.len() {
        let among = |(n, _): &(usize, &&str)| chosen >> n & 1 == 1;
        let tools: Vec<_> = patterns.iter().enumerate().filter(among).map(|(_, pattern)| *pattern).collect();
        let mut steps = vec![
            create(
                "p",
                &text([hook("h", "before_tool_call", "url", json!({ "match": { "tools": tools } }))]),
            ),
            open("t", "p"),
        ];
        // Beside each name, the patterns that it answers to.
        let names: [(&str, &[&str]); 7] = [
            ("a", &["a"]),
            ("b.a", &["b.*", "b.a"]),
            ("b.", &["b.*"]),
            ("ab", &["ab"]),
            ("c", &["c*"]),
            ("b", &[]),
            ("A", &[]),
        ];
        let at = |(name, _): &(&str, &[&str])| {
            fire(name, "t", &event("before_tool_call", name, &json!({})), &json!({}))
        };
        steps.extend(names.iter().map(at));
        let seen = observed(&readings(&[]), steps);
        for ((name, answers_to), seen) in names.iter().zip(&seen[2..]) {
            let asked = answers_to.iter().any(|pattern| tools.contains(pattern));
            assert_eq!(
                seen.fired.as_ref().unwrap().calls.len(),
                usize::from(asked),
                "`{name}` for {tools:?}"
            );
        }
    }
}
