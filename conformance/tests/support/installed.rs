//! What programs in other languages need, and whether it is there.
//!
//! A trial that needs what is not installed is ignored, and says so; where `HOOKPROOF_REQUIRE` names it (`node`,
//! `python`, `templates`), it fails instead.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use libtest_mimic::Trial;

/// What a program is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Node,
    Python,
}

/// A file of the programs in other languages.
pub(crate) fn candidates(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("candidates").join(path)
}

/// What the build of those in TypeScript writes.
const BUILT: [&str; 3] = [
    "integrations/typescript/dist/server.js",
    "integrations/typescript-stateless/dist/server.js",
    "typescript/dist/main.js",
];

impl Language {
    const fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Python => "python",
        }
    }

    /// What runs programs of it.
    pub(crate) fn command(self) -> String {
        match self {
            Self::Node => "node".to_owned(),
            Self::Python => candidates(".venv/bin/python").to_str().unwrap().to_owned(),
        }
    }

    /// Why its programs cannot run, if so.
    fn missing(self) -> Option<&'static str> {
        static NODE: LazyLock<Option<&str>> = LazyLock::new(|| {
            let mut node = Command::new("node");
            let runs = node.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            if !runs.is_ok_and(|status| status.success()) {
                return Some("node is missing");
            }
            let is_built = BUILT.iter().all(|path| candidates(path).exists());
            (!is_built).then_some("the programs in TypeScript are not built")
        });
        match self {
            Self::Node => *NODE,
            Self::Python => (!candidates(".venv/bin/python").exists()).then_some("there is no .venv"),
        }
    }

    /// A trial that needs it.
    pub(crate) fn needed_by(self, trial: Trial, fail: impl FnOnce(String) -> Trial) -> Trial {
        let Some(missing) = self.missing() else { return trial };
        let reason = format!("{missing}; run conformance/candidates/setup.sh");
        if is_required(self.name()) { fail(reason) } else { ignored(trial, &reason) }
    }
}

/// Whether `HOOKPROOF_REQUIRE` names it.
pub(crate) fn is_required(name: &str) -> bool {
    let required = std::env::var("HOOKPROOF_REQUIRE").unwrap_or_default();
    required.split(',').any(|required| required.trim() == name)
}

/// A trial that is not run, and why.
pub(crate) fn ignored(trial: Trial, reason: &str) -> Trial {
    trial.with_kind(format!("ignored: {reason}")).with_ignored_flag(true)
}
