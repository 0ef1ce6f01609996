//! Default hooks, by example: MX-DEF-1 to 10, MX-VAL-1, MX-VAL-14. `law` draws whole histories.

mod law;

use hookproof_model::script::matrices::{Observation, PlatformError};
use serde_json::{Value, json};

use crate::support::*;

/// The six defaults of the convention and what they are for.
const SIX: [(&str, &str); 6] = [
    ("default-approve-payments", "payments.*"),
    ("default-approve-billing", "billing.*"),
    ("default-approve-email", "email.send"),
    ("default-approve-files", "files.delete"),
    ("default-approve-shell", "shell.*"),
    ("default-approve-deploy", "deploy.*"),
];

/// A default, as a profile that spells out what it may leave unsaid lists it.
fn default(id: &str, tools: &str) -> Value {
    let more =
        json!({ "match": { "tools": [tools] }, "onFailure": "fail_closed", "asyncTimeoutMs": 86_400_000 });
    hook(id, "before_tool_call", "client", more)
}

fn six() -> Vec<Value> {
    SIX.map(|(id, tools)| default(id, tools)).into()
}

fn own(count: usize) -> Vec<Value> {
    (0..count).map(|n| hook(&format!("own-{n}"), "after_output", "url", json!({}))).collect()
}

fn ids_of(seen: &Observation) -> Vec<String> {
    ids(seen.hooks.as_ref().unwrap()).into_iter().map(str::to_owned).collect()
}

fn names(hooks: &[Value]) -> Vec<&str> {
    hooks.iter().map(|hook| hook["id"].as_str().unwrap()).collect()
}

#[test]
fn a_profile_created_without_hooks_has_the_six() {
    let texts = [
        "{}",
        r#"{"configuration":{}}"#,
        r#"{"configuration":{"model":"m"},"hooks":[]}"#,
        r#" {"name":"p"} "#,
    ];
    for text in texts {
        let seen = observed(&readings(&[]), vec![create("p", text), get("p")]);
        let shown: Vec<_> = SIX
            .iter()
            .map(|(id, _)| {
                json!({ "id": id, "point": "before_tool_call", "processor": "client",
                        "on_failure": "fail_closed", "async_timeout_ms": 86_400_000 })
            })
            .collect();
        assert_eq!(serde_json::to_value(seen[0].hooks.as_ref().unwrap()).unwrap(), json!(shown), "{text}");
        assert_eq!(seen[0].hooks, seen[1].hooks);
    }
    // What they are for: who is parked on whom.
    let tools = [
        ("payments.transfer", Some(0)),
        ("billing.a.b", Some(1)),
        ("email.send", Some(2)),
        ("email.send.now", None),
        ("files.delete", Some(3)),
        ("files.deleted", None),
        ("shell.", Some(4)),
        ("shell", None),
        ("deploy.x", Some(5)),
        ("Deploy.x", None),
    ];
    let mut steps = vec![create("p", "{}"), open("t", "p")];
    steps.extend(
        tools
            .iter()
            .map(|(tool, _)| fire(tool, "t", &event("before_tool_call", tool, &json!({})), &json!({}))),
    );
    let seen = observed(&readings(&[]), steps);
    for ((tool, which), seen) in tools.iter().zip(&seen[2..]) {
        let parked = seen.fired.as_ref().unwrap().parked.as_ref().map(|wait| wait.hook.as_str());
        assert_eq!(parked, which.map(|which| SIX[which].0), "{tool}");
    }
}

