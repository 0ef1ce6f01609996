//! The ledger of clauses is whole: ids, grounds and readings fit together.
//!
//! Faults of all clauses are collected before a test fails.

use std::collections::{BTreeMap, BTreeSet};

use hookproof_model::Dialect;
use hookproof_model::clause::{Basis, Clause, Ground, Source};
use hookproof_model::reading::{Reading, Readings};
use pretty_assertions::assert_eq;
use rstest::rstest;

/// Every clause beside each of its grounds.
fn grounds() -> impl Iterator<Item = (&'static Clause, &'static Ground)> {
    Clause::all().flat_map(|clause| clause.grounds.iter().map(move |ground| (clause, ground)))
}

/// The dialects that a ground of `clause` speaks for.
fn dialects(clause: &Clause, ground: &Ground) -> Vec<Dialect> {
    ground.dialect.map_or_else(|| clause.dialects().to_vec(), |dialect| vec![dialect])
}

/// The headings of a source under which a clause may stand.
fn sections(source: Source) -> &'static [&'static str] {
    match source {
        Source::VoiceosHooks => &[
            "Hooks",
            "The events",
            "Declaring hooks",
            "Writing handlers",
            "Deadlines and fail-open",
            "What hooks can never do",
            "Review",
        ],
        Source::VoiceosWireFacts => &["Tools", "Payloads", "Result", "Manifest", "Seen in practice"],
        Source::MatricesHooks => {
            &["Hooks", "Points", "Processors", "Decisions", "HookInput", "Default hooks", "The audit trail"]
        }
    }
}

/// Whose document it is.
fn dialect_of(source: Source) -> Dialect {
    match source {
        Source::VoiceosHooks | Source::VoiceosWireFacts => Dialect::Voiceos,
        Source::MatricesHooks => Dialect::Matrices,
    }
}

/// `HK-DECIDE-1`, `VO-FOLD-16a`, `VO-MAN-T`, `HK-LAW-OPEN`.
fn is_well_formed(id: &str) -> bool {
    let mut segments: Vec<_> = id.split('-').collect();
    let Some(last) = segments.pop() else {
        return false;
    };
    let is_word =
        |segment: &str| !segment.is_empty() && segment.chars().all(|letter| letter.is_ascii_uppercase());
    let number = last.strip_suffix(|letter: char| letter.is_ascii_lowercase()).unwrap_or(last);
    let is_number = !number.starts_with('0') && number.parse::<u8>().is_ok();
    matches!(segments.first(), Some(&("HK" | "VO" | "MX")))
        && segments.len() >= 2
        && segments.into_iter().all(is_word)
        && (is_number || is_word(last))
}

/// The values that stand more than once.
fn repeated<T: Ord + Copy>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|value| !seen.insert(*value)).collect()
}

const NONE: [String; 0] = [];

#[rstest]
#[case::of_the_kernel("HK-DECIDE-1")]
#[case::of_a_law("HK-LAW-OPEN")]
#[case::of_a_part("VO-FOLD-16a")]
#[case::of_a_tool("MX-VAL-T")]
fn an_id_is_well_formed(#[case] id: &str) {
    assert!(is_well_formed(id));
}

#[rstest]
#[case::without_a_number("HK-")]
#[case::without_a_topic("HK-1")]
#[case::of_no_dialect("XX-DECIDE-1")]
#[case::with_a_leading_zero("HK-DECIDE-01")]
#[case::with_two_letters("VO-FOLD-16ab")]
#[case::in_lower_case("hk-decide-1")]
fn an_id_is_not_well_formed(#[case] id: &str) {
    assert!(!is_well_formed(id));
}

#[test]
fn ids_are_unique() {
    assert_eq!(repeated(Clause::all().map(|clause| clause.id)), [""; 0]);
}

