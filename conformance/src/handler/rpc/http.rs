//! A connection over MCP's Streamable HTTP: each message is POSTed, and what answers it comes back as JSON or
//! as a stream of events.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::{Method, Response, StatusCode};
use serde_json::Value;
use tokio::task::JoinHandle;

use super::MAX_MESSAGE;
use super::inbox::{Inbox, WireKind};
use super::record::{Record, Way};
use super::sse::Events;
use crate::handler::web::{self, Web, header};
use crate::words::quote;

/// What a client accepts.
pub(crate) const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");
const JSON: (&str, &str) = ("content-type", "application/json");

/// A connection to one URL.
#[derive(Clone)]
pub(crate) struct Http {
    pub(crate) inbox: Arc<Inbox>,
    web: Arc<Web>,
    number: u64,
    record: Arc<Record>,
    told: Arc<Mutex<Told>>,
}

/// What the server told that later requests repeat.
#[derive(Default)]
struct Told {
    session: Option<String>,
    version: Option<String>,
}

/// Headers that a message needs beside those that all have.
pub(crate) type Headers = Vec<(&'static str, String)>;

impl Http {
    pub(crate) fn new(web: &Arc<Web>, number: u64, record: &Arc<Record>) -> Self {
        let inbox = Arc::new(Inbox::default());
        Self { inbox, web: web.clone(), number, record: record.clone(), told: Arc::default() }
    }

    /// The session that the server opened, if it has any.
    pub(crate) fn session(&self) -> Option<String> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).session.clone()
    }

    /// From now on every request names this version.
    pub(crate) fn speak(&self, version: &str) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).version = Some(version.to_owned());
    }

    /// Sends a message in the background. Its reply, or why there is none, comes to the inbox.
    pub(crate) fn send(&self, message: &[u8], id: Option<Value>, headers: Headers) -> JoinHandle<()> {
        let (this, message) = (self.clone(), Bytes::copy_from_slice(message));
        tokio::spawn(async move {
            let came = match this.request(Method::POST, message, headers).await {
                Ok(response) => this.take(response, id.as_ref()).await,
                Err(why) => Err(why),
            };
            if let (Some(id), Err(why)) = (&id, came) {
                this.inbox.fail(id, &why);
            }
        })
    }

    /// Sends one request with what every request of this connection carries.
    ///
    /// # Errors
    /// What came instead of a response.
    pub(crate) async fn request(
        &self,
        method: Method,
        body: Bytes,
        headers: Headers,
    ) -> Result<Response<Incoming>, String> {
        self.record.message(self.number, Way::Sent, &body);
        let (session, version) = {
            let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            (told.session.clone(), told.version.clone())
        };
        let mut all = vec![ACCEPT, JSON];
        all.extend(session.as_deref().map(|session| ("mcp-session-id", session)));
        all.extend(version.as_deref().map(|version| ("mcp-protocol-version", version)));
        all.extend(headers.iter().map(|(name, value)| (*name, value.as_str())));
        let response = self.web.send(method, &all, body).await?;
        let kind = header(response.headers(), "content-type");
        self.record.event(self.number, &format!("status {}, {kind}", response.status().as_u16()));
        Ok(response)
    }

    async fn take(&self, response: Response<Incoming>, id: Option<&Value>) -> Result<(), String> {
        let (head, mut body) = response.into_parts();
        if let Some(session) = head.headers.get("mcp-session-id").and_then(|value| value.to_str().ok()) {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.session.get_or_insert_with(|| session.to_owned());
        }
        let Some(id) = id else {
            let read = web::read(&mut body, MAX_MESSAGE).await?;
            if head.status != StatusCode::ACCEPTED || !read.bytes.is_empty() {
                let text = format!(
                    "answered a notification with status {} and {}; expected 202 and no body",
                    head.status.as_u16(),
                    quote(&read.bytes)
                );
                self.inbox.fault(WireKind::NotificationStatus, text);
            }
            return Ok(());
        };
        let kind = header(&head.headers, "content-type").split(';').next().unwrap_or_default().trim();
        match kind {
            "text/event-stream" if head.status.is_success() => self.events(&mut body, id).await?,
            "application/json" => {
                let read = web::read(&mut body, MAX_MESSAGE).await?;
                if read.is_cut {
                    return Err(format!("answered with more than {MAX_MESSAGE} bytes; no more are read"));
                }
                // A refused request is a reply where it says which, and else the status is all there is.
                let is_reply =
                    serde_json::from_slice::<Value>(&read.bytes).is_ok_and(|body| body.get("id") == Some(id));
                if head.status.is_success() || is_reply {
                    self.receive(&read.bytes);
                } else {
                    return Err(format!("answered with status {}: {}", head.status, quote(&read.bytes)));
                }
            }
            kind => {
                let read = web::read(&mut body, MAX_MESSAGE).await?;
                if head.status.is_success() {
                    let text = format!(
                        "answered a request with the content type `{kind}`; expected application/json or \
                         text/event-stream"
                    );
                    self.inbox.fault(WireKind::ContentType, text);
                }
                return Err(format!("answered with status {}: {}", head.status, quote(&read.bytes)));
            }
        }
        if self.inbox.awaits(id) {
            Err("answered without the reply to its request".to_owned())
        } else {
            Ok(())
        }
    }

    async fn events(&self, body: &mut Incoming, id: &Value) -> Result<(), String> {
        let mut events = Events::default();
        while let Some(piece) = web::piece(body).await? {
            for data in events.take(&piece, MAX_MESSAGE)? {
                self.receive(&data);
            }
            if self.inbox.is_flooded() {
                return Err("flooded the stream with what nobody asked for; no more is read".to_owned());
            }
            if !self.inbox.awaits(id) {
                break;
            }
        }
        Ok(())
    }

    fn receive(&self, message: &[u8]) {
        self.record.message(self.number, Way::Received, message);
        // A priming event has no data.
        if message.is_empty() {
            return;
        }
        if let Some(answer) = self.inbox.receive(message) {
            self.send(answer.to_string().as_bytes(), None, Headers::new());
        }
    }
}
