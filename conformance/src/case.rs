//! Which cases a run puts to a candidate: vectors, freshly drawn scripts, and filters over both.

use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};
use hookproof_model::clause::Clause;
use hookproof_model::reading::Readings;
use hookproof_model::{Dialect, clause};

use crate::diagnosis;
use crate::draw;
use crate::vector::Vector;
use crate::verdict::{Case, Origin};

/// What the id of a fresh case begins with; its number follows.
const FRESH: &str = "fresh-";

impl Case {
    /// A vector as a case. Its author names the clauses that it rests on, or whose readings matter to it.
    #[must_use]
    pub fn of_vector(vector: Vector) -> Self {
        let origin = if vector.is_anchor() { Origin::Anchor } else { Origin::Corpus };
        let file = vector.file;
        let mut clauses: Vec<String> = Vec::new();
        for clause in file.rests_on.into_iter().map(|place| place.clause).chain(file.readings) {
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
        Self { id: file.id, title: file.title, origin, script: file.script, clauses }
    }

    /// The script of this number under a seed, the same whatever else is drawn.
    #[must_use]
    pub fn fresh(seed: u64, number: u64) -> Self {
        let script = draw::fresh(seed, number);
        let title = format!("Drawn for this run: a {} script", script.dialect());
        Self { id: format!("{FRESH}{number}"), title, origin: Origin::Fresh, script, clauses: Vec::new() }
    }

    /// The number of a fresh case under its seed.
    #[must_use]
    pub fn fresh_number(&self) -> Option<u64> {
        let number = self.id.strip_prefix(FRESH).filter(|_| self.origin == Origin::Fresh);
        number.and_then(|number| number.parse().ok())
    }

    /// Whether its author names this clause, or it decides it by the default readings.
    fn is_about(&self, clause: &str) -> bool {
        let decides = || {
            let suspects = diagnosis::deciding(&self.script, &Readings::default());
            suspects.iter().any(|suspect| suspect.clause(self.dialect()) == clause)
        };
        self.clauses.iter().any(|named| named == clause) || decides()
    }
}

/// What cases are selected by: a clause, an id, a glob over ids, a piece of an id or of a title.
#[derive(Debug, Clone)]
pub struct Filter {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Clause(&'static str),
    Glob(GlobMatcher),
    /// In lower case.
    Piece(String),
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("expected a case id, a glob over ids, a clause id or a piece of a title".to_owned());
        }
        // A clause may be given as it is cited.
        let id = text.strip_suffix(clause::LEDGER_VERSION).and_then(|id| id.strip_suffix('@'));
        let kind = match Clause::by_id(id.unwrap_or(text)) {
            Some(clause) => Kind::Clause(clause.id),
            None if is_glob(text) => Kind::Glob(glob(text)?),
            None => Kind::Piece(text.to_lowercase()),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

impl Filter {
    /// The text that it was made of.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Which of these cases it selects: the one of exactly this id, if there is one, else all that fit.
    fn select(&self, cases: &[Case]) -> Vec<bool> {
        let exact: Vec<_> = cases.iter().map(|case| case.id == self.text).collect();
        if exact.contains(&true) {
            return exact;
        }
        let fits = |case: &Case| match &self.kind {
            Kind::Clause(clause) => case.is_about(clause),
            Kind::Glob(glob) => glob.is_match(&case.id) || case.title.contains(&self.text),
            Kind::Piece(piece) => {
                case.id.to_lowercase().contains(piece) || case.title.to_lowercase().contains(piece)
            }
        };
        cases.iter().map(fits).collect()
    }
}

/// Whether a text is meant as a glob.
fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// A glob over case ids.
///
/// # Errors
/// It is none; the message quotes it.
pub fn glob(text: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(text).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("`{text}` is no glob: {}", error.kind()))
}

/// Which cases run. With several filters, a case runs that one of them selects.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The filters; none: every case.
    pub filters: Vec<Filter>,
    /// The dialect; none: both.
    pub dialect: Option<Dialect>,
}

impl Selection {
    /// Parts the cases that run from those that do not, both in order.
    #[must_use]
    pub fn part(&self, cases: Vec<Case>) -> (Vec<Case>, Vec<Case>) {
        let mut selected = vec![self.filters.is_empty(); cases.len()];
        for filter in &self.filters {
            for (selected, fits) in selected.iter_mut().zip(filter.select(&cases)) {
                *selected |= fits;
            }
        }
        let runs = |case: &Case| self.dialect.is_none_or(|dialect| dialect == case.dialect());
        let parted = cases.into_iter().zip(selected);
        let (running, left): (Vec<_>, Vec<_>) =
            parted.partition(|(case, is_selected)| *is_selected && runs(case));
        let cases = |parted: Vec<(Case, bool)>| parted.into_iter().map(|(case, _)| case).collect();
        (cases(running), cases(left))
    }