#[test]
fn ids_are_well_formed() {
    let odd: Vec<_> = Clause::all().map(|clause| clause.id).filter(|id| !is_well_formed(id)).collect();
    assert_eq!(odd, [""; 0]);
}

#[test]
fn an_id_is_either_whole_or_split_into_parts_from_a_on() {
    let mut parts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for clause in Clause::all() {
        let whole = clause.id.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        parts.entry(whole).or_default().push(clause.id.trim_start_matches(whole));
    }
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let odd: Vec<_> = parts
        .into_iter()
        .filter(|(_, parts)| parts != &[""] && (parts.len() < 2 || !letters.starts_with(parts)))
        .collect();
    assert_eq!(odd, []);
}

#[test]
fn every_clause_can_be_found_by_its_id() {
    assert!(Clause::all().all(|clause| Clause::by_id(clause.id) == Some(clause)));
    assert_eq!(Clause::by_id("HK-NOWHERE-1"), None);
}

#[test]
fn sentences_end_with_a_full_stop() {
    let statements = Clause::all().map(|clause| (clause.id, clause.statement));
    let explanations = grounds().filter_map(|(clause, ground)| match ground.basis {
        Basis::Derived { how, .. } if !how.is_empty() => Some((clause.id, how)),
        Basis::Convention { why } => Some((clause.id, why)),
        _ => None,
    });
    let reasons = Readings::list().map(|reading| (reading.id, reading.why));
    let odd: Vec<_> = statements
        .chain(explanations)
        .chain(reasons)
        .filter(|(_, sentence)| !sentence.ends_with('.') || sentence.contains("  "))
        .collect();
    assert_eq!(odd, []);
}

#[test]
fn every_clause_has_a_ground_in_each_of_its_dialects_but_a_law_may_be_of_one() {
    let mut bare = Vec::new();
    for clause in Clause::all() {
        let spoken_for: BTreeSet<_> =
            clause.grounds.iter().flat_map(|ground| dialects(clause, ground)).collect();
        let enough = if clause.id.starts_with("HK-LAW-") { 1 } else { clause.dialects().len() };
        if spoken_for.len() < enough {
            bare.push(clause.id);
        }
    }
    assert_eq!(bare, [""; 0]);
}

#[test]
fn only_kernel_clauses_tell_grounds_apart_by_dialect() {
    let odd: Vec<_> = grounds()
        .filter(|(clause, ground)| ground.dialect.is_some() && !clause.id.starts_with("HK-"))
        .map(|(clause, _)| clause.id)
        .collect();
    assert_eq!(odd, [""; 0]);
}

#[test]
fn the_grounds_of_a_dialect_carry_different_parts() {
    let parts = grounds().flat_map(|(clause, ground)| {
        dialects(clause, ground).into_iter().map(|dialect| (clause.id, dialect, ground.part))
    });
    assert_eq!(repeated(parts), []);
}

#[test]
fn a_part_is_named_where_a_dialect_has_several_grounds() {
    let mut odd = Vec::new();
    for clause in Clause::all() {
        for dialect in clause.dialects() {
            let of_dialect: Vec<_> =
                clause.grounds.iter().filter(|ground| dialects(clause, ground).contains(dialect)).collect();
            let all_named = of_dialect.iter().all(|ground| !ground.part.is_empty());
            let none_named = of_dialect.iter().all(|ground| ground.part.is_empty());
            if !(if of_dialect.len() > 1 { all_named } else { none_named }) {
                odd.push((clause.id, *dialect));
            }
        }
    }
    assert_eq!(odd, []);
}

#[test]
fn phrases_have_one_to_eight_words_and_stand_under_a_heading_of_their_source() {
    let mut odd = Vec::new();
    for (clause, ground) in grounds() {
        let Basis::Stated { source, section, phrase } = ground.basis else {
            continue;
        };
        if !(1..=8).contains(&phrase.split_whitespace().count()) || phrase != phrase.trim() {
            odd.push(format!("{}: `{phrase}`", clause.id));
        }
        if !sections(source).contains(&section) {
            odd.push(format!("{}: no heading `{section}` in {source}", clause.id));
        }
    }
    assert_eq!(odd, NONE);
}

