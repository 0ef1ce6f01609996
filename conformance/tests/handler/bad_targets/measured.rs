//! A run of the command itself, with what it cost.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a run may take at most.
pub(super) const LIMIT: Duration = Duration::from_secs(3);
/// How much longer it may be about, to end what it has started, on a machine that has others to serve.
const SLACK: Duration = Duration::from_secs(4);
/// The most memory that it may take, in KiB.
const MAX_MEMORY: u64 = 256 << 10;

/// What came of a run.
pub(super) struct Measured {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    took: Duration,
    /// The most memory that it ever had, in KiB.
    peak: u64,
    /// Marks what it started.
    mark: String,
}

/// Runs `hookproof handler` with these arguments; `meanwhile` is called with its number and its mark once it runs.
pub(super) fn handler(args: &[&str], meanwhile: impl FnOnce(u32, &str)) -> Measured {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let mark = format!("HOOKPROOF_BAD={}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let (name, value) = mark.split_once('=').unwrap();
    let since = Instant::now();
    let process = Command::new(env!("CARGO_BIN_EXE_hookproof"))
        .args(["handler", "--timeout", "3s", "--answer-timeout", "1s"])
        .args(args)
        .env(name, value)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = process.id();
    let measuring = thread::spawn(move || {
        let mut peak = 0;
        while let Some(now) = peak_memory(pid) {
            peak = now;
            thread::sleep(Duration::from_millis(2));
        }
        peak
    });
    meanwhile(pid, &mark);
    let output = process.wait_with_output().unwrap();
    let took = since.elapsed();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Measured {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        took,
        peak: measuring.join().unwrap(),
        mark,
    }
}

/// The most memory that a process ever had, in KiB; `None` once it has ended.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

impl Measured {
    /// Fails unless it held its limits of time and of memory, and left no process.
    #[track_caller]
    pub(super) fn is_bounded(&self) {
        assert!(self.took < LIMIT + SLACK, "took {:?}", self.took);
        assert!(self.peak > 1 << 10, "measured only {} KiB", self.peak);
        assert!(self.peak < MAX_MEMORY, "took {} KiB", self.peak);
        // Who is killed is still there for a moment.
        let until = Instant::now() + Duration::from_secs(2);
        while !running(&self.mark).is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(running(&self.mark), Vec::<String>::new(), "left running");
    }

    /// Fails unless it ended with this code, and said this.
    #[track_caller]
    pub(super) fn told(&self, code: i32, sentence: &str) {
        // The report is wrapped: words are held against words.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Self { stdout, stderr, .. } = self;
        assert!(words(stdout).contains(&words(sentence)), "expected `{sentence}` in:\n{stdout}{stderr}");
        assert_eq!(self.code, Some(code), "{stdout}{stderr}");
    }
}

/// What runs with this mark, as it was started.
pub(super) fn running(mark: &str) -> Vec<String> {
    let mut running = Vec::new();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
        if environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes()) {
            let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            running.push(String::from_utf8_lossy(&words).replace('\0', " "));
        }
    }
    running
}
