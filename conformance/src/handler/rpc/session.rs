//! A session: the handshake of either era, and requests with their replies.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Link;
use super::inbox::Arrived;
use super::message::Reply;
use crate::candidate::mcp::Era;

/// The version of the stateless era.
pub(crate) const STATELESS: &str = "2026-07-28";
/// The versions of the era of `initialize`, the newest last.
pub(crate) const INITIALIZE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// A connection on which requests can be made.
pub(crate) struct Session {
    pub(crate) link: Link,
    pub(crate) era: Era,
    pub(crate) version: String,
    /// What the handshake came to.
    pub(crate) greeting: Map<String, Value>,
    next: AtomicU64,
}

/// A request that is under way.
pub(crate) struct Asked {
    pub(crate) id: Value,
    sent: Instant,
    reply: oneshot::Receiver<Arrived>,
}

/// What a request came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// A reply, and how long it took.
    Reply(Reply, Duration),
    /// None within this time.
    Late(Duration),
    /// None, and why none can come any more.
    Ended(String),
}

impl Asked {
    /// Waits for the reply.
    pub(crate) async fn wait(self, patience: Duration) -> Outcome {
        match timeout(patience, self.reply).await {
            Ok(Ok(Arrived::Reply(reply, at))) => Outcome::Reply(reply, at.duration_since(self.sent)),
            Ok(Ok(Arrived::Ended(why))) => Outcome::Ended(why),
            Ok(Err(_)) => Outcome::Ended("the connection was given up".to_owned()),
            Err(_) => Outcome::Late(patience),
        }
    }
}

impl Outcome {
    /// What it was instead of a result, in words that go on from "it".
    pub(crate) fn instead(&self) -> String {
        match self {
            Self::Reply(Reply::Result(_), _) => "answered".to_owned(),
            Self::Reply(Reply::Error { code, message, .. }, _) => {
                format!("answered with the error {code}: {}", crate::words::quote(message.as_bytes()))
            }
            Self::Late(patience) => format!("did not answer within {:?}", rounded(*patience)),
            Self::Ended(why) => why.clone(),
        }
    }
}

impl Session {
    /// Offers a version in `initialize`, and takes whichever the server answers.
    ///
    /// # Errors
    /// What came instead of the answer; the connection is given back.
    pub(crate) async fn initialize(
        link: Link,
        version: &str,
        patience: Duration,
    ) -> Result<Self, (Link, Outcome)> {
        let mut session = Self::new(link, Era::Initialize, version);
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client() });
        let outcome = session.request("initialize", params).wait(patience).await;
        let Outcome::Reply(Reply::Result(greeting), _) = outcome else { return Err((session.link, outcome)) };
        if let Some(version) = greeting.get("protocolVersion").and_then(Value::as_str) {
            version.clone_into(&mut session.version);
        }
        session.link.speak(&session.version);
        session.greeting = greeting;
        // Over HTTP the next request could overtake it.
        if let Some(sent) = session.notify("notifications/initialized", json!({})) {
            let _ = timeout(patience, sent).await;
        }
        Ok(session)
    }

    /// Asks with `server/discover` what the server speaks, in the stateless era.
    ///
    /// # Errors
    /// What came instead of the answer; the connection is given back.
    pub(crate) async fn discover(link: Link, patience: Duration) -> Result<Self, (Link, Outcome)> {
        let mut session = Self::new(link, Era::Stateless, STATELESS);
        session.link.speak(STATELESS);
        let outcome = session.request("server/discover", json!({})).wait(patience).await;
        let Outcome::Reply(Reply::Result(greeting), _) = outcome else { return Err((session.link, outcome)) };
        session.greeting = greeting;
        Ok(session)
    }

    fn new(link: Link, era: Era, version: &str) -> Self {
        Self { link, era, version: version.to_owned(), greeting: Map::new(), next: AtomicU64::new(1) }
    }

    /// Sends a request under the next number.
    pub(crate) fn request(&self, method: &str, params: Value) -> Asked {
        self.request_as(json!(self.next.fetch_add(1, Ordering::Relaxed)), method, params)
    }

    /// Sends a request under this id.
    pub(crate) fn request_as(&self, id: Value, method: &str, mut params: Value) -> Asked {
        let mut headers = Vec::new();
        if self.era == Era::Stateless {
            let meta = json!({
                "io.modelcontextprotocol/protocolVersion": self.version,
                "io.modelcontextprotocol/clientInfo": client(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            headers.push(("mcp-method", method.to_owned()));
            let name = params.get("name").and_then(Value::as_str);
            headers.extend(name.map(|name| ("mcp-name", name.to_owned())));
            if let Value::Object(params) = &mut params {
                params.insert("_meta".to_owned(), meta);
            }
        }
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let reply = self.link.inbox().expect(&id);
        let sent = Instant::now();
        self.link.send(message.as_bytes(), Some(id.clone()), headers);
        Asked { id, sent, reply }
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, params: Value) -> Option<tokio::task::JoinHandle<()>> {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string();
        let headers = match self.era {
            Era::Stateless => vec![("mcp-method", method.to_owned())],
            Era::Initialize => Vec::new(),
        };
        self.link.send(message.as_bytes(), None, headers)
    }

    /// Calls a tool.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Asked {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
    }
}

/// A time as people tell it: what a time limit leaves has odd digits.
pub(crate) fn rounded(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn client() -> Value {
    json!({ "name": "hookproof", "version": env!("CARGO_PKG_VERSION") })
}