#[test]
fn a_source_speaks_for_its_own_dialect_only() {
    let odd: Vec<_> = grounds()
        .filter(|(clause, ground)| match ground.basis {
            Basis::Stated { source, .. } => dialects(clause, ground) != [dialect_of(source)],
            _ => false,
        })
        .map(|(clause, _)| clause.id)
        .collect();
    assert_eq!(odd, [""; 0]);
}

#[test]
fn a_derived_clause_names_existing_clauses_of_its_dialect_once_each() {
    let mut odd = Vec::new();
    for (clause, ground) in grounds() {
        let Basis::Derived { from, .. } = ground.basis else {
            continue;
        };
        if from.is_empty() || !repeated(from).is_empty() {
            odd.push(format!("{}: {from:?}", clause.id));
        }
        for id in from {
            let spoken_for = dialects(clause, ground);
            match Clause::by_id(id) {
                None => odd.push(format!("{}: no clause {id}", clause.id)),
                Some(origin) if !origin.dialects().iter().any(|dialect| spoken_for.contains(dialect)) => {
                    odd.push(format!("{}: {id} is of another dialect", clause.id));
                }
                Some(_) => {}
            }
        }
    }
    assert_eq!(odd, NONE);
}

#[test]
fn derivations_never_go_in_circles() {
    let mut origins: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (clause, ground) in grounds() {
        let known = origins.entry(clause.id).or_default();
        if let Basis::Derived { from, .. } = ground.basis {
            known.extend(from);
        }
    }
    // Take away what rests on nothing that is left; what remains at the end goes in circles.
    loop {
        let settled: Vec<_> = origins.iter().filter(|(_, from)| from.is_empty()).map(|(id, _)| *id).collect();
        if settled.is_empty() {
            break;
        }
        for id in &settled {
            origins.remove(id);
        }
        for from in origins.values_mut() {
            from.retain(|id| !settled.contains(id));
        }
    }
    assert_eq!(origins, BTreeMap::new());
}

#[test]
fn every_ground_that_is_a_reading_has_one_with_alternatives_in_its_dialect() {
    let mut odd = Vec::new();
    for (clause, ground) in grounds().filter(|(_, ground)| ground.basis == Basis::Reading) {
        for dialect in dialects(clause, ground) {
            match clause.readings().find(|reading| reading.dialect == dialect) {
                None => odd.push(format!("{} has no reading in {dialect}", clause.id)),
                Some(reading) if reading.alternatives.len() < 2 => {
                    odd.push(format!("{} has no alternative in {dialect}", clause.id));
                }
                Some(_) => {}
            }
        }
    }
    assert_eq!(odd, NONE);
}

#[test]
fn every_reading_belongs_to_a_ground_that_is_one_in_its_dialect() {
    let belongs = |reading: &&Reading| {
        grounds().any(|(clause, ground)| {
            clause.id == reading.id
                && ground.basis == Basis::Reading
                && dialects(clause, ground).contains(&reading.dialect)
        })
    };
    let odd: Vec<_> = Readings::list()
        .filter(|reading| !belongs(reading))
        .map(|reading| (reading.id, reading.dialect))
        .collect();
    assert_eq!(odd, []);
}

#[test]
fn a_dialect_has_one_reading_a_clause() {
    assert_eq!(repeated(Readings::list().map(|reading| (reading.id, reading.dialect))), []);
}

#[test]
fn the_alternatives_of_a_reading_have_different_names() {
    let odd: Vec<_> = Readings::list()
        .filter(|reading| !repeated(reading.alternatives).is_empty())
        .map(|reading| (reading.id, reading.dialect))
        .collect();
    assert_eq!(odd, []);
}
