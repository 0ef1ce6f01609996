//! `hookproof clauses`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use hookproof_model::Dialect;
use hookproof_model::clause::{Binds, Clause, Ground, LEDGER_VERSION, Strength};
use hookproof_model::reading::Reading;
use serde::Serialize;

use super::explain::{nearest, pretty};
use super::{CliError, EXIT_OK};
use crate::coverage::Coverage;
use crate::explain::{WIDTH, ground, words};
use crate::handler::{self, check};
use crate::mutant::Mutant;
use crate::vector;

const EXAMPLES: &str = "\
Examples:
  hookproof clauses                              every clause with what decides it
  hookproof clauses --dialect matrices
  hookproof clauses HK-DECIDE-1 VO-DL-4          their full entries
  hookproof clauses --format json | jq '.clauses[] | select(.status == \"not_modelled\") | .id'";

/// List the clauses of the specification
///
/// Every clause with its strength, the alternatives of its readings (`*` at the default), and how
/// many vectors decide it and how many anchors rest on it. With ids: the full entries, with grounds,
/// readings, mutants and deciding vectors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Clauses to show in full, as HK-DECIDE-1 or HK-DECIDE-1@0.1
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Only those that can bind in this dialect: voiceos or matrices
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How a verb prints what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Format {
    /// For reading.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

/// Lists the clauses and gives the exit code.
///
/// # Errors
/// There is no such clause.
pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let Args { ids, dialect, format } = args;
    let binds = |clause: &&Clause| dialect.is_none_or(|dialect| clause.dialects().contains(&dialect));
    let mut clauses: Vec<_> = Clause::all().filter(binds).collect();
    if !ids.is_empty() {
        clauses = ids.iter().map(|id| named(id)).collect::<Result<_, _>>()?;
    }
    let coverage = Coverage::of(&vector::packed().map_err(CliError::new)?);
    let entries: Vec<_> = clauses.into_iter().map(|clause| Entry::of(clause, dialect, &coverage)).collect();
    let text = match format {
        Format::Json => {
            let totals = totals(&entries);
            pretty(&Listing { ledger: LEDGER_VERSION, clauses: &entries, totals })?
        }
        Format::Text if ids.is_empty() => listing(&entries),
        Format::Text => entries.iter().map(full).collect::<Vec<_>>().join("\n"),
    };
    print(&words::harmless(&text))?;
    Ok(EXIT_OK)
}

/// Prints a text. That nobody reads it to its end is no failure.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(CliError::new(format_args!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

fn named(id: &str) -> Result<&'static Clause, CliError> {
    let (bare, version) = id.split_once('@').unwrap_or((id, LEDGER_VERSION));
    if version != LEDGER_VERSION {
        return Err(CliError::new(format_args!(
            "{id}: this command has version {LEDGER_VERSION} of the ledger"
        )));
    }
    Clause::by_id(bare).ok_or_else(|| {
        let ids: Vec<_> = Clause::all().map(|clause| clause.id).collect();
        CliError::new(format_args!("no clause has the id `{bare}`{}", nearest(bare, &ids)))
    })
}

/// Whether a clause is modelled, as its vectors say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Some vector decides it.
    Decided,
    /// No vector decides it yet.
    NotModelled,
    /// A law: property tests check it, no vector can.
    Law,
    /// It holds under real concurrency, which no script can bring about.
    Live,
    /// It binds hooks, not those who call them.
    Hook,
    /// It binds this project's own vectors and commands.
    Tool,
}

impl Status {
    /// As totals name it.
    const fn name(self) -> &'static str {
        match self {
            Self::Decided => "decided",
            Self::NotModelled => "not modelled",
            Self::Law => "laws",
            Self::Live => "live",
            Self::Hook => "of hooks",
            Self::Tool => "tool",
        }
    }
}

