//! Drawn sequences of deeds, each done to the platform and to the reference: whatever is observed is the
//! same, and so is, behind each deed, every list of waits and every audit trail. At the end the plain
//! formulation has to say the same of all of it.

use std::fmt;
use std::marker::PhantomData;

use hookproof_model::kernel::{self, Clock, Millis, Spec};
use hookproof_model::matrices::wait::WaitState;
use hookproof_model::matrices::{self, Platform};
use hookproof_model::plain;
use hookproof_model::reading::MatricesReadings;
use hookproof_model::reading::matrices::{BadResolution, CancelAudit, ParkedAudit, ParkedChain, WaitErrors};
use hookproof_model::reading::shared::{Boundary, TimeoutFrom};
use hookproof_model::script::matrices::{Observation, PlatformError, Script, Step, Wait};
use pretty_assertions::StrComparison;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use super::deeds::{Deed, Hook, opening};
use super::harness::holds;
use super::moves::{Move, PROFILES, THREADS, hooks, moves};
use super::reference::Reference;

/// The reference, and the deed that it has just done.
#[derive(Clone)]
pub(crate) struct Told {
    readings: (&'static str, MatricesReadings),
    profiles: Vec<(String, Vec<Hook>)>,
    pub(crate) reference: Reference,
    last: Option<(Deed, Observation)>,
}

impl fmt::Debug for Told {
    /// What it began with; the rest follows from the deeds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:?}", self.readings.0, self.profiles)
    }
}

/// The default readings, and those with one alternative that has to do with waits.
fn readings() -> Vec<(&'static str, MatricesReadings)> {
    let default = MatricesReadings::default();
    vec![
        ("default", default),
        ("MX-WAIT-5=one-conflict", MatricesReadings { wait_errors: WaitErrors::OneConflict, ..default }),
        ("MX-WAIT-6=failure", MatricesReadings { bad_resolution: BadResolution::Failure, ..default }),
        ("MX-DL-3=late", MatricesReadings { boundary: Boundary::Late, ..default }),
        ("MX-AUD-6=at-park-and-end", MatricesReadings { parked_audit: ParkedAudit::AtParkAndEnd, ..default }),
        ("MX-WAIT-10b=deny", MatricesReadings { cancel_audit: CancelAudit::Deny, ..default }),
        ("MX-WAIT-9=live", MatricesReadings { parked_chain: ParkedChain::Live, ..default }),
        ("MX-WAIT-12=asked", MatricesReadings { timeout_from: TimeoutFrom::Asked, ..default }),
    ]
}

fn threads() -> Vec<(String, String)> {
    let of = |thread: &str, profile: &str| (thread.to_owned(), profile.to_owned());
    vec![of("desk", "first"), of("shop", "first"), of("till", "second")]
}

struct Waits;

impl ReferenceStateMachine for Waits {
    type State = Told;
    type Transition = Move;

    fn init_state() -> BoxedStrategy<Told> {
        (select(readings()), hooks(), hooks())
            .prop_map(|(readings, first, second)| {
                let lists = PROFILES.map(str::to_owned).into_iter().zip([first, second]);
                let profiles: Vec<_> = lists.collect();
                let reference = Reference::new(readings.1, &profiles, &threads());
                Told { readings, profiles, reference, last: None }
            })
            .boxed()
    }

    fn transitions(_: &Told) -> BoxedStrategy<Move> {
        moves().boxed()
    }

    fn apply(mut told: Told, drawn: &Move) -> Told {
        let deed = drawn.deed(&told.reference);
        let observed = told.reference.done(&deed);
        told.last = Some((deed, observed));
        told
    }
}

/// A platform by these rules, and the steps that it has carried out.
struct Running<R: matrices::Rules + 'static> {
    platform: Platform<'static, R>,
    steps: Vec<Step>,
    observed: Vec<Observation>,
}

impl<R: matrices::Rules> Running<R> {
    fn step(&mut self, step: Step) -> Observation {
        let observed = self.platform.step(&step);
        self.steps.push(step);
        self.observed.push(observed.clone());
        observed
    }

    fn expect(&mut self, step: Step, expected: &Observation, told: &Told) {
        let observed = self.step(step);
        if observed != *expected {
            let text = |observation| serde_json::to_string_pretty(observation).expect("it is data");
            let (last, before) = self.steps.split_last().expect("there is a step");
            let tells = |step: &&Step| !matches!(step, Step::WaitingThreads(_) | Step::Audit(_));
            let steps: Vec<_> = before.iter().filter(tells).chain([last]).collect();
            let steps = serde_json::to_string(&steps).expect("steps are data");
            let difference = StrComparison::new(&text(&observed), &text(expected)).to_string();
            panic!("{}, {steps}\nplatform < > reference\n{difference}", told.readings.0);
        }
    }
}

struct Machine<R>(PhantomData<R>);

