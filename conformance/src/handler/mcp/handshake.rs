//! The handshake of either era, and the negotiation of versions.

use futures::future::join_all;
use serde_json::Value;

use super::{Exam, LEAVING, Subject};
use crate::candidate::mcp::Era;
use crate::handler::check::checks;
use crate::handler::rpc::session::{INITIALIZE, Outcome, STATELESS, Session};
use crate::words::quote;

checks! {
    STARTS = "mcp-starts", Must, [Mcp("Lifecycle")],
        "The server starts and greets a client, by `initialize` or by `server/discover`.";
    GREETING = "mcp-greeting", Must, [Mcp("Lifecycle")],
        "The greeting has what its era asks for: the version or versions, capabilities, and who the server is.";
    TOOLS = "mcp-tools-capability", Must, [Mcp("Tools")],
        "The server declares the capability `tools`.";
    VERSIONS = "mcp-versions", Must, [Mcp("Version negotiation")],
        "Offered any version of `initialize`, the server answers with it or with another one that exists.";
    FUTURE_VERSION = "mcp-future-version", Must, [Mcp("Version negotiation")],
        "Offered a version that does not exist yet, the server answers with one that it speaks, or with an error.";
    VOICEOS_VERSION = "mcp-initialize-era", Should, [Mcp("Version negotiation"), Clause("VO-SRV-1")],
        "The server speaks a version of `initialize`, the only ones that hosts are seen to use.";
}

const UNREACHED: &str = "no hook of it is ever called: every event goes on as without a handler";
/// A version that no specification has.
const FUTURE: &str = "2099-01-01";

/// Greets the server in the era of `initialize`, else in the other.
pub(super) async fn first(exam: &Exam<'_>) -> Option<(Session, Era)> {
    let newest = INITIALIZE.last().copied().unwrap_or_default();
    let mut whys = Vec::new();
    for era in [Era::Initialize, Era::Stateless] {
        let link = match exam.open() {
            Ok(link) => link,
            Err(why) => {
                whys.push(why);
                break;
            }
        };
        let opened = match era {
            Era::Initialize => Session::initialize(link, newest, exam.starting()).await,
            Era::Stateless => Session::discover(link, exam.starting()).await,
        };
        match opened {
            Ok(session) => {
                exam.findings.judged(&STARTS);
                greeting(exam, &session);
                voiceos_version(exam, era, &whys);
                return Some((session, era));
            }
            Err((link, outcome)) => {
                let why = exam.gave_up(link, &outcome).await;
                whys.push(format!("to `{}` it {why}", asked(era)));
                // Who answers nothing in one era answers nothing in the other.
                if matches!(outcome, Outcome::Late(_)) {
                    break;
                }
            }
        }
    }
    let message = format!("{}; expected an answer to `initialize` or `server/discover`", whys.join("; "));
    exam.findings.broken(&STARTS, "server", message, UNREACHED);
    exam.findings.stop("the server did not greet the client");
    None
}

const fn asked(era: Era) -> &'static str {
    match era {
        Era::Initialize => "initialize",
        Era::Stateless => "server/discover",
    }
}

fn voiceos_version(exam: &Exam<'_>, era: Era, whys: &[String]) {
    exam.findings.judged(&VOICEOS_VERSION);
    if era == Era::Stateless {
        let message = format!("speaks {STATELESS} only: {}", whys.join("; "));
        exam.findings.broken(
            &VOICEOS_VERSION,
            "server",
            message,
            "a host of that era calls none of its hooks",
        );
    }
}

