//! Rewrites: each point's member, misfits, and what is one: MX-FOLD-3 to 8, HK-REWRITE-3, MX-AUD-2b, 7.

use serde_json::{Map, Value, json};

use crate::support::*;

const MEMBERS: [&str; 3] = ["updatedText", "updatedInput", "updatedOutput"];

/// Values, and the members that may be given them.
fn values() -> [(Value, &'static [&'static str]); 11] {
    let (text, input): (&[&str], &[&str]) =
        (&["updatedText", "updatedOutput"], &["updatedInput", "updatedOutput"]);
    let output: &[&str] = &["updatedOutput"];
    [
        (json!("new"), text),
        (json!(""), text),
        (json!({}), input),
        (json!({ "a": 1 }), input),
        (json!({ "a": { "b": null } }), input),
        (json!([]), output),
        (json!([{ "a": 1 }]), output),
        (json!(0), output),
        (json!(1.5), output),
        (json!(false), output),
        (Value::Null, output),
    ]
}

/// What becomes of one answer under `fail_open`.
#[derive(Debug, PartialEq)]
enum Came {
    /// To its decision, with this value behind it if it rewrote.
    Taken(Option<Value>),
    Malformed,
}

/// What the clauses say of an answer with these rewrite members.
fn expected(point: &str, decision: &str, given: &Map<String, Value>, chosen: &[(&str, &str)]) -> Came {
    let own = rewrite_of(point);
    let reads = |clause, alternative| chosen.contains(&(clause, alternative));
    let counts = |value: &Value| !(value.is_null() && reads("HK-REWRITE-3", "null-as-absent"));
    let given: Map<_, _> = given.clone().into_iter().filter(|(_, value)| counts(value)).collect();
    if decision == "deny" {
        return Came::Taken(None);
    }
    if given.keys().any(|member| member != own) && reads("MX-FOLD-8", "malformed") {
        return Came::Malformed;
    }
    match given.get(own) {
        None => Came::Taken(None),
        Some(value) => {
            let fits = values().iter().any(|(known, members)| known == value && members.contains(&own));
            let ignored = decision == "allow" && reads("MX-FOLD-4", "ignore");
            if fits { Came::Taken((!ignored).then(|| value.clone())) } else { Came::Malformed }
        }
    }
}

/// Holds firings of one hook, with these answers, to what the clauses say.
fn tell(point: &str, chosen: &[(&str, &str)], answers: &[(&str, Map<String, Value>)]) {
    for answers in answers.chunks(50) {
        let mut steps = vec![
            create("p", &text([hook("h", point, "url", json!({ "onFailure": "fail_open" }))])),
            open("t", "p"),
        ];
        for (n, (decision, given)) in answers.iter().enumerate() {
            let mut result = Value::Object(given.clone());
            result["decision"] = (*decision).into();
            let answers = json!({ "h": { "result": result } });
            steps.push(fire(&n.to_string(), "t", &event(point, "x", &usual(point)), &answers));
        }
        steps.push(trail("t"));
        let mut seen = observed(&readings(chosen), steps);
        let audit = seen.pop().unwrap().audit.unwrap();
        assert_eq!(audit.len(), answers.len());
        for (((decision, given), seen), entry) in answers.iter().zip(&seen[2..]).zip(&audit) {
            let came = expected(point, decision, given, chosen);
            let context = format!("{decision} {given:?} at {point} under {chosen:?}: {came:?}");
            let (entered, failure) = match came {
                Came::Taken(rewrite) => (rewrite, None),
                Came::Malformed => (None, Some("wrong_shape".to_owned())),
            };
            let effective = if failure.is_some() { "defer" } else { decision };
            assert_eq!(short(entry), ("h", effective, failure), "{context}");
            let unsaid = chosen.contains(&("MX-AUD-2b", "absent")) && entered.is_none();
            assert_eq!(entry.rewrote, (!unsaid).then_some(entered.is_some()), "{context}");
            let value = entered.unwrap_or_else(|| usual(point));
            let outcome = if *decision == "deny" { stopped(point) } else { went_on(&value) };
            let fired = seen.fired.as_ref().unwrap();
            assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), outcome, "{context}");
        }
    }
}

const OPEN: [(&str, &[&str]); 4] = [
    ("HK-REWRITE-3", &["presence", "null-as-absent"]),
    ("MX-FOLD-4", &["apply", "ignore"]),
    ("MX-FOLD-8", &["malformed", "ignore-misfit"]),
    ("MX-AUD-2b", &["absent", "false"]),
];

#[test]
fn each_point_has_its_member_and_takes_what_fits() {
    let mut answers = vec![];
    for decision in ["defer", "allow", "deny"] {
        answers.push((decision, Map::new()));
        for (value, _) in values() {
            answers.extend(
                MEMBERS.map(|member| (decision, Map::from_iter([(member.to_owned(), value.clone())]))),
            );
        }
    }
    for (point, ..) in POINTS {
        for chosen in all_readings(&OPEN) {
            tell(point, &chosen, &answers);
        }
    }
}

/// Two members and all three, with values of every kind in each.
#[test]
fn two_members_are_no_rewrite_unless_misfits_are_ignored() {
    let values = [None, Some(json!("new")), Some(json!({ "a": 1 })), Some(json!([])), Some(Value::Null)];
    let mut answers = vec![];
    for decision in ["defer", "allow", "deny"] {
        for place in 0..values.len().pow(3) {
            let of = [place % 5, place / 5 % 5, place / 25];
            let given = MEMBERS
                .into_iter()
                .zip(of)
                .map(|(member, of)| Some((member.to_owned(), values[of].clone()?)));
            let given: Map<_, _> = given.flatten().collect();
            answers.extend((given.len() > 1).then_some((decision, given)));
        }
    }
    assert_eq!(answers.len(), 3 * (3 * 16 + 64));
    for (point, ..) in POINTS {
        for chosen in all_readings(&OPEN[..3]) {
            tell(point, &[chosen, vec![("MX-AUD-2b", "absent")]].concat(), &answers);
        }
    }
}

/// HK-REWRITE-1, MX-FOLD-6, MX-AUD-7: a rewrite that equals the old value is one, and those before a deny
/// were ones, too.
#[test]
fn a_rewrite_is_one_even_if_nothing_changes_or_the_work_does_not_happen() {
    for (point, _, rewrite) in POINTS {
        for (last, value) in [("allow", usual(point)), ("deny", other(point, 9)), ("defer", usual(point))] {
            let hooks = ["same", "twice", "last"].map(|id| hook(id, point, "url", json!({})));
            let same = json!({ "result": { "decision": "defer", rewrite: usual(point) } });
            let answers = json!({
                "same": same, "twice": same, "last": { "result": { "decision": last, rewrite: value } }
            });
            let steps = vec![
                create("p", &text(hooks)),
                open("t", "p"),
                fire("f", "t", &event(point, "x", &usual(point)), &answers),
                trail("t"),
            ];
            let seen = observed(&readings(&[]), steps);
            let rewrote: Vec<_> = seen[3].audit.as_ref().unwrap().iter().map(|entry| entry.rewrote).collect();
            assert_eq!(
                rewrote,
                [Some(true), Some(true), (last != "deny").then_some(true)],
                "{last} at {point}"
            );
            let outcome = if last == "deny" { stopped(point) } else { went_on(&usual(point)) };
            assert_eq!(outcome_json(seen[2].fired.as_ref().unwrap().outcome.as_ref().unwrap()), outcome);
        }
    }
}
