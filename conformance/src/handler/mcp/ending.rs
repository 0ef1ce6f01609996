//! How a server over standard streams ends: VO-SRV-6.

use std::process::ExitStatus;
use std::time::Duration;

use super::{Exam, LEAVING, Server, Subject, payload_json};
use crate::handler::check::checks;
use crate::handler::rpc::Link;
use crate::handler::rpc::session::Session;

checks! {
    STDIN = "ends-with-stdin", Must, [Clause("VO-SRV-6"), Mcp("Shutdown")],
        "The server leaves within 3 s after its standard input is closed.";
    STATUS = "ends-well", Should, [Clause("VO-SRV-6")],
        "It leaves with exit status 0.";
    SIGTERM = "ends-on-sigterm", Must, [Mcp("Shutdown")],
        "The server leaves within 3 s after SIGTERM.";
    CHILDREN = "leaves-no-children", Must, [Clause("VO-SRV-6")],
        "Nothing that the server started outlives it.";
}

const LEFT: &str = "runs on after the host has gone, with whatever it listens to";
/// How long what a server has started may outlive it.
const LAG: Duration = Duration::from_millis(500);

/// Lets the server leave, once by closing its input and once by SIGTERM, each after it has answered a call.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    if !matches!(exam.server, Server::Command(..)) {
        return;
    }
    for (check, is_signal) in [(&STDIN, false), (&SIGTERM, true)] {
        if is_signal && !exam.wants(check) {
            continue;
        }
        let Ok(session) = exam.session(subject).await else {
            exam.findings.not_reached(check, "the server does not start again");
            continue;
        };
        for event in subject.listing.hooks.iter().take(1) {
            let call = session.call(event.tool(), payload_json(&subject.payloads.full(*event)));
            call.wait(exam.patience()).await;
        }
        let Session { link: Link::Stdio(mut stdio), .. } = session else { continue };
        if is_signal {
            stdio.child.ask_to_end();
        } else {
            stdio.close_input();
        }
        let status = stdio.child.exit_within(LEAVING).await;
        exam.findings.judged(check);
        match status {
            None => {
                let asked = if is_signal { "after SIGTERM" } else { "after its standard input was closed" };
                let message = format!("still runs {LEAVING:?} {asked}");
                exam.findings.broken(check, "server", message, LEFT);
            }
            Some(status) => {
                if !is_signal {
                    left_well(exam, status);
                }
                children(exam, &stdio.child).await;
            }
        }
        exam.wire.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(stdio.inbox.take_faults());
        stdio.end(Duration::ZERO).await;
    }
}

fn left_well(exam: &Exam<'_>, status: ExitStatus) {
    exam.findings.judged(&STATUS);
    if !status.success() {
        let message = format!("ended with {status}; expected exit status 0");
        exam.findings.broken(
            &STATUS,
            "server",
            message,
            "a host takes it for crashed and may not start it again",
        );
    }
}

async fn children(exam: &Exam<'_>, child: &crate::process::Child) {
    tokio::time::sleep(Duration::from_millis(50)).await;
    if !child.left_behind().is_empty() {
        tokio::time::sleep(LAG).await;
    }
    exam.findings.judged(&CHILDREN);
    for command in child.left_behind() {
        let message = format!("left `{}` running", crate::abridge::tame(&command));
        exam.findings.broken(&CHILDREN, "server", message, LEFT);
    }
}
