//! The report of `check` as one JSON document.

use std::io::{self, Write};

use hookproof_model::reading::Readings;
use hookproof_model::voiceos::loading;
use serde::Serialize;

use super::effective::{self, Hook};
use super::{Checked, Outcome, Report};
use crate::document::Finding;

#[derive(Serialize)]
struct Document<'a> {
    kind: &'static str,
    readings: &'a Readings,
    files: Vec<File<'a>>,
    totals: Totals,
}

#[derive(Serialize)]
struct Totals {
    files: usize,
    accepted: usize,
    rejected: usize,
    unreadable: usize,
    faults: usize,
}

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    /// Absent if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    #[serde(flatten)]
    told: Told<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Told<'a> {
    Unreadable {
        error: &'a str,
    },
    Rejected {
        faults: &'a [Finding],
        left_out: usize,
        counted_all: bool,
    },
    Manifest {
        hooks: Vec<Declared<'a>>,
        callout: bool,
    },
    Profile {
        opted_out: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        effective: Option<Vec<Hook<'a>>>,
    },
}

#[derive(Serialize)]
struct Declared<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    apps: Option<&'a [String]>,
}

/// Writes the document.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        kind: report.kind,
        readings: &report.readings,
        files: report.files.iter().map(file).collect(),
        totals: Totals {
            files: report.files.len(),
            accepted: report.accepted(),
            rejected: report.rejected(),
            unreadable: report.unreadable(),
            faults: report.faults(),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    out.flush()
}

fn file(file: &Checked) -> File<'_> {
    let (accepted, told) = match &file.outcome {
        Outcome::Unreadable(error) => (None, Told::Unreadable { error }),
        Outcome::Rejected(findings) => (
            Some(false),
            Told::Rejected {
                faults: &findings.told,
                left_out: findings.left_out,
                counted_all: findings.counted_all,
            },
        ),
        Outcome::Manifest(manifest) => {
            let hooks = manifest.hooks.iter();
            let hooks = hooks
                .map(|(event, declared)| Declared { event: event.name(), apps: declared.apps.as_deref() })
                .collect();
            (Some(true), Told::Manifest { hooks, callout: loading::calls_out(manifest) })
        }
        Outcome::Profile(installed, show) => {
            let effective = show.then(|| effective::hooks(installed));
            (Some(true), Told::Profile { opted_out: installed.opted_out, effective })
        }
    };
    File { file: &file.name, accepted, told }
}
