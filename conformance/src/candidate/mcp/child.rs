//! The process of a candidate that is reached over its standard streams.
//!
//! It leads a process group of its own, so that what it starts ends with it. What leaves the group (by
//! `setsid`, say) is out of reach.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout, timeout_at};

use super::super::fault::quote;
use super::GRACE;
use super::streams::{Input, Seen, Watched};
use crate::process::Group;

/// How much of the end of standard error is kept.
const KEPT: usize = 4 << 10;
/// How many of its last lines are quoted.
const LAST_LINES: usize = 3;
/// How long the end of a process may lag behind the end of its streams, and the other way round.
const LAG: Duration = Duration::from_millis(500);

/// A running child. Dropped, it is killed with its group.
pub(super) struct Child {
    exit: watch::Receiver<Option<ExitStatus>>,
    kill: Arc<Notify>,
    group: Group,
    stderr: Tail,
    stdout: Seen,
}

impl Child {
    /// Starts a command with its streams piped.
    pub(super) fn start(
        command: &str,
        args: &[String],
    ) -> Result<(Self, Watched<ChildStdout>, Input<ChildStdin>), String> {
        let mut start = Command::new(command);
        start.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        start.kill_on_drop(true);
        Group::lead(&mut start);
        let mut process = start.spawn().map_err(|error| format!("could not be started: {error}"))?;
        let group = Group::led_by(process.id());
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err("was started without its standard streams".to_owned());
        };
        let (stdout, seen) = Watched::new(stdout);
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
        Ok((Self { exit, kill, group, stderr: tail, stdout: seen }, stdout, Input(stdin)))
    }

    /// Says why the connection broke, by how the process ended; else repeats `problem`.
    pub(super) async fn explain(&self, problem: &str) -> String {
        if let Some(fault) = self.stdout.fault() {
            return self.with_noise(fault);
        }
        let mut exit = self.exit.clone();
        let status = match timeout(2 * LAG, exit.wait_for(Option::is_some)).await {
            Ok(Ok(status)) => *status,
            _ => None,
        };
        let mut sentence = match status {
            Some(status) => format!("ended ({status}) without an answer"),
            None => problem.to_owned(),
        };
        if let Some(last_words) = self.stderr.last_lines() {
            sentence += &format!("; the end of its standard error: {last_words}");
        }
        self.with_noise(sentence)
    }

    fn with_noise(&self, sentence: String) -> String {
        match self.stdout.noise() {
            Some(noise) => format!("{sentence}; on its standard output, where only messages belong: {noise}"),
            None => sentence,
        }
    }

    /// Waits for the process until `until`, its input being closed; then asks it to end, then makes it.
    pub(super) async fn end(&self, until: Instant) {
        let mut exit = self.exit.clone();
        if timeout_at(until, exit.wait_for(Option::is_some)).await.is_err() {
            self.group.ask_to_end();
            let _ = timeout(GRACE, exit.wait_for(Option::is_some)).await;
        }
        // Also where the process has left by itself: what it started may still be there.
        self.group.kill();
        self.kill.notify_one();
        let _ = timeout(GRACE, exit.wait_for(Option::is_some)).await;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.group.kill();
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
