//! The samples in TypeScript and Python: the sound ones are clean, and each fault that can be planted in them is
//! found by the checks that are there for it.

mod planted;
pub(crate) mod served;

use std::time::Duration;

use hookproof::handler::Target;
use libtest_mimic::Trial;
use pretty_assertions::assert_eq;

use self::planted::{HANG, Row};
use self::served::Served;
use crate::installed::{Language, candidates};
use crate::support::{
    Examination, LATENCY, answers_in_time, broken, is_clean, not_reached, notes, shown, trial, trial_alone,
};

/// A sample, by its files in the folder of the samples.
#[derive(Clone, Copy)]
struct Sample {
    name: &'static str,
    language: Language,
    /// The program.
    program: &'static str,
    manifest: Option<&'static str>,
    payloads: Option<&'static str>,
}

const TYPESCRIPT: Sample = Sample {
    name: "typescript",
    language: Language::Node,
    program: "integrations/typescript/dist/server.js",
    manifest: Some("integrations/typescript/manifest.json"),
    payloads: Some("integrations/typescript/payloads.json"),
};
const STATELESS: Sample = Sample {
    name: "typescript-stateless",
    language: Language::Node,
    program: "integrations/typescript-stateless/dist/server.js",
    manifest: Some("integrations/typescript-stateless/manifest.json"),
    payloads: Some("integrations/typescript-stateless/payloads.json"),
};
const PYTHON: Sample = Sample {
    name: "python",
    language: Language::Python,
    program: "integrations/python/notebook_server.py",
    manifest: Some("integrations/python/notebook/manifest.json"),
    payloads: Some("integrations/python/notebook/payloads.json"),
};
const OLD_PROTOCOL: Sample = Sample {
    name: "python/old_protocol.py",
    language: Language::Python,
    program: "integrations/python/old_protocol.py",
    manifest: None,
    payloads: None,
};

impl Sample {
    fn trial(self, name: String, run: impl FnOnce() + Send + 'static) -> Trial {
        self.language.needed_by(trial(name.clone(), run), |reason| trial(name, move || panic!("{reason}")))
    }

    fn words(self, more: &[&str]) -> Vec<String> {
        let program = candidates(self.program).to_str().unwrap().to_owned();
        [program].into_iter().chain(more.iter().map(|word| (*word).to_owned())).collect()
    }

    /// Over standard streams, with a fault or without.
    fn examination(self, fault: &str) -> Examination {
        let fault: &[&str] = if fault.is_empty() { &[] } else { &["--fault", fault] };
        self.with_files(Target::McpStdio(self.language.command(), self.words(fault)))
    }

    fn with_files(self, target: Target) -> Examination {
        let read = |path| std::fs::read_to_string(candidates(path)).unwrap();
        let mut examination = Examination::of(target);
        if let Some(manifest) = self.manifest {
            examination = examination.manifest(&read(manifest));
        }
        if let Some(payloads) = self.payloads {
            examination = examination.inputs(&read(payloads));
        }
        examination
    }

    fn row(self, row: &'static Row) -> Trial {
        let Row { fault, only, events, broken: expected } = *row;
        self.trial(format!("{}/{fault}", self.name), move || {
            let mut examination = self.examination(fault).only(only).events(events);
            if fault == HANG {
                examination = examination.patience(Duration::from_secs(2));
            }
            let report = examination.report();
            let found = broken(&report);
            assert_eq!(found.keys().copied().collect::<Vec<_>>(), expected, "{}", shown(&found));
        })
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for sample in [TYPESCRIPT, PYTHON] {
        let name = format!("{} is clean over stdio", sample.name);
        trials.push(sample.trial(name, move || {
            let report = sample.examination("").without(&[LATENCY]).report();
            is_clean(&report);
            let spoken = "speaks 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25";
            assert!(notes(&report).contains(&("mcp-versions", spoken)), "{:?}", notes(&report));
        }));
        let name = format!("{} is clean over http", sample.name);
        trials.push(sample.trial(name, move || {
            let served = Served::start(&sample.language.command(), &sample.words(&["--http", "0"]));
            let over_http = sample.with_files(Target::McpHttp(served.url.clone()));
            is_clean(&over_http.without(&[LATENCY, "payload-*"]).report());
        }));
    }
    trials.push(STATELESS.trial("typescript-stateless is clean but for its era".to_owned(), || {
        let report = STATELESS.examination("").without(&[LATENCY]).report();
        assert_eq!(broken(&report).into_keys().collect::<Vec<_>>(), ["mcp-initialize-era"]);
        assert_eq!(not_reached(&report).len(), 0, "{:?}", not_reached(&report));
    }));
    trials.push(OLD_PROTOCOL.trial(
        "python/old_protocol.py is clean and speaks 2024-11-05".to_owned(),
        || {
            // How it ends is its SDK's, as with the other one in Python.
            let examination = OLD_PROTOCOL.examination("");
            let report = examination.without(&[LATENCY, "ends-*", "leaves-no-children"]).report();
            is_clean(&report);
            assert!(notes(&report).contains(&("mcp-versions", "speaks 2024-11-05")), "{:?}", notes(&report));
        },
    ));
    trials.push(TYPESCRIPT.trial("typescript/random-answers is told and is no fault".to_owned(), || {
        let report = TYPESCRIPT.examination("random-answers").only(&["answer*"]).report();
        is_clean(&report);
        assert!(notes(&report).iter().any(|(id, _)| *id == "answers-repeat"), "{:?}", notes(&report));
    }));
    trials.extend(planted::TYPESCRIPT.iter().map(|row| TYPESCRIPT.row(row)));
    trials.extend(planted::PYTHON.iter().map(|row| PYTHON.row(row)));
    trials
}

/// Those that no other trial may disturb.
pub(crate) fn trials_alone() -> Vec<Trial> {
    let trials = [TYPESCRIPT, PYTHON].map(|sample| {
        let name = format!("{} answers in time", sample.name);
        let run = move || answers_in_time(|| sample.examination(""));
        sample
            .language
            .needed_by(trial_alone(name.clone(), run), |reason| trial(name, move || panic!("{reason}")))
    });
    trials.into()
}
