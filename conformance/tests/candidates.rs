//! Implementations that are none of this workspace: those in TypeScript and Python, over both transports, and the
//! projects that `hookproof new adapter` writes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/installed.rs"]
mod installed;

use std::path::{Path, PathBuf};
use std::process::Command;

use installed::{Language, candidates, ignored, is_required};
use libtest_mimic::{Arguments, Trial};
use pretty_assertions::assert_eq;

/// A port that is free; whoever listens on it next is the candidate.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Runs a command to its end, which has to be a good one.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let end: Vec<_> = stdout.lines().rev().take(60).collect();
    let end: Vec<_> = end.into_iter().rev().collect();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{}\n{stderr}", output.status, end.join("\n"));
    stdout
}

fn hookproof() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hookproof"))
}

/// Puts cases to what a command serves over HTTP.
fn over_http(start: &dyn Fn(u16) -> String, more: &[&str]) -> String {
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let ready = format!("{url}/hookproof/v1/about");
    let start = start(port);
    run(hookproof().args(["run", "--start", &start, "--ready", &ready, "--http", &url]).args(more))
}

/// A candidate with its entry point.
#[derive(Clone, Copy)]
struct Candidate {
    name: &'static str,
    language: Language,
    program: &'static str,
}

const CANDIDATES: [Candidate; 2] = [
    Candidate { name: "typescript", language: Language::Node, program: "typescript/dist/main.js" },
    Candidate { name: "python", language: Language::Python, program: "python/main.py" },
];

/// Nothing may be left out: it claims every capability and the default readings.
const WHOLE: [&str; 2] = ["--max-not-applicable", "0"];

impl Candidate {
    fn words(self) -> [String; 2] {
        [self.language.command(), candidates(self.program).to_str().unwrap().to_owned()]
    }

    fn http(self) {
        let [command, program] = self.words();
        let start = |port| shlex::try_join([&*command, &*program, "--http", &format!("{port}")]).unwrap();
        over_http(&start, &["--fresh", "2000", WHOLE[0], WHOLE[1]]);
    }

    fn mcp(self) {
        let [command, program] = self.words();
        let mcp = ["--fresh", "2000", "--mcp-stdio", "--", &command, &program, "--stdio"];
        run(hookproof().arg("run").args(WHOLE).args(mcp));
    }

    fn trials(self) -> [Trial; 2] {
        let ways: [(_, fn(Self)); 2] = [("http", Self::http), ("mcp over stdio", Self::mcp)];
        ways.map(|(way, run)| {
            let name = format!("{} passes over {way}", self.name);
            let trial = Trial::test(name.clone(), move || {
                run(self);
                Ok(())
            });
            self.language.needed_by(trial, |reason| Trial::test(name, move || Err(reason.into())))
        })
    }
}

/// What `new adapter` writes, in a folder of its own.
fn written(lang: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("adapter-{lang}"));
    let _ = std::fs::remove_dir_all(&folder);
    run(hookproof().args(["new", "adapter", "--lang", lang]).arg(&folder));
    folder
}

/// The smoke scripts pass, and another one fails with a sentence that says what it wants.
fn runs(start: &dyn Fn(u16) -> String) {
    let smoke = over_http(start, &["--filter", "smoke"]);
    assert_eq!(smoke.lines().last(), Some("2 passed, 0 failed"));
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let ready = format!("{url}/hookproof/v1/about");
    let filter = "mx-the-first-non-defer-decision-wins";
    let options =
        ["--start", &start(port), "--ready", &ready, "--http", &url, "--filter", filter, "--fresh", "0"];
    let output = hookproof().arg("run").args(options).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("step 1 (create_profile) is not built yet; it wants hooks"), "{told}");
}

fn python_template() {
    let program = written("python").join("adapter.py");
    runs(&|port| shlex::try_join(["python3", program.to_str().unwrap(), &port.to_string()]).unwrap());
}

fn typescript_template() {
    let folder = written("typescript");
    // The packages that it asks for are those of a sample.
    let packages = candidates("integrations/typescript/node_modules");
    std::os::unix::fs::symlink(&packages, folder.join("node_modules")).unwrap();
    run(Command::new("npm").args(["run", "--silent", "build"]).current_dir(&folder));
    let program = folder.join("dist/adapter.js");
    runs(&|port| shlex::try_join(["node", program.to_str().unwrap(), &port.to_string()]).unwrap());
}

fn rust_template() {
    let folder = written("rust");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adapter-rust-target");
    run(Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--target-dir"])
        .arg(&target)
        .current_dir(&folder));
    let program = target.join("debug/hooks-adapter");
    runs(&|port| shlex::try_join([program.to_str().unwrap(), &port.to_string()]).unwrap());
}

fn main() {
    let mut trials: Vec<_> = CANDIDATES.into_iter().flat_map(Candidate::trials).collect();
    let templates = [
        ("the template in python runs", Some(Language::Python), python_template as fn()),
        ("the template in typescript runs", Some(Language::Node), typescript_template),
        ("the template in rust runs", None, rust_template),
    ];
    for (name, language, run) in templates {
        let trial = Trial::test(name, move || {
            run();
            Ok(())
        });
        trials.push(match language {
            Some(language) => {
                language.needed_by(trial, |reason| Trial::test(name, move || Err(reason.into())))
            }
            None if is_required("templates") => trial,
            None => ignored(trial, "it builds a project of its own; set HOOKPROOF_REQUIRE=templates"),
        });
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