fn greeting(exam: &Exam<'_>, session: &Session) {
    for check in [&GREETING, &TOOLS] {
        exam.findings.judged(check);
    }
    let greeting = &session.greeting;
    let lacks = |member: &str, expected: &str| {
        let found =
            greeting.get(member).map_or("nothing".to_owned(), |value| quote(value.to_string().as_bytes()));
        let message = format!("`{member}` is {found}; expected {expected}");
        exam.findings.broken(&GREETING, asked(session.era), message, UNREACHED);
    };
    match session.era {
        Era::Initialize => {
            let version = greeting.get("protocolVersion").and_then(Value::as_str);
            if version.is_none_or(|version| !INITIALIZE.contains(&version)) {
                lacks("protocolVersion", &format!("one of {}", INITIALIZE.join(", ")));
            }
            let server = greeting.get("serverInfo");
            let says = |member| server.and_then(|server| server.get(member)).is_some_and(Value::is_string);
            if !says("name") || !says("version") {
                lacks("serverInfo", "an object with a `name` and a `version`");
            }
        }
        Era::Stateless => {
            let versions = greeting.get("supportedVersions").and_then(Value::as_array);
            if versions.is_none_or(|versions| !versions.iter().any(|version| version == STATELESS)) {
                lacks("supportedVersions", &format!("a list with {STATELESS}"));
            }
            if greeting.get("resultType").is_none_or(|kind| kind != "complete") {
                lacks("resultType", "\"complete\"");
            }
        }
    }
    match greeting.get("capabilities") {
        Some(Value::Object(capabilities)) => {
            if !capabilities.get("tools").is_some_and(Value::is_object) {
                let message = "`capabilities` has no `tools`";
                exam.findings.broken(&TOOLS, "server", message, "a client does not look for its tools");
            }
        }
        _ => lacks("capabilities", "an object"),
    }
}

/// Offers every version, each to a server of its own.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    if subject.era == Era::Stateless {
        for check in [&VERSIONS, &FUTURE_VERSION] {
            exam.findings.not_applicable(check, "the server does not speak the era of `initialize`");
        }
        return;
    }
    let wanted = [(exam.wants(&VERSIONS), &INITIALIZE[..]), (exam.wants(&FUTURE_VERSION), &[FUTURE])];
    let offered: Vec<_> = wanted.iter().filter(|(wanted, _)| *wanted).flat_map(|(_, list)| *list).collect();
    let answers = join_all(offered.iter().map(|version| offer(exam, version))).await;
    let mut spoken = Vec::new();
    for (version, answer) in offered.into_iter().zip(answers) {
        let (check, cost) = match *version {
            FUTURE => (&FUTURE_VERSION, "a client of a later version cannot use it"),
            _ => (&VERSIONS, "a client of this version calls none of its hooks"),
        };
        exam.findings.judged(check);
        let instead = match answer {
            Ok(answered) if INITIALIZE.contains(&answered.as_str()) => {
                spoken.extend((answered == *version).then_some(*version));
                continue;
            }
            // A refusal is an answer, too: the client learns that they cannot speak with each other.
            Err(Outcome::Reply(..)) => continue,
            Ok(answered) => format!("answers {}", quote(answered.as_bytes())),
            Err(outcome) => outcome.instead(),
        };
        let message =
            format!("offered {version}, the server {instead}; expected one of {}", INITIALIZE.join(", "));
        exam.findings.broken(check, "initialize", message, cost);
    }
    if !spoken.is_empty() {
        exam.findings.note(&VERSIONS, format!("speaks {}", spoken.join(", ")));
    }
}

/// The version that is answered to an offered one.
async fn offer(exam: &Exam<'_>, version: &str) -> Result<String, Outcome> {
    let link = exam.open().map_err(Outcome::Ended)?;
    match Session::initialize(link, version, exam.starting()).await {
        Ok(session) => {
            let answered = session.greeting.get("protocolVersion").and_then(Value::as_str);
            let answered = answered.unwrap_or_default().to_owned();
            exam.take_faults(&session.link);
            session.link.end(LEAVING).await;
            Ok(answered)
        }
        Err((link, outcome)) => {
            let why = exam.gave_up(link, &outcome).await;
            Err(if matches!(outcome, Outcome::Ended(_)) { Outcome::Ended(why) } else { outcome })
        }
    }
}
