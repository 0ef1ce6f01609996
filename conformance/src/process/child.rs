//! A process that is reached over its standard streams.
//!
//! It leads a process group of its own, so that what it starts ends with it. What leaves the group (by
//! `setsid`, say) is told by a mark in its environment, where the system lets us see it (Linux).

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout, timeout_at};

use super::Group;
use super::mark::Mark;
use crate::words::quote;

/// How long a process may take to leave once it is asked to.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

/// How much of the end of standard error is kept.
const KEPT: usize = 4 << 10;
/// How many of its last lines are quoted.
const LAST_LINES: usize = 3;
/// How long the end of a process may lag behind the end of its streams, and the other way round.
const LAG: Duration = Duration::from_millis(500);

/// A running child. Dropped, it is killed with its group.
pub(crate) struct Child {
    exit: watch::Receiver<Option<ExitStatus>>,
    kill: Arc<Notify>,
    group: Group,
    mark: Mark,
    pid: Option<u32>,
    stderr: Tail,
}

impl Child {
    /// Starts a command with its streams piped.
    ///
    /// # Errors
    /// One clause that says why it could not be started.
    pub(crate) fn start(command: &str, args: &[String]) -> Result<(Self, ChildStdout, ChildStdin), String> {
        let mut start = Command::new(command);
        start.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        start.kill_on_drop(true);
        Group::lead(&mut start);
        let mark = Mark::put(&mut start);
        let mut process = start.spawn().map_err(|error| format!("could not be started: {error}"))?;
        let pid = process.id();
        let group = Group::led_by(pid);
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err("was started without its standard streams".to_owned());
        };
        let tail = Tail::default();
        let mut reading = tokio::spawn(tail.clone().follow(stderr));
        let (tell_exit, exit) = watch::channel(None);
        let kill = Arc::new(Notify::new());
        let (killed, ended) = (Arc::clone(&kill), group.clone());
        tokio::spawn(async move {
            let status = tokio::select! {
                status = process.wait() => status,
                () = killed.notified() => {
                    let _ = process.start_kill();
                    process.wait().await
                }
            };
            ended.forget_if_empty();
            // A grandchild may hold standard error open for ever.
            let _ = timeout(LAG, &mut reading).await;
            tell_exit.send_replace(status.ok());
        });
        Ok((Self { exit, kill, group, mark, pid, stderr: tail }, stdout, stdin))
    }

    /// Says why the connection broke, by how the process ended; else repeats `problem`.
    pub(crate) async fn explain(&self, problem: &str) -> String {
        let mut sentence = match self.exit_within(2 * LAG).await {
            Some(status) => format!("ended ({status}) without an answer"),
            None => problem.to_owned(),
        };
        if let Some(last_words) = self.stderr.last_lines() {
            sentence += &format!("; the end of its standard error: {last_words}");
        }
        sentence
    }

    /// Done once the process has ended.
    pub(crate) fn exited(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut exit = self.exit.clone();
        async move {
            let _ = exit.wait_for(Option::is_some).await;
        }
    }

    /// How the process ended, if it does so in this time.
    pub(crate) async fn exit_within(&self, time: Duration) -> Option<ExitStatus> {
        let mut exit = self.exit.clone();
        match timeout(time, exit.wait_for(Option::is_some)).await {
            Ok(Ok(status)) => *status,
            _ => None,
        }
    }

    /// Asks the process, and nothing that it has started, to end (SIGTERM).
    pub(crate) fn ask_to_end(&self) {
        #[cfg(unix)]
        if let Some(pid) = self.pid.and_then(|pid| i32::try_from(pid).ok())
            && self.exit.borrow().is_none()
        {
            let pid = nix::unistd::Pid::from_raw(pid);
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
        }
    }

    /// What it has started that still runs once it has ended, as it was started.
    pub(crate) fn left_behind(&self) -> Vec<String> {
        self.mark.bearers().into_iter().map(|bearer| bearer.command).collect()
    }

    /// Waits for the process until `until`, its input being closed; then asks it to end, then makes it.
    pub(crate) async fn end(&self, until: Instant) {
        let mut exit = self.exit.clone();
        if timeout_at(until, exit.wait_for(Option::is_some)).await.is_err() {
            self.group.ask_to_end();
            let _ = timeout(GRACE, exit.wait_for(Option::is_some)).await;
        }
        // Also where the process has left by itself: what it started may still be there.
        self.group.kill();
        self.mark.kill();
        self.kill.notify_one();
        let _ = timeout(GRACE, exit.wait_for(Option::is_some)).await;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.group.kill();
        self.mark.kill();
        self.kill.notify_one();
    }
}

/// The end of a stream, in bounded memory.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    async fn follow(self, mut stream: impl AsyncRead + Unpin) {
        let mut piece = [0; 1024];
        while let Ok(length @ 1..) = stream.read(&mut piece).await {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(piece.iter().take(length));
            let excess = kept.len().saturating_sub(KEPT);
            kept.drain(..excess);
        }
    }

    fn last_lines(&self) -> Option<String> {
        let kept: Vec<u8> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines.get(lines.len().saturating_sub(LAST_LINES)..).unwrap_or_default();
        (!last.is_empty()).then(|| quote(last.join(" / ").as_bytes()))
    }
}
