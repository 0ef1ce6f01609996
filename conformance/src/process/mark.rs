//! A mark in the environment of a process that we start, by which what it leaves behind is known, however it
//! left our process group. Where the system does not show environments (it is read from `/proc`), nothing is
//! found.

use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;

use tokio::process::Command;

const NAME: &str = "HOOKPROOF_MARK";

/// The mark of one process and of all that descends from it.
pub(crate) struct Mark(String);

/// A process that bears a mark.
pub(crate) struct Bearer {
    /// Its number.
    pub(crate) pid: i32,
    /// What it was started as.
    pub(crate) command: String,
}

impl Mark {
    /// Marks a command that is about to be started.
    pub(crate) fn put(command: &mut Command) -> Self {
        let mark = format!("{:016x}", RandomState::new().hash_one(0));
        command.env(NAME, &mark);
        Self(mark)
    }

    /// The processes that bear the mark, the first one among them if it still runs.
    pub(crate) fn bearers(&self) -> Vec<Bearer> {
        let wanted = format!("{NAME}={}", self.0);
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        let bearer = |folder: PathBuf| {
            let pid = folder.file_name()?.to_str()?.parse().ok()?;
            // That of a process that has ended and is not yet buried is empty.
            let environment = std::fs::read(folder.join("environ")).ok()?;
            environment.split(|byte| *byte == 0).find(|entry| *entry == wanted.as_bytes())?;
            let line = std::fs::read(folder.join("cmdline")).ok()?;
            let words: Vec<_> = line.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
            Some(Bearer { pid, command: words.join(" ").trim_end().to_owned() })
        };
        processes.flatten().filter_map(|entry| bearer(entry.path())).collect()
    }

    /// Makes all of them end.
    pub(crate) fn kill(&self) {
        #[cfg(unix)]
        for Bearer { pid, .. } in self.bearers() {
            let pid = nix::unistd::Pid::from_raw(pid);
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
    }
}
