//! Every sequence of six deeds over a small alphabet, with up to three waits: the platform, the reference
//! and the plain formulation observe the same. Chains are of two client hooks, so that what ends one
//! wait may begin another.

use std::collections::BTreeMap;

use hookproof_model::kernel::Spec;
use hookproof_model::matrices::Platform;
use hookproof_model::plain;
use hookproof_model::reading::MatricesReadings;
use hookproof_model::reading::matrices::{BadResolution, CancelAudit, ParkedAudit, ParkedChain, WaitErrors};
use hookproof_model::reading::shared::{Boundary, TimeoutFrom};
use hookproof_model::script::matrices::{Observation, Script, Step};

use super::deeds::{At, Body, Deed, Hook, Word, opening};
use super::reference::{Held, Reference, State};

/// As many waits as come about by firing. A chain that goes on may add one.
const WAITS: usize = 3;
const THREADS: [&str; 2] = ["one", "other"];

fn profiles() -> Vec<(String, Vec<Hook>)> {
    let hook = |id: &str, patience, fails_open| Hook {
        id: id.into(),
        at: At::BeforeInput,
        is_client: true,
        patience,
        fails_open,
    };
    vec![("profile".into(), vec![hook("first", 2, true), hook("second", 3, false)])]
}

fn threads() -> Vec<(String, String)> {
    THREADS.map(|thread| (thread.to_owned(), "profile".to_owned())).to_vec()
}

/// The deeds that a sequence may go on with. What is left out is like something that is not: only the
/// oldest wait that holds work is resolved in every way, and only the last that is gone once more;
/// the second firing is of the first's thread and the third of the other, which is not cancelled; and
/// a deed that changed nothing is not followed by another of which that is known beforehand.
fn alphabet(reference: &Reference, changed: bool) -> Vec<Deed> {
    let mut deeds = vec![];
    if reference.waits.len() < WAITS {
        let number = reference.firings.len();
        let (firing, thread) = (format!("f{number}"), THREADS[number / 2].to_owned());
        deeds.push(Deed::Fire { firing, thread, at: At::BeforeInput, does: BTreeMap::new() });
    }
    let held = reference.held();
    let resolve = |wait: &Held, thread: &str, body| {
        let (thread, wait) = (thread.to_owned(), wait.shown.wait.clone());
        Deed::Resolve { thread, wait, body }
    };
    if let Some(next) = held.iter().map(|wait| wait.deadline).min() {
        let last = held.iter().map(|wait| wait.deadline).max().unwrap_or(next);
        let mut moments = vec![next.saturating_sub(1), next, next + 1, last + 1];
        moments.dedup();
        let lengths = moments.into_iter().map(|at| at.saturating_sub(reference.now));
        deeds.extend(lengths.filter(|length| *length > 0).map(Deed::Advance));
    }
    if let Some(oldest) = held.first() {
        let words = [Word::Defer, Word::Allow, Word::Deny];
        deeds.extend(words.map(|word| resolve(oldest, &oldest.thread, Body::of(word))));
        if changed {
            let another = THREADS.into_iter().find(|thread| *thread != oldest.thread).expect("there are two");
            deeds.push(resolve(oldest, &oldest.thread, Body::NotJson));
            deeds.push(resolve(oldest, another, Body::of(Word::Allow)));
        }
    }
    if let Some(youngest) = held.last().filter(|_| held.len() > 1) {
        let words = [Word::Defer, Word::Deny];
        deeds.extend(words.map(|word| resolve(youngest, &youngest.thread, Body::of(word))));
    }
    if let Some(gone) = reference.waits.iter().rfind(|wait| wait.state != State::Held).filter(|_| changed) {
        deeds.push(resolve(gone, &gone.thread, Body::of(Word::Deny)));
    }
    let cancelled = reference.waits.iter().any(|wait| wait.state == State::Cancelled);
    if held.iter().any(|wait| wait.thread == THREADS[0]) && !cancelled {
        deeds.push(Deed::Cancel(THREADS[0].into()));
    }
    deeds
}

/// How the sequences of one reading were gone through.
struct Sequences {
    readings: MatricesReadings,
    deepest: usize,
    script: Script,
    expected: Vec<Observation>,
    run: usize,
}

impl Sequences {
    fn all(readings: MatricesReadings, deepest: usize) -> usize {
        let steps = opening(&profiles(), &threads());
        let script = Script { catalogue: None, steps };
        let mut sequences = Self { readings, deepest, script, expected: vec![], run: 0 };
        let reference = Reference::new(readings, &profiles(), &threads());
        sequences.from(&reference, true);
        sequences.run
    }

    /// Goes on from here with whatever may come next, to the end of every sequence.
    fn from(&mut self, reference: &Reference, changed: bool) {
        let deeds = alphabet(reference, changed);
        if self.expected.len() == self.deepest || deeds.is_empty() {
            return self.compare(reference.clone());
        }
        for deed in deeds {
            let mut after = reference.clone();
            let observed = after.done(&deed);
            let changed = observed.error.is_none();
            self.script.steps.push(deed.step());
            self.expected.push(observed);
            self.from(&after, changed);
            self.script.steps.pop();
            self.expected.pop();
        }
    }

    fn compare(&mut self, mut reference: Reference) {
        self.run += 1;
        let mut script = self.script.clone();
        let mut expected = self.expected.clone();
        for deed in [Deed::Waiting].into_iter().chain(THREADS.map(|thread| Deed::Audit(thread.into()))) {
            expected.push(reference.done(&deed));
            script.steps.push(deed.step());
        }
        let opened = script.steps.len() - expected.len();
        let mut platform =
            Platform::new(&Spec, self.readings, None).unwrap_or_else(|faults| panic!("{faults:?}"));
        let of_model: Vec<_> = script.steps.iter().map(|step: &Step| platform.step(step)).collect();
        let of_plain =
            plain::matrices::run(&script, &self.readings).unwrap_or_else(|faults| panic!("{faults:?}"));
        let told = || serde_json::to_string(&script).expect("scripts are data");
        assert_eq!(of_model[opened..], expected[..], "platform, reference: {:?} {}", self.readings, told());
        assert_eq!(of_plain, of_model, "plain, platform: {:?} {}", self.readings, told());
    }
}

#[test]
fn every_sequence_of_six_deeds_is_observed_to_be_the_same_by_all_three() {
    assert_eq!(Sequences::all(MatricesReadings::default(), 6), 25_933);
}

#[test]
fn and_so_is_every_sequence_of_five_under_each_reading_that_has_to_do_with_waits() {
    let default = MatricesReadings::default();
    let readings = [
        MatricesReadings { boundary: Boundary::Late, ..default },
        MatricesReadings { wait_errors: WaitErrors::OneConflict, ..default },
        MatricesReadings { bad_resolution: BadResolution::Failure, ..default },
        MatricesReadings { parked_audit: ParkedAudit::AtParkAndEnd, ..default },
        MatricesReadings { cancel_audit: CancelAudit::Deny, ..default },
        MatricesReadings { parked_chain: ParkedChain::Live, ..default },
        MatricesReadings { timeout_from: TimeoutFrom::Asked, ..default },
    ];
    // Where a bad resolution ends the wait, and where it expires at its deadline, there is less to do.
    let run = readings.map(|readings| Sequences::all(readings, 5));
    assert_eq!(run, [3_525, 3_639, 3_580, 3_639, 3_639, 3_639, 3_639]);
}
