//! The webhook in Python: the sound one is clean, and each fault that can be planted in it is found by the checks
//! that are there for it.

use hookproof::handler::Target;
use libtest_mimic::Trial;
use pretty_assertions::assert_eq;

use crate::installed::{Language, candidates};
use crate::samples::served::Served;
use crate::support::{Examination, broken, is_clean, shown, trial};

/// A fault, and how it shows.
struct Row {
    fault: &'static str,
    /// Which checks are carried out, as globs: all where it could show, as far as that takes little time.
    only: &'static [&'static str],
    /// Which points are examined; all if there are none.
    points: &'static [&'static str],
    /// Every check of these that is broken, in the order of the alphabet.
    broken: &'static [&'static str],
}

const fn row(
    fault: &'static str,
    only: &'static [&'static str],
    points: &'static [&'static str],
    broken: &'static [&'static str],
) -> Row {
    Row { fault, only, points, broken }
}

/// All that the answers to good inputs show.
const ANSWERS: &[&str] = &[
    "webhook-answers",
    "webhook-status",
    "webhook-no-*",
    "webhook-content-type",
    "webhook-body-*",
    "webhook-json",
    "webhook-members-*",
    "webhook-member-*",
    "webhook-decision-*",
    "webhook-rewrite-*",
    "webhook-one-*",
    "webhook-deny-*",
    "webhook-null-*",
    "webhook-points",
    "webhook-input-own",
];

/// The faults of `webhook_faults.py` that keep the checker waiting, by the names of its README.
static WAITING: &[Row] = &[
    row("hangs", &[], &["before_input"], &["webhook-answers"]),
    row("slow", &[], &["before_input"], &["webhook-in-time"]),
    row("slow-body", &[], &["before_input"], &["webhook-body-in-time"]),
    row("endless-body", &[], &["before_input"], &["webhook-body-size"]),
    row("hang-on-malformed", &["webhook-malformed"], &["before_input"], &["webhook-malformed"]),
    row("mixed-answers", &["webhook-together-*"], &[], &["webhook-together-matched"]),
];

/// The others.
static PLANTED: &[Row] = &[
    row("status-500", ANSWERS, &[], &["webhook-status"]),
    row("redirect", ANSWERS, &[], &["webhook-no-redirect"]),
    row("html", ANSWERS, &[], &["webhook-json"]),
    row("content-type", ANSWERS, &[], &["webhook-content-type"]),
    row("bom", ANSWERS, &[], &["webhook-body-unicode"]),
    row("banner", ANSWERS, &[], &["webhook-json"]),
    row("two-documents", ANSWERS, &[], &["webhook-json"]),
    row("duplicate-member", ANSWERS, &[], &["webhook-members-once"]),
    row("unknown-decision", ANSWERS, &[], &["webhook-decision-known"]),
    row("no-decision", ANSWERS, &[], &["webhook-decision-given"]),
    row("empty-body", ANSWERS, &[], &["webhook-body-not-empty"]),
    row("no-content", ANSWERS, &[], &["webhook-body-not-empty"]),
    row("wrong-member", ANSWERS, &[], &["webhook-rewrite-fits"]),
    row("two-rewrites", ANSWERS, &[], &["webhook-one-rewrite"]),
    row("deny-with-rewrite", ANSWERS, &[], &["webhook-deny-without-rewrite"]),
    row("wrong-type", ANSWERS, &[], &["webhook-member-types"]),
    row("gzip", ANSWERS, &[], &["webhook-body-not-encoded"]),
    row("big-body", ANSWERS, &[], &["webhook-body-size"]),
    row("broken-body", ANSWERS, &[], &["webhook-body-whole"]),
    row("after-points", ANSWERS, &[], &["webhook-points"]),
    row("repeat-differs", &["webhook-delivery-repeated"], &[], &["webhook-delivery-repeated"]),
    row("strict-input", &["webhook-input-*"], &["before_tool_call"], &["webhook-input-future"]),
    row("ascii-only", &["webhook-input-*"], &["before_input"], &["webhook-input-unicode"]),
    row("size-limit", &["webhook-input-*"], &["before_input"], &["webhook-input-large"]),
    row("crash-on-malformed", &["webhook-malformed"], &["before_input"], &["webhook-malformed"]),
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![needs_python("python/webhook.py is clean".to_owned(), || {
        let (served, examination) = examination("");
        is_clean(&examination.report());
        drop(served);
    })];
    // All at once in one trial: they keep no other from being made.
    trials.push(needs_python("python webhook/those that keep the checker waiting".to_owned(), || {
        std::thread::scope(|scope| {
            for row in WAITING {
                scope.spawn(|| row.is_found());
            }
        });
    }));
    trials.extend(
        PLANTED.iter().map(|row| needs_python(format!("python webhook/{}", row.fault), || row.is_found())),
    );
    trials
}

impl Row {
    fn is_found(&self) {
        let Self { fault, only, points, broken: expected } = self;
        let (served, examination) = examination(fault);
        let found = broken(&examination.only(only).events(points).report());
        drop(served);
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), *expected, "{fault}: {}", shown(&found));
    }
}

fn needs_python(name: String, run: impl FnOnce() + Send + 'static) -> Trial {
    Language::Python.needed_by(trial(name.clone(), run), |reason| trial(name, move || panic!("{reason}")))
}

/// The webhook, served with a fault or without, and an examination of it with its inputs.
fn examination(fault: &str) -> (Served, Examination) {
    let program = candidates("integrations/python/webhook.py").to_str().unwrap().to_owned();
    let mut words = vec![program, "--port".to_owned(), "0".to_owned()];
    if !fault.is_empty() {
        words.extend(["--fault".to_owned(), fault.to_owned()]);
    }
    let served = Served::start(&Language::Python.command(), &words);
    let inputs = std::fs::read_to_string(candidates("integrations/python/inputs.json")).unwrap();
    let examination = Examination::of(Target::Webhook(served.url.clone())).inputs(&inputs);
    (served, examination)
}