/// A clause with all that is known of it.
#[derive(Debug, Serialize)]
struct Entry {
    id: &'static str,
    citation: String,
    statement: &'static str,
    strengths: Vec<Strength>,
    dialects: &'static [Dialect],
    status: Status,
    grounds: &'static [Ground],
    readings: Vec<ReadingEntry>,
    mutants: Vec<MutantEntry>,
    vectors: Vec<String>,
    anchors: Vec<String>,
    /// The checks of `hookproof handler` that rest on it.
    checks: Vec<&'static str>,
    #[serde(skip)]
    clause: &'static Clause,
    #[serde(skip)]
    only: Option<Dialect>,
}

#[derive(Debug, Serialize)]
struct ReadingEntry {
    dialect: Dialect,
    question: &'static str,
    default: &'static str,
    alternatives: &'static [&'static str],
    why: &'static str,
}

#[derive(Debug, Serialize)]
struct MutantEntry {
    name: &'static str,
    does: &'static str,
    seen: &'static str,
}

#[derive(Serialize)]
struct Listing<'a> {
    ledger: &'static str,
    clauses: &'a [Entry],
    totals: Vec<Total>,
}

/// The clauses of one kind, counted: each by its strongest ground.
#[derive(Debug, Default, Serialize)]
struct Total {
    of: &'static str,
    clauses: usize,
    strengths: BTreeMap<Strength, usize>,
    statuses: BTreeMap<Status, usize>,
}

impl Entry {
    fn of(clause: &'static Clause, only: Option<Dialect>, coverage: &Coverage) -> Self {
        let reads = |reading: &&Reading| only.is_none_or(|dialect| reading.dialect == dialect);
        let reading = |reading: &Reading| ReadingEntry {
            dialect: reading.dialect,
            question: reading.question,
            default: reading.alternatives.first().copied().unwrap_or_default(),
            alternatives: reading.alternatives,
            why: reading.why,
        };
        let breaks = |mutant: &&Mutant| mutant.clauses.contains(&clause.id);
        let mutant =
            |mutant: &Mutant| MutantEntry { name: mutant.name, does: mutant.does, seen: mutant.seen };
        let vectors = coverage.vectors(clause.id).to_vec();
        Self {
            id: clause.id,
            citation: clause.citation(),
            statement: clause.statement,
            strengths: clause.strengths(),
            dialects: clause.dialects(),
            status: match clause.binds() {
                Binds::Hosts if vectors.is_empty() => Status::NotModelled,
                Binds::Hosts => Status::Decided,
                Binds::Laws => Status::Law,
                Binds::Live => Status::Live,
                Binds::Hooks => Status::Hook,
                Binds::Project => Status::Tool,
            },
            grounds: clause.grounds,
            readings: clause.readings().filter(reads).map(reading).collect(),
            mutants: Mutant::all().filter(breaks).map(mutant).collect(),
            vectors,
            anchors: coverage.anchors(clause.id).to_vec(),
            checks: checks(clause.id),
            clause,
            only,
        }
    }

    /// How the listing says what decides it.
    fn mark(&self) -> String {
        let count = |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        let anchors = count(self.anchors.len(), "anchor");
        match self.status {
            Status::Decided => format!("{}, {anchors}", count(self.vectors.len(), "vector")),
            Status::NotModelled if self.anchors.is_empty() => "not modelled: no vector decides it".to_owned(),
            Status::NotModelled => format!("not modelled: no vector decides it, {anchors}"),
            Status::Law => "law: checked by property tests".to_owned(),
            Status::Live => format!("live: no script can bring it about, {anchors}"),
            Status::Hook => format!("hook: {} of `hookproof handler`", count(self.checks.len(), "check")),
            Status::Tool => "tool: binds this project's own vectors and commands".to_owned(),
        }
    }

    fn head(&self) -> String {
        let strengths: Vec<_> = self.strengths.iter().map(ToString::to_string).collect();
        format!("{:<20} {:<22} {}", self.id, strengths.join(", "), self.mark()).trim_end().to_owned()
    }
}

impl ReadingEntry {
    /// The alternatives, with a star at the default.
    fn shown(&self, several: bool) -> String {
        let star = |name: &&str| if *name == self.default { format!("*{name}") } else { (*name).to_owned() };
        let names: Vec<_> = self.alternatives.iter().map(star).collect();
        let of = if several { format!("{}: ", self.dialect) } else { String::new() };
        format!("{of}{}", names.join(" | "))
    }
}

