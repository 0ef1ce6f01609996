//! `hookproof clauses`: every clause once, and what decides it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::process::{Command, Output};

use hookproof::coverage::Coverage;
use hookproof::handler::check::Ground;
use hookproof::mutant::Mutant;
use hookproof::vector::packed;
use hookproof_model::clause::{Binds, Clause, Strength};
use pretty_assertions::assert_eq;
use serde_json::Value;

fn command(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hookproof")).args(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = command(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn listed() -> Value {
    serde_json::from_str(&stdout(&["clauses", "--format", "json"])).unwrap()
}

#[test]
fn json_lists_every_clause_once_in_the_ledgers_order() {
    let document = listed();
    let ids: Vec<_> =
        document["clauses"].as_array().unwrap().iter().map(|clause| clause["id"].as_str().unwrap()).collect();
    assert_eq!(ids, Clause::all().map(|clause| clause.id).collect::<Vec<_>>());
    let all = document["totals"].as_array().unwrap().iter().find(|total| total["of"] == "all").unwrap();
    assert_eq!(all["clauses"], ids.len());
    for counted in ["strengths", "statuses"] {
        let sum: u64 = all[counted].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(sum, ids.len() as u64, "{counted}");
    }
}

#[test]
fn a_clause_is_modelled_only_where_a_vector_decides_it() {
    for clause in listed()["clauses"].as_array().unwrap() {
        let vectors = clause["vectors"].as_array().unwrap();
        match clause["status"].as_str().unwrap() {
            "decided" => assert!(!vectors.is_empty(), "{}", clause["id"]),
            "not_modelled" => assert!(vectors.is_empty(), "{}", clause["id"]),
            "law" => assert!(clause["id"].as_str().unwrap().starts_with("HK-LAW-")),
            "hook" => assert!(clause["id"].as_str().unwrap().starts_with("VO-SRV-")),
            "live" => assert_eq!(clause["id"], "MX-WAIT-11"),
            other => assert_eq!(other, "tool"),
        }
    }
}

#[test]
fn every_clause_that_binds_hooks_is_checked_and_every_check_rests_on_clauses_that_exist() {
    let mut rested_on = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for check in hookproof::handler::all_checks() {
        assert!(ids.insert(check.id), "the id {} is given twice", check.id);
        for ground in check.rests_on {
            if let Ground::Clause(id) = ground {
                assert!(Clause::by_id(id).is_some(), "{} rests on {id}, which is no clause", check.id);
                rested_on.insert(*id);
            }
        }
    }
    let unchecked: Vec<_> = Clause::all()
        .filter(|clause| clause.binds() == Binds::Hooks && !rested_on.contains(clause.id))
        .map(|clause| clause.id)
        .collect();
    assert_eq!(unchecked, Vec::<&str>::new());
}

#[test]
fn every_clause_that_binds_hosts_is_decided_and_what_a_source_states_is_anchored() {
    let coverage = Coverage::of(&packed().unwrap());
    for clause in Clause::all().filter(|clause| clause.binds() == Binds::Hosts) {
        let (id, broken) = (clause.id, Mutant::all().any(|mutant| mutant.clauses.contains(&clause.id)));
        assert!(broken || clause.readings().next().is_some(), "{id} has neither mutant nor alternative");
        assert!(!coverage.vectors(id).is_empty(), "no vector decides {id}");
        if clause.strengths().contains(&Strength::Stated) {
            assert!(!coverage.anchors(id).is_empty(), "{id} has no anchor");
        }
    }
}

#[test]
fn a_clause_with_a_mutant_and_an_anchor_is_decided() {
    let coverage = Coverage::of(&packed().unwrap());
    for id in ["HK-DECIDE-1", "HK-REWRITE-2", "VO-DL-3", "MX-DL-1", "MX-FAIL-1", "VO-CONF-1"] {
        assert!(!coverage.vectors(id).is_empty(), "{id}");
        assert!(!coverage.anchors(id).is_empty(), "{id}");
    }
    assert!(coverage.vectors("HK-DECIDE-1").contains(&"mx-the-first-non-defer-decision-wins".to_owned()));
    assert!(coverage.vectors("NO-CLAUSE-1").is_empty());
}

#[test]
fn the_listing_marks_defaults_laws_and_what_is_not_modelled() {
    let text = stdout(&["clauses"]);
    for clause in Clause::all() {
        assert!(text.lines().any(|line| line.starts_with(&format!("{} ", clause.id))), "{}", clause.id);
    }
    assert!(text.contains("law: checked by property tests"));
    assert!(text.contains("= *in-time | late"));
    assert!(!text.contains('\u{1b}'));
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn one_dialect_leaves_out_the_clauses_of_the_other() {
    let text = stdout(&["clauses", "--dialect", "matrices"]);
    assert!(text.contains("\nMX-WAIT-4 ") && text.contains("HK-DECIDE-1 "));
    assert!(!text.lines().any(|line| line.starts_with("VO-")));
}

#[test]
fn a_full_entry_quotes_its_grounds_and_names_its_mutants() {
    let text = stdout(&["clauses", "HK-DECIDE-1@0.1"]);
    for phrase in [
        "cited as HK-DECIDE-1@0.1",
        "matrices: Matrices hooks page, section Decisions: “the first non-defer",
        "voiceos: follows from VO-FOLD-14",
        "`last-decision-wins`",
        "\n    mx-the-first-non-defer-decision-wins\n",
    ] {
        assert!(text.contains(phrase), "{phrase} is not in\n{text}");
    }
}

#[test]
fn an_unknown_clause_is_told_with_the_nearest() {
    let output = command(&["clauses", "HK-DECDE-1"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("the nearest: HK-DECIDE-1"), "{told}");
    assert_eq!(command(&["clauses", "HK-DECIDE-1@9.9"]).status.code(), Some(2));
    assert_eq!(command(&["clauses", "--dialect", "latin"]).status.code(), Some(2));
}