/// Omitted, null, none, one, sixteen, seventeen; and a list is authoritative.
#[test]
fn a_profile_created_with_a_list_has_that_list() {
    for count in [0, 1, 15, 16, 17] {
        let seen = observed(&readings(&[]), vec![create("p", &text(own(count))), get("p")]);
        if count <= 16 {
            assert_eq!(ids_of(&seen[0]), names(&own(count)));
            assert_eq!(seen[0].hooks, seen[1].hooks);
        } else {
            let faults: Vec<_> =
                seen[0].faults.iter().map(|fault| (&*fault.pointer, &*fault.clause)).collect();
            assert_eq!(faults, [("/configuration/hooks", "MX-VAL-1")]);
            assert_eq!((seen[0].accepted, seen[1].error), (Some(false), Some(PlatformError::UnknownProfile)));
        }
    }
    for (reading, hooks) in [("reject", None), ("as-omitted", Some(6)), ("as-empty", Some(0))] {
        let seen = observed(&readings(&[("MX-VAL-14", reading)]), vec![create("p", &text(Value::Null))]);
        assert_eq!(seen[0].hooks.as_ref().map(Vec::len), hooks, "{reading}");
        assert_eq!(seen[0].accepted, Some(hooks.is_some()));
    }
    let seventeen = [six(), own(11)].concat();
    assert_eq!(observed(&readings(&[]), vec![create("p", &text(seventeen))])[0].accepted, Some(false));
}

