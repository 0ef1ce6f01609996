//! Checking an MCP server with VoiceOS hooks.

mod answers;
mod ending;
mod handshake;
mod hostile;
mod latency;
mod listing;
mod protocol;
mod streamable;
mod together;

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use hookproof_model::voiceos::EventKind;
use serde_json::{Value, json};
use tokio::time::timeout;

use self::listing::Listing;
use super::check::Check;
use super::payload::Payloads;
use super::rpc::Link;
use super::rpc::http::Http;
use super::rpc::inbox::WireFault;
use super::rpc::session::{Outcome, Session};
use super::rpc::stdio::Stdio;
use super::web::Web;
use super::{Run, envelope};
use crate::candidate::mcp::Era;

/// How long a server may take to start and to answer for the first time: it may be installed while it starts.
const STARTING: Duration = Duration::from_secs(30);
/// How long a server may take to leave once its input is closed.
const LEAVING: Duration = Duration::from_secs(3);

/// How a server is reached.
pub(crate) enum Server {
    /// A command with its arguments.
    Command(String, Vec<String>),
    /// A URL, over Streamable HTTP.
    Url(Arc<Web>),
}

/// The checks of a server that is reached so.
pub(crate) fn checks(server: &Server) -> Vec<&'static Check> {
    let only = match server {
        Server::Command(..) => [protocol::STDIO, ending::CHECKS].concat(),
        Server::Url(_) => streamable::CHECKS.to_vec(),
    };
    let hooks =
        [answers::CHECKS, envelope::CHECKS, hostile::CHECKS, together::CHECKS, latency::CHECKS].concat();
    [handshake::CHECKS, protocol::COMMON, &only, listing::CHECKS, &hooks].concat()
}

/// The checks of servers, however they are reached.
pub(crate) fn all_checks() -> Vec<&'static Check> {
    let mut all = checks(&Server::Command(String::new(), Vec::new()));
    all.extend(streamable::CHECKS);
    all
}

/// One examination.
pub(crate) struct Exam<'a> {
    run: Run<'a>,
    server: &'a Server,
    shared: tokio::sync::Mutex<Option<Arc<Session>>>,
    links: AtomicU64,
    wire: Mutex<Vec<WireFault>>,
}

impl<'a> Deref for Exam<'a> {
    type Target = Run<'a>;

    fn deref(&self) -> &Run<'a> {
        &self.run
    }
}

/// What the later acts need to know.
struct Subject {
    era: Era,
    version: String,
    listing: Listing,
    payloads: Payloads,
}

/// Checks a server; whether the time limit ended it.
pub(crate) async fn examine(run: Run<'_>, server: &Server) -> bool {
    let shared = tokio::sync::Mutex::default();
    let exam = Exam { run, server, shared, links: AtomicU64::new(1), wire: Mutex::default() };
    let cut_off = timeout(exam.plan.limit, exam.acts()).await.is_err();
    // What was seen until then is told all the same.
    if let Some(session) = exam.shared.lock().await.take() {
        exam.take_faults(&session.link);
    }
    protocol::tell_faults(&exam, cut_off);
    cut_off
}

