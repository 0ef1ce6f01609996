//! Commands: this binary itself, started as what it is not.

use std::io::{BufRead, Read, Write};
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::measured::{Measured, handler, running};
use crate::support::trial;

/// A target, and how it shows.
struct Bad {
    what: &'static str,
    /// Which checks are carried out; all if there are none.
    only: &'static [&'static str],
    /// What is said of it.
    told: &'static str,
    code: i32,
}

const fn bad(what: &'static str, only: &'static [&'static str], told: &'static str, code: i32) -> Bad {
    Bad { what, only, told, code }
}

const ALL: &[&str] = &[];
const ANSWERS: &[&str] = &["hook-answers"];
const FLOODS: &str = "it flooded its standard output with what nobody asked for; no more is read";
const ENDED: &str = "to `initialize` it ended (exit status: 0) without an answer";
const SILENT: &str = "to `initialize` it did not answer within 2.";

const TARGETS: &[Bad] = &[
    bad(
        "exits",
        ALL,
        "it ended (exit status: 3) without an answer; the end of its standard error: `no file settings.toml`",
        2,
    ),
    bad("floods-with-noise", ALL, FLOODS, 2),
    bad("floods-with-notifications", ALL, FLOODS, 2),
    bad("never-reads", ALL, SILENT, 2),
    bad("stops-reading", ANSWERS, "dictation: the hook did not answer within 1s; expected a result", 1),
    bad("writes-an-endless-line", ALL, "it wrote a line of more than 4194304 bytes; no more is read", 2),
    bad(
        "answers-a-gibibyte",
        ANSWERS,
        "the hook wrote a line of more than 4194304 bytes; no more is read; expected a result",
        1,
    ),
    bad(
        "answers-two-million-values",
        &["hook-answers", "mcp-message-form"],
        "messages: more than 1000000 values",
        1,
    ),
    bad("leaves-a-child-with-the-pipe", ALL, ENDED, 2),
    bad("leaves-a-session-with-the-pipe", ALL, ENDED, 2),
    bad("leaves-a-grandchild-with-the-pipe", ALL, ENDED, 2),
];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("a command that does not exist is told", || {
            let measured = handler(&["--mcp-stdio", "--", "hookproof-no-such-command"], |_, _| {});
            measured.told(
                2,
                "server: could not be started: No such file or directory (os error 2); expected an answer",
            );
            measured.is_bounded();
        }),
        trial("an interrupted run leaves no process", || {
            let measured = run("leaves-a-session-with-the-pipe", &[], |pid, mark| {
                while !running(mark).iter().any(|command| command.starts_with("sleep 60")) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                kill(Pid::from_raw(pid.try_into().unwrap()), Signal::SIGINT).unwrap();
            });
            assert_eq!((measured.code, measured.stderr.trim()), (Some(130), "hookproof: interrupted"));
            measured.is_bounded();
        }),
    ];
    trials.extend(TARGETS.iter().map(|bad| {
        trial(format!("bad command/{}", bad.what), || {
            let measured = run(bad.what, bad.only, |_, _| {});
            measured.told(bad.code, bad.told);
            measured.is_bounded();
        })
    }));
    trials
}

fn run(what: &str, only: &[&str], meanwhile: impl FnOnce(u32, &str)) -> Measured {
    let this = std::env::current_exe().unwrap();
    let only: Vec<_> = only.iter().map(|id| format!("--only={id}")).collect();
    let mut args: Vec<_> = only.iter().map(String::as_str).collect();
    args.extend(["--mcp-stdio", "--", this.to_str().unwrap(), "serve", "bad", what]);
    handler(&args, meanwhile)
}

/// Does what the name says, in place of the trials.
pub(crate) fn serve(what: &str) {
    // Who reads no longer is not written to.
    let _ = behave(what);
}

fn behave(what: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let forks = |script: &str| Command::new("sh").args(["-c", script]).spawn().map(drop);
    match what {
        "exits" => {
            eprintln!("no file settings.toml");
            std::process::exit(3);
        }
        "floods-with-noise" => loop {
            out.write_all(b"still starting\n")?;
        },
        "floods-with-notifications" => loop {
            out.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n")?;
        },
        "never-reads" => std::thread::sleep(Duration::from_secs(60)),
        "stops-reading" => {
            answer_calls(&mut out, |_, _| std::thread::sleep(Duration::from_secs(60)))?;
        }
        "writes-an-endless-line" => gibibyte(&mut out)?,
        "answers-a-gibibyte" => answer_calls(&mut out, |out, id| {
            let begin = r#"{"content":[{"type":"text","text":""#;
            let _ = write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{begin}"#);
            let _ = gibibyte(out).and_then(|()| out.write_all(b"\"}]}}\n"));
        })?,
        "answers-two-million-values" => answer_calls(&mut out, |out, id| {
            let values = "0,".repeat(2_000_000);
            let _ = writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{values}0]}}}}"#);
        })?,
        "leaves-a-child-with-the-pipe" => forks("exec sleep 60")?,
        "leaves-a-session-with-the-pipe" => forks("exec setsid sleep 60")?,
        "leaves-a-grandchild-with-the-pipe" => forks("(setsid sh -c 'sleep 60 & exit' &)")?,
        other => panic!("no bad command is named {other}"),
    }
    Ok(())
}

fn gibibyte(out: &mut impl Write) -> std::io::Result<()> {
    std::io::copy(&mut std::io::repeat(b'x').take(1 << 30), out).map(drop)
}

/// A server with one hook, which answers a call of it as it likes.
fn answer_calls<W: Write>(out: &mut W, call: impl Fn(&mut W, &Value)) -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?).unwrap_or_default();
        let id = &request["id"];
        if id.is_null() {
            continue;
        }
        let schema = json!({
            "type": "object", "properties": { "payload_json": { "type": "string" } }, "required": ["payload_json"]
        });
        let result = match request["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "bad", "version": "1" },
            }),
            "tools/list" => json!({ "tools": [{ "name": "voiceos_hook_dictation", "inputSchema": schema }] }),
            "tools/call" => {
                call(out, id);
                continue;
            }
            _ => json!({}),
        };
        writeln!(out, "{}", json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
        out.flush()?;
    }
    Ok(())
}