#[test]
fn updates_change_what_they_mention() {
    let dropped: Vec<_> = six().into_iter().filter(|hook| hook["id"] != "default-approve-email").collect();
    let with_own = [own(1), six()[1..3].to_vec()].concat();
    for (reading, unmentioned) in [("keep", names(&with_own)), ("reinstall", names(&six()))] {
        let steps = vec![
            create("p", "{}"),
            update("p", &text(dropped.clone())),
            update("p", &text(with_own.clone())),
            update("p", "{}"),
            update("p", &text(json!([]))),
            update("p", r#"{"configuration":{"other":1}}"#),
            update("p", &text(own(17))),
            get("p"),
        ];
        let seen = observed(&readings(&[("MX-DEF-5", reading)]), steps);
        assert_eq!(ids_of(&seen[1]), names(&dropped));
        assert_eq!(ids_of(&seen[2]), names(&with_own));
        assert_eq!(ids_of(&seen[3]), unmentioned);
        assert!(ids_of(&seen[4]).is_empty());
        assert_eq!(ids_of(&seen[5]).len(), if reading == "keep" { 0 } else { 6 });
        assert_eq!((seen[6].accepted, &seen[6].hooks), (Some(false), &None));
        assert_eq!(seen[7].hooks, seen[5].hooks);
    }
}

/// MX-DEF-10: what may be authored under a reserved id, now and before it was one.
#[test]
fn a_differing_hook_under_a_reserved_id_is_taken_or_not() {
    let differing =
        hook(SIX[2].0, "before_tool_call", "client", json!({ "match": { "tools": ["email.*"] } }));
    for (reading, taken) in [("accept", true), ("reject", false)] {
        let later = default("later", "later.*");
        let early = hook("later", "after_output", "url", json!({}));
        let steps = vec![
            create("p", &text([differing.clone()])),
            create("same", &text(six())),
            create("early", &text([early.clone()])),
            add_default(&later),
            get("early"),
            update("early", &text([early])),
            get("early"),
        ];
        let seen = observed(&readings(&[("MX-DEF-10", reading)]), steps);
        let accepted: Vec<_> = [0, 1, 2, 3, 5].map(|step| seen[step].accepted.unwrap()).into();
        assert_eq!(accepted, [taken, true, true, true, taken], "{reading}");
        if !taken {
            let fault = &seen[0].faults[0];
            assert_eq!((&*fault.pointer, &*fault.clause), ("/configuration/hooks/0/id", "MX-DEF-10"));
        }
        assert_eq!(seen[4].hooks.as_ref().unwrap()[0].point, "after_output");
        assert_eq!(seen[4].hooks, seen[6].hooks);
    }
}

/// Profiles of every past, and what the last step of it sends; nothing where it sends no list.
fn pasts() -> Vec<(&'static str, Vec<Option<Vec<Value>>>)> {
    let reversed: Vec<_> = six().into_iter().rev().collect();
    let differing = hook(SIX[0].0, "before_tool_call", "client", json!({ "asyncTimeoutMs": 5 }));
    let under_the_id = hook("later", "after_output", "url", json!({}));
    vec![
        ("fresh", vec![None]),
        ("unmentioned", vec![None, None]),
        ("back", vec![None, Some(six())]),
        ("listed", vec![Some(six())]),
        ("reversed", vec![Some(reversed)]),
        ("dropped", vec![None, Some(six()[1..].to_vec())]),
        ("one and own", vec![Some([six()[3..4].to_vec(), own(1)].concat())]),
        ("fifteen", vec![Some([six(), own(9)].concat())]),
        ("own", vec![Some(own(3))]),
        ("differing", vec![Some(vec![differing])]),
        ("own then", vec![None, Some(own(1))]),
        ("empty", vec![Some(vec![])]),
        ("emptied", vec![None, Some(vec![])]),
        ("authored", vec![Some([six(), vec![under_the_id]].concat())]),
        ("foreseen", vec![Some([six(), vec![default("later", "later.*")]].concat())]),
        ("sixteen", vec![Some([six(), own(10)].concat())]),
        ("sixteen own", vec![Some(own(16))]),
    ]
}

/// Whom a later default reaches, by the readings of MX-DEF-6 and 9, if all had room for it.
fn reached(profile: &str, later: &str, sent_back: &str) -> bool {
    match (later, sent_back) {
        (_, "authored") if ["fresh", "unmentioned"].contains(&profile) => true,
        ("holds-a-default" | "untouched-only", "authored") => false,
        ("holds-a-default", _) => [
            "fresh",
            "unmentioned",
            "back",
            "listed",
            "reversed",
            "dropped",
            "one and own",
            "fifteen",
            "sixteen",
        ]
        .contains(&profile),
        ("untouched-only", _) => ["fresh", "unmentioned", "back", "listed"].contains(&profile),
        _ => !["empty", "emptied", "authored", "foreseen"].contains(&profile),
    }
}

/// MX-DEF-6 to 9 over every past and every reading; MX-DEF-7: added again, or once removed, it does nothing.
#[test]
fn a_later_default_reaches_whom_it_is_read_to_reach() {
    let open: [(&str, &[&str]); 4] = [
        ("MX-DEF-6", &["holds-a-default", "untouched-only", "all-but-opted-out"]),
        ("MX-DEF-8a", &["append", "catalogue-order"]),
        ("MX-DEF-8b", &["skip", "refuse"]),
        ("MX-DEF-9", &["still-default", "authored"]),
    ];
    for (chosen, with_full) in
        all_readings(&open).into_iter().flat_map(|chosen| [(chosen.clone(), false), (chosen, true)])
    {
        let [(_, later), (_, place), (_, full), (_, sent_back)] = chosen[..] else { panic!("four are open") };
        let pasts: Vec<_> =
            pasts().into_iter().filter(|(name, _)| with_full || !name.starts_with("sixteen")).collect();
        let listed = |hooks: &Option<Vec<Value>>| hooks.clone().map_or_else(|| "{}".to_owned(), text);
        let mut steps = vec![];
        for (name, past) in &pasts {
            steps.push(create(name, &listed(&past[0])));
            steps.extend(past[1..].iter().map(|hooks| update(name, &listed(hooks))));
        }
        let begins = steps.len();
        let new = default("later", "later.*");
        let read = || pasts.iter().map(|(name, _)| get(name));
        steps.extend(read());
        steps.push(add_default(&new));
        steps.extend(read());
        steps.extend([add_default(&new), add_default(&default("later", "others.*"))]);
        steps.extend(read());
        steps.extend(pasts.iter().map(|(name, _)| update(name, &text(own(1)))));
        steps.extend(
            pasts.iter().map(|(name, _)| update(name, &text([own(1), six()[..1].to_vec()].concat()))),
        );
        steps.push(add_default(&new));
        steps.extend(read());
        let seen = observed(&readings(&chosen), steps);
        let count = pasts.len();
        let before = &seen[begins..begins + count];
        let added = &seen[begins + count];
        let after = &seen[begins + count + 1..begins + 2 * count + 1];
        let again = &seen[begins + 2 * count + 1..];

        let has_room = |name: &str| !name.starts_with("sixteen");
        let refused = full == "refuse"
            && pasts.iter().any(|(name, _)| !has_room(name) && reached(name, later, sent_back));
        let context = format!("{chosen:?}, {with_full}");
        assert_eq!(
            (added.accepted, added.error),
            if refused { (None, Some(PlatformError::BadDefault)) } else { (Some(true), None) },
            "{context}"
        );
        for (((name, _), before), after) in pasts.iter().zip(before).zip(after) {
            let mut expected = ids_of(before);
            if !refused && has_room(name) && reached(name, later, sent_back) {
                // Behind the last default that the profile holds, or at the end.
                let behind = match (place, sent_back, *name) {
                    ("catalogue-order", "still-default", "fifteen") => 6,
                    ("catalogue-order", "still-default", "one and own") => 1,
                    _ => expected.len(),
                };
                expected.insert(behind, "later".to_owned());
            }
            assert_eq!(ids_of(after), expected, "{name} under {context}");
        }
        if refused {
            continue;
        }
        assert_eq!((again[0].accepted, again[0].error), (Some(true), None), "{context}");
        assert_eq!(again[1].error, Some(PlatformError::BadDefault), "{context}");
        for (after, again) in after.iter().zip(&again[2..]) {
            assert_eq!(after.hooks, again.hooks, "{context}");
        }
        for last in &again[again.len() - count..] {
            assert_eq!(ids_of(last), ["own-0", SIX[0].0], "{context}");
        }
    }
}

/// A profile that is created later has it from the beginning, behind those that were there before.
#[test]
fn a_later_default_is_one_of_those_of_profiles_to_come() {
    let steps = vec![
        add_default(&default("later", "later.*")),
        create("p", "{}"),
        update("p", "{}"),
        create("q", &text(json!([]))),
    ];
    let seen = observed(&readings(&[]), steps);
    let expected: Vec<_> = SIX.iter().map(|(id, _)| *id).chain(["later"]).collect();
    assert_eq!(
        (ids_of(&seen[1]), ids_of(&seen[2])),
        (expected.iter().map(|id| (*id).to_owned()).collect(), ids_of(&seen[1]))
    );
    assert!(ids_of(&seen[3]).is_empty());
}

/// MX-DEF-7: added again it does nothing, even where by now it would reach a profile that it passed over. The
/// one of an author who foresaw the next default holds a default only when that has come.
#[test]
fn a_default_that_passed_a_profile_over_does_not_come_back_for_it() {
    let (first, next) = (default("first", "first.*"), default("next", "next.*"));
    let listed = text([next.clone()]);
    let steps = vec![
        create("p", &listed),
        add_default(&first),
        add_default(&next),
        add_default(&first),
        get("p"),
        add_default(&default("last", "last.*")),
        get("p"),
    ];
    let seen = observed(&readings(&[]), steps);
    assert!(seen.iter().all(|step| step.error.is_none()));
    assert_eq!(ids_of(&seen[4]), ["next"]);
    assert_eq!(ids_of(&seen[6]), ["next", "last"]);
}

/// MX-VAL-1, MX-DEF-1: what a profile is created with is a list of hooks, too, and has no more than it may.
#[test]
fn there_are_no_more_defaults_than_a_profile_may_have() {
    let steps = (0..11).map(|n| add_default(&default(&format!("later-{n}"), "x.*")));
    let steps: Vec<_> = steps.chain([create("p", "{}"), create("q", &text(own(16)))]).collect();
    let seen = observed(&readings(&[]), steps);
    assert!(seen[..10].iter().all(|step| step.accepted == Some(true)));
    assert_eq!((seen[10].accepted, seen[10].error), (None, Some(PlatformError::BadDefault)));
    assert_eq!((ids_of(&seen[11]).len(), ids_of(&seen[12]).len()), (16, 16));
}