    /// What was asked for, for a message that nothing fits it.
    #[must_use]
    pub fn describe(&self) -> String {
        let filters: Vec<_> = self.filters.iter().map(|filter| format!("`{}`", filter.text)).collect();
        let dialect = self.dialect.map(|dialect| format!(" of the {dialect} dialect")).unwrap_or_default();
        match filters.as_slice() {
            [] => format!("no case{dialect}"),
            filters => format!("no case{dialect} fits {}", filters.join(" or ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn case(id: &str, title: &str, clause: &str) -> Case {
        let script = serde_json::from_value(json!({ "matrices": { "steps": [] } })).unwrap();
        let (id, title, clauses) = (id.to_owned(), title.to_owned(), vec![clause.to_owned()]);
        Case { id, title, origin: Origin::Anchor, script, clauses }
    }

    fn cases() -> Vec<Case> {
        vec![
            case("mx-a-deny", "A deny is withheld", "HK-DECIDE-1"),
            case("mx-a-deny-stands", "A deny stands behind a rewrite", "HK-REWRITE-1"),
            case("mx-an-allow", "What is allowed goes on", "HK-DECIDE-1"),
        ]
    }

    #[rstest]
    #[case::an_exact_id_selects_itself_alone("mx-a-deny", &["mx-a-deny"])]
    #[case::a_piece_of_an_id("a-deny", &["mx-a-deny", "mx-a-deny-stands"])]
    #[case::a_piece_of_a_title_in_any_case("BEHIND", &["mx-a-deny-stands"])]
    #[case::a_glob_over_whole_ids("mx-a-*", &["mx-a-deny", "mx-a-deny-stands"])]
    #[case::a_clause("HK-DECIDE-1", &["mx-a-deny", "mx-an-allow"])]
    #[case::a_clause_as_cited("HK-DECIDE-1@0.1", &["mx-a-deny", "mx-an-allow"])]
    #[case::nothing("vo-", &[])]
    fn a_filter_selects(#[case] filter: &str, #[case] expected: &[&str]) {
        let selection = Selection { filters: vec![filter.parse().unwrap()], dialect: None };
        let (running, left) = selection.part(cases());
        let ids: Vec<_> = running.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids, expected);
        assert_eq!(running.len() + left.len(), 3);
    }

    #[test]
    fn filters_add_up_and_a_dialect_narrows() {
        let filters = ["mx-an-allow", "stands"].map(|filter| filter.parse().unwrap()).to_vec();
        let selection = Selection { filters, dialect: Some(Dialect::Matrices) };
        assert_eq!(selection.part(cases()).0.len(), 2);
        let selection = Selection { dialect: Some(Dialect::Voiceos), ..selection };
        assert_eq!(selection.part(cases()).0.len(), 0);
    }

    #[rstest]
    #[case("")]
    #[case("mx-[a")]
    fn a_filter_that_selects_by_nothing_is_refused(#[case] filter: &str) {
        assert!(filter.parse::<Filter>().is_err());
    }
}