impl Exam<'_> {
    async fn acts(&self) {
        listing::manifest(self);
        self.progress("greeting");
        let Some((session, era)) = handshake::first(self).await else { return };
        self.progress("tools/list");
        let version = session.version.clone();
        let listing = listing::examine(self, &session).await;
        *self.shared.lock().await = Some(Arc::new(session));
        let Some(listing) = listing else { return self.end_shared(LEAVING).await };
        let payloads = listing.payloads(self.plan);
        let subject = &Subject { era, version, listing, payloads };
        let acts: [(&str, Vec<&Check>, BoxFuture<'_, ()>); 8] = [
            ("versions", handshake::CHECKS.to_vec(), Box::pin(handshake::examine(self, subject))),
            ("protocol", protocol::CHECKS.to_vec(), Box::pin(protocol::examine(self, subject))),
            (
                "answers",
                [answers::CHECKS, envelope::CHECKS].concat(),
                Box::pin(answers::examine(self, subject)),
            ),
            ("malformed payloads", hostile::CHECKS.to_vec(), Box::pin(hostile::examine(self, subject))),
            ("calls at once", together::CHECKS.to_vec(), Box::pin(together::examine(self, subject))),
            ("latency", latency::CHECKS.to_vec(), Box::pin(latency::examine(self, subject))),
            ("ending", ending::CHECKS.to_vec(), Box::pin(ending::examine(self, subject))),
            ("HTTP", streamable::CHECKS.to_vec(), Box::pin(streamable::examine(self, subject))),
        ];
        for (name, checks, act) in acts {
            self.progress(name);
            if self.wants_any(&checks) {
                act.await;
            }
        }
        self.end_shared(LEAVING).await;
    }

    /// A new connection; a new process, if it is one.
    fn open(&self) -> Result<Link, String> {
        let number = self.links.fetch_add(1, Ordering::Relaxed);
        match self.server {
            Server::Command(command, args) => {
                Stdio::start(command, args, number, &self.record).map(Link::Stdio)
            }
            Server::Url(web) => Ok(Link::Http(Http::new(web, number, &self.record))),
        }
    }

    /// How long a server may take to start and to answer for the first time.
    fn starting(&self) -> Duration {
        self.at_most(STARTING)
    }

    /// A new session as the first one was.
    async fn session(&self, subject: &Subject) -> Result<Session, String> {
        let link = self.open()?;
        let opened = match subject.era {
            Era::Initialize => Session::initialize(link, &subject.version, self.starting()).await,
            Era::Stateless => Session::discover(link, self.starting()).await,
        };
        match opened {
            Ok(session) => Ok(session),
            Err((link, outcome)) => Err(self.gave_up(link, &outcome).await),
        }
    }

    /// Ends a connection on which there was no answer, and says why there was none.
    async fn gave_up(&self, link: Link, outcome: &Outcome) -> String {
        let why = match link.ended().await {
            Some(why) => why,
            None => outcome.instead(),
        };
        self.take_faults(&link);
        link.end(Duration::ZERO).await;
        why
    }

    /// Ends a session in good order. What it left on the wire is kept for the end.
    async fn close(&self, session: Session) {
        self.take_faults(&session.link);
        session.link.end(LEAVING).await;
    }

    fn take_faults(&self, link: &Link) {
        self.wire.lock().unwrap_or_else(PoisonError::into_inner).extend(link.inbox().take_faults());
    }

    /// The session that the acts share: opened when it is needed, and again after it broke.
    async fn shared(&self, subject: &Subject) -> Result<Arc<Session>, String> {
        let mut shared = self.shared.lock().await;
        if let Some(session) = shared.as_ref() {
            return Ok(session.clone());
        }
        let session = Arc::new(self.session(subject).await?);
        *shared = Some(session.clone());
        Ok(session)
    }

    /// Ends the shared session, in good order if there is time for it.
    async fn end_shared(&self, patience: Duration) {
        if let Some(session) = self.shared.lock().await.take().and_then(Arc::into_inner) {
            self.take_faults(&session.link);
            session.link.end(patience).await;
        }
    }

    /// Calls a hook.
    async fn call(&self, subject: &Subject, event: EventKind, arguments: Value) -> Outcome {
        let session = match self.shared(subject).await {
            Ok(session) => session,
            Err(why) => return Outcome::Ended(why),
        };
        let outcome = session.call(event.tool(), arguments).wait(self.patience()).await;
        if matches!(outcome, Outcome::Ended(_))
            && let Some(why) = session.link.ended().await
        {
            drop(session);
            self.end_shared(Duration::ZERO).await;
            return Outcome::Ended(why);
        }
        outcome
    }
}

/// The one argument of a hook: the payload as JSON text.
fn payload_json(payload: &Value) -> Value {
    json!({ "payload_json": payload.to_string() })
}
