//! Starting the candidate for the length of a run.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Empty;
use hyper::Uri;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::args::CommandLine;
use crate::cli::CliError;
use crate::process::Group;

/// How long a candidate may take until it is ready.
const STARTING: Duration = Duration::from_secs(30);
/// How long between two looks whether it is.
const PAUSE: Duration = Duration::from_millis(50);
/// How long one look may take.
const LOOK: Duration = Duration::from_secs(2);
/// How long it may take to end once it is asked to.
const GRACE: Duration = Duration::from_secs(3);

/// A candidate that this run has started. It leads a process group of its own, which ends with it: on
/// [`Started::end`] in good order, when dropped at once.
pub(super) struct Started {
    child: Child,
    group: Group,
    given: String,
}

impl Started {
    /// Starts a command. What it writes goes to standard error, beside this command's own messages.
    pub(super) fn start(line: &CommandLine) -> Result<Self, CliError> {
        let CommandLine { given, command, args } = line;
        let mut start = Command::new(command);
        start.args(args).stdin(Stdio::null()).stdout(io::stderr()).kill_on_drop(true);
        Group::lead(&mut start);
        let child = start.spawn();
        let child =
            child.map_err(|error| CliError::new(format_args!("`{given}` could not be started: {error}")))?;
        Ok(Self { group: Group::led_by(child.id()), child, given: given.clone() })
    }

    /// Waits until `url` answers.
    pub(super) async fn ready(&mut self, url: &Uri) -> Result<(), CliError> {
        let client: Client<_, Empty<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
        let answers = async {
            loop {
                let answer = timeout(LOOK, client.get(url.clone())).await;
                // What answers with a server's error is there, but not yet ready.
                if answer.is_ok_and(|answer| answer.is_ok_and(|answer| !answer.status().is_server_error())) {
                    return;
                }
                sleep(PAUSE).await;
            }
        };
        let given = &self.given;
        tokio::select! {
            () = answers => Ok(()),
            ended = self.child.wait() => Err(CliError::new(match ended {
                Ok(status) => format!("`{given}` ended ({status}) before {url} answered"),
                Err(error) => format!("`{given}` cannot be waited for: {error}"),
            })),
            () = sleep(STARTING) => Err(CliError::new(format_args!(
                "`{given}` was started, but {url} did not answer within {STARTING:?}"
            ))),
        }
    }

    /// Asks the candidate to end, then makes it.
    pub(super) async fn end(mut self) {
        self.group.ask_to_end();
        #[cfg(not(unix))]
        let _ = self.child.start_kill();
        let _ = timeout(GRACE, self.child.wait()).await;
    }
}

impl Drop for Started {
    /// Also where the process has left by itself: what it started may still be there.
    fn drop(&mut self) {
        self.group.kill();
    }
}