fn listing(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        line(&mut text, &entry.head());
        paragraph(&mut text, entry.statement, "    ", "    ");
        for reading in &entry.readings {
            paragraph(&mut text, &reading.shown(entry.readings.len() > 1), "    = ", "      ");
        }
    }
    line(&mut text, "");
    for total in totals(entries) {
        let strengths = counts(&total.strengths, ToString::to_string);
        let statuses = counts(&total.statuses, |status| status.name().to_owned());
        line(&mut text, &format!("{:<9}{:>4} clauses: {strengths}", total.of, total.clauses));
        line(&mut text, &format!("{:<9}{:>4}          {statuses}", "", ""));
    }
    text
}

fn counts<K>(counts: &BTreeMap<K, usize>, name: impl Fn(&K) -> String) -> String {
    counts.iter().map(|(key, count)| format!("{count} {}", name(key))).collect::<Vec<_>>().join(", ")
}

/// The clauses counted by what they bind: both dialects, one, and all.
fn totals(entries: &[Entry]) -> Vec<Total> {
    let mut totals = Vec::new();
    for of in ["both", Dialect::Voiceos.name(), Dialect::Matrices.name(), "all"] {
        let mut total = Total { of, ..Total::default() };
        let counts = entries.iter().filter(|entry| match entry.dialects {
            [one] => of == "all" || of == one.name(),
            _ => of == "all" || of == "both",
        });
        for entry in counts {
            total.clauses += 1;
            if let Some(strength) = entry.strengths.first() {
                *total.strengths.entry(*strength).or_default() += 1;
            }
            *total.statuses.entry(entry.status).or_default() += 1;
        }
        if total.clauses > 0 {
            totals.push(total);
        }
    }
    totals
}

fn full(entry: &Entry) -> String {
    let mut text = String::new();
    line(&mut text, &entry.head());
    line(&mut text, &format!("    cited as {}", entry.citation));
    paragraph(&mut text, entry.statement, "    ", "    ");
    line(&mut text, "  Grounds");
    for ground in ground::of(entry.clause, entry.only) {
        paragraph(&mut text, &ground, "    - ", "      ");
    }
    for reading in &entry.readings {
        line(&mut text, &format!("  Reading, {}", reading.dialect));
        paragraph(&mut text, reading.question, "    ", "    ");
        paragraph(&mut text, &reading.shown(false), "    = ", "      ");
        paragraph(&mut text, reading.why, "    ", "    ");
    }
    if !entry.mutants.is_empty() {
        line(&mut text, "  Mutants that break it");
    }
    for mutant in &entry.mutants {
        let seen = if mutant.seen.is_empty() { String::new() } else { format!(" Seen in {}.", mutant.seen) };
        paragraph(&mut text, &format!("`{}` {}{seen}", mutant.name, mutant.does), "    - ", "      ");
    }
    if !entry.checks.is_empty() {
        line(&mut text, "  Checks of hooks that rest on it");
        paragraph(&mut text, &entry.checks.join(", "), "    ", "    ");
    }
    for (title, ids) in
        [("Vectors that decide it", &entry.vectors), ("Anchors that rest on it or decide it", &entry.anchors)]
    {
        line(&mut text, &format!("  {title}: {}", ids.len()));
        for id in ids {
            line(&mut text, &format!("    {id}"));
        }
    }
    text
}

/// The checks of hooks that rest on a clause.
fn checks(clause: &str) -> Vec<&'static str> {
    let rests = |ground: &check::Ground| matches!(ground, check::Ground::Clause(id) if *id == clause);
    let checks = handler::all_checks().into_iter().filter(|check| check.rests_on.iter().any(rests));
    checks.map(|check| check.id).collect()
}

fn line(text: &mut String, line: &str) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}", line.trim_end());
}

fn paragraph(text: &mut String, words: &str, first: &str, rest: &str) {
    for one in words::wrap(words, first, rest, WIDTH) {
        line(text, &one);
    }
}
