//! Commands reached by MCP over standard streams.

use std::time::Duration;

use hookproof::candidate::mcp::{Era, Mcp};
use hookproof::candidate::{Candidate, CandidateError};
use pretty_assertions::assert_eq;
use rstest::rstest;
use tokio::time::timeout;

use crate::error;
use crate::servers::{BOTH, tools};

async fn shell(script: &str) -> Result<Mcp, CandidateError> {
    Mcp::over_stdio("sh", &["-c".to_owned(), script.to_owned()], Era::Initialize).await
}

/// An MCP server in a shell, which does `on_call` when a tool is called, and `at_end` when its input ends.
fn speaking(on_call: &str, at_end: &str) -> String {
    let both = tools(&BOTH)["result"].to_string();
    format!(
        r#"answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$1" "$2"; }}
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case "$line" in
    *'"initialize"'*) answer "$id" '{{"protocolVersion":"2025-06-18","capabilities":{{}},"serverInfo":{{"name":"sh","version":"1"}}}}';;
    *'"tools/list"'*) answer "$id" '{both}';;
    *'"tools/call"'*) {on_call};;
  esac
done
{at_end}"#
    )
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_named() {
    let error = error(Mcp::over_stdio("hookproof-no-such-command", &["-v".to_owned()], Era::default()).await);
    let text = error.to_string();
    assert!(text.starts_with("hookproof-no-such-command -v: could not be started: No such file"), "{text}");
}

#[rstest]
#[case::ends("exit 3", "ended (exit status: 3) without an answer")]
#[case::ends_with_last_words(
    "for n in 1 2 3 4; do echo line $n >&2; done; exit 1",
    "ended (exit status: 1) without an answer; the end of its standard error: `line 2 / line 3 / line 4`"
)]
#[case::reads_then_ends("read -r line; exit 0", "ended (exit status: 0) without an answer")]
#[case::is_killed("kill -9 $$", "ended (signal: 9 (SIGKILL)) without an answer")]
#[case::prints_a_banner(
    "echo Listening on 8080; exit 0",
    "ended (exit status: 0) without an answer; on its standard output, where only messages belong: \
     `Listening on 8080`"
)]
#[case::floods(
    "exec yes",
    "wrote over 1048576 bytes to its standard output that are no messages; on its standard output, where only \
     messages belong: `y`"
)]
#[case::writes_an_endless_line(
    "printf '{'; exec cat /dev/zero",
    "wrote a line of more than 16777216 bytes; no more is read"
)]
#[case::closes_its_output(
    "exec >&-; read -r line; sleep 2",
    "closed the connection before it answered initialize"
)]
#[case::refuses(
    r#"read -r line; echo '{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"not you"}}'; sleep 9"#,
    "answered initialize with the error -1: `not you`"
)]
#[tokio::test]
async fn what_a_command_that_speaks_no_mcp_does_is_named(#[case] script: &str, #[case] problem: &str) {
    let error = error(shell(script).await);
    assert_eq!(error, CandidateError::new(format!("sh -c {script}"), problem));
}

#[tokio::test]
async fn a_banner_before_the_messages_does_no_harm() {
    let script = format!("echo Welcome; {}", speaking("exit 0", ""));
    shell(&script).await.unwrap().close().await;
}

#[tokio::test]
async fn a_command_that_dies_in_the_middle_of_a_call_is_named() {
    let script = speaking("echo 'thread panicked: boom' >&2; exit 101", "");
    let mcp = shell(&script).await.unwrap();
    let problem = "ended (exit status: 101) without an answer; the end of its standard error: \
                   `thread panicked: boom`";
    assert_eq!(mcp.run("{}").await.unwrap_err().problem, problem);
    assert_eq!(mcp.run("{}").await.unwrap_err().problem, problem);
}

#[cfg(target_os = "linux")]
mod processes {
    use std::path::PathBuf;
    use std::time::Instant;

    use pretty_assertions::assert_eq;

    use super::*;

    /// A file into which a script writes the number of a process.
    struct Pid(PathBuf);

    impl Pid {
        fn file(name: &str) -> Self {
            Self(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id())))
        }

        /// A background process, whose number is written down.
        fn fork(&self) -> String {
            format!("sleep 60 & echo $! > '{}'", self.0.display())
        }

        /// Whether the process is there and no corpse that nobody has buried yet.
        fn lives(&self) -> bool {
            let pid = std::fs::read_to_string(&self.0).unwrap();
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            stat.rsplit(") ").next().is_some_and(|state| state.starts_with(['R', 'S', 'D', 'T']))
        }

        async fn is_gone_soon(&self) -> bool {
            for _ in 0..100 {
                if !self.lives() {
                    return true;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            false
        }
    }

    impl Drop for Pid {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[tokio::test]
    async fn a_command_that_never_answers_is_killed_with_its_children_when_given_up() {
        let pid = Pid::file("never-answers");
        let silent = format!("{}; wait", pid.fork());
        assert!(timeout(Duration::from_millis(300), shell(&silent)).await.is_err());
        assert!(pid.is_gone_soon().await);
    }

    #[tokio::test]
    async fn a_dropped_client_leaves_no_process() {
        let pid = Pid::file("dropped");
        let mcp = shell(&format!("{}\n{}", pid.fork(), speaking(":", "wait"))).await.unwrap();
        assert!(pid.lives());
        drop(mcp);
        assert!(pid.is_gone_soon().await);
    }

    #[tokio::test]
    async fn a_command_that_leaves_when_its_input_ends_is_not_waited_for_and_its_children_end() {
        let pid = Pid::file("leaves");
        let mcp = shell(&format!("{}\n{}", pid.fork(), speaking(":", "exit 0"))).await.unwrap();
        let since = Instant::now();
        mcp.close().await;
        assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
        assert!(pid.is_gone_soon().await);
    }

    #[tokio::test]
    async fn a_command_that_stays_is_asked_to_end_and_then_made_to() {
        let (asked, pid) = (Pid::file("asked"), Pid::file("stays"));
        let at_end = format!("trap 'echo TERM > {}' TERM; while :; do sleep 0.1; done", asked.0.display());
        let mcp = shell(&format!("{}\n{}", pid.fork(), speaking(":", &at_end))).await.unwrap();
        let since = Instant::now();
        mcp.close().await;
        let took = since.elapsed().as_secs_f64();
        assert!((5.5..8.0).contains(&took), "{took}");
        assert!(pid.is_gone_soon().await);
        assert_eq!(std::fs::read_to_string(&asked.0).unwrap(), "TERM\n");
    }
}