impl<R: matrices::Rules + Default + 'static> StateMachineTest for Machine<R> {
    type SystemUnderTest = Running<R>;
    type Reference = Waits;

    fn init_test(told: &Told) -> Running<R> {
        // Rules have no size, so nothing is leaked.
        let platform = Platform::new(Box::leak(Box::new(R::default())), told.readings.1, None);
        let platform = platform.unwrap_or_else(|faults| panic!("{faults:?}"));
        let mut running = Running { platform, steps: vec![], observed: vec![] };
        for step in opening(&told.profiles, &threads()) {
            let observed = running.step(step);
            assert!(observed.error.is_none() && observed.accepted != Some(false), "{observed:?}");
        }
        running
    }

    fn apply(mut running: Running<R>, told: &Told, _: Move) -> Running<R> {
        let (deed, expected) = told.last.as_ref().expect("a deed was done");
        running.expect(deed.step(), expected, told);
        // Nothing else has changed, or all that has shows here.
        let mut reference = told.reference.clone();
        let trails = THREADS.map(|thread| Deed::Audit(thread.into()));
        for deed in [Deed::Waiting].into_iter().chain(trails) {
            let expected = reference.done(&deed);
            running.expect(deed.step(), &expected, told);
        }
        running
    }

    /// The plain formulation knows only whole scripts.
    fn teardown(running: Running<R>, told: Told) {
        let script = Script { catalogue: None, steps: running.steps };
        let plain = plain::matrices::run(&script, &told.readings.1).expect("there is no catalogue");
        let text = || serde_json::to_string(&script).expect("scripts are data");
        assert_eq!(plain, running.observed, "plain, platform: {}, {}", told.readings.0, text());
    }
}

/// What drawn sequences are to reach.
const SOMETIMES: &[&str] = &[
    "a wait expires",
    "several waits expire during one step",
    "several waits expire at one moment",
    "a wait is resolved",
    "a wait is resolved at its very deadline",
    "a resolution fails its hook",
    "a chain parks once more",
    "a url hook parks the work",
    "a cancel drops a wait",
    "a profile is updated while work is parked",
    "refused: unknown_wait",
    "refused: already_resolved",
    "refused: expired",
    "refused: cancelled",
    "refused: conflict",
    "refused: not_a_result",
    "refused: thread_cancelled",
    "refused: unknown_thread",
    "refused: label_taken",
];

#[test]
fn a_platform_and_a_list_of_waits_are_observed_to_be_the_same() {
    holds(&Waits::sequential_strategy(1..=30), SOMETIMES, |(told, moves, seen_counter), seen| {
        let end = moves.iter().fold(told.clone(), <Waits as ReferenceStateMachine>::apply);
        end.reference.reached.iter().for_each(|what| seen.saw(what, true));
        Machine::<Spec>::test_sequential(Config::default(), told, moves, seen_counter);
        Ok(())
    });
}

/// Rules that are wrong in one place.
macro_rules! wrong {
    ($name:ident, kernel: { $($kernel:tt)* }, matrices: { $($matrices:tt)* }) => {
        #[derive(Default)]
        struct $name;
        impl kernel::Rules for $name { $($kernel)* }
        impl matrices::Rules for $name { $($matrices)* }
    };
}

wrong!(CancelsNothing, kernel: {}, matrices: { fn calls_off(&self) -> bool { false } });
wrong!(OfEveryThread, kernel: {}, matrices: { fn is_of(&self, _: &str, _: &str) -> bool { true } });
wrong!(ResolvesAgain, kernel: {}, matrices: {
    fn unresolvable(&self, _: &MatricesReadings, _: WaitState) -> Option<PlatformError> { None }
});
wrong!(ForgetsTheSecond, kernel: {}, matrices: {
    fn pending(&self, waits: Vec<(Wait, WaitState)>) -> Vec<Wait> {
        matrices::wait::pending(waits).into_iter().filter(|wait| !wait.hook.starts_with('b')).collect()
    }
});
wrong!(ExpiresOneLate, kernel: {
    fn deadline(&self, clock: Clock, left: Millis, now: Millis, own: Millis) -> Millis {
        kernel::budget::deadline(clock, left, now, own.plus(Millis(1)))
    }
}, matrices: {});

/// What is left of a sequence that tells these rules from the specification, once it is shrunk.
fn shrunk<R: matrices::Rules + Default + 'static>() -> Vec<Move> {
    let config = Config { cases: 1_000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let strategy = Waits::sequential_strategy(1..=30);
    let found = TestRunner::new_with_rng(config, rng).run(&strategy, |(told, moves, seen_counter)| {
        Machine::<R>::test_sequential(Config::default(), told, moves, seen_counter);
        Ok(())
    });
    match found {
        Err(TestError::Fail(_, (_, moves, _))) => moves,
        other => panic!("nobody noticed: {other:?}"),
    }
}

/// A failing sequence is of use only once it has shrunk to what makes it fail.
#[test]
fn rules_that_are_wrong_are_noticed_and_the_sequence_shrinks_to_what_shows_it() {
    let at_most = |most: usize, moves: Vec<Move>| assert!(moves.len() <= most, "{moves:#?}");
    at_most(2, shrunk::<CancelsNothing>());
    at_most(2, shrunk::<OfEveryThread>());
    at_most(3, shrunk::<ResolvesAgain>());
    at_most(1, shrunk::<ForgetsTheSecond>());
    at_most(2, shrunk::<ExpiresOneLate>());
}
