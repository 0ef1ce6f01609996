//! A strict JSON-RPC driver for MCP, in both of its eras, over standard streams and Streamable HTTP.
//!
//! Clients of the official SDKs forgive: an unknown version, noise between messages, an id of another type, a
//! second reply. A checker must see all of that, so here nothing is forgiven, and nothing ends the exchange
//! that need not. Every message is kept for the [`record`].

pub(crate) mod http;
pub(crate) mod inbox;
pub(crate) mod message;
pub(crate) mod record;
pub(crate) mod session;
mod sse;
pub(crate) mod stdio;

use std::time::Duration;

use serde_json::Value;

use self::http::{Headers, Http};
use self::inbox::Inbox;
use self::stdio::Stdio;

/// The longest message that is read, in bytes. Several connections together stay within 256 MiB.
pub(crate) const MAX_MESSAGE: usize = 4 << 20;

/// A connection to a server, over whichever transport.
pub(crate) enum Link {
    Stdio(Stdio),
    Http(Http),
}

impl Link {
    /// What came over it.
    pub(crate) fn inbox(&self) -> &Inbox {
        match self {
            Self::Stdio(stdio) => &stdio.inbox,
            Self::Http(http) => &http.inbox,
        }
    }

    /// Sends bytes that should be one message. `id` is that of a request, whose reply the inbox expects.
    /// What is given back is done once it was answered, where the next one could overtake it.
    pub(crate) fn send(
        &self,
        message: &[u8],
        id: Option<Value>,
        headers: Headers,
    ) -> Option<tokio::task::JoinHandle<()>> {
        match self {
            Self::Stdio(stdio) => {
                stdio.send(message);
                None
            }
            Self::Http(http) => Some(http.send(message, id, headers)),
        }
    }

    /// From now on this version is spoken.
    pub(crate) fn speak(&self, version: &str) {
        if let Self::Http(http) = self {
            http.speak(version);
        }
    }

    /// Why nothing comes any more, by how the process ended if there is one; `None` while it lives.
    pub(crate) async fn ended(&self) -> Option<String> {
        let why = self.inbox().ended()?;
        Some(match self {
            // A process that is not listened to any longer ends because of that.
            Self::Stdio(stdio) if !stdio.inbox.is_given_up() => stdio.child.explain(&why).await,
            _ => why,
        })
    }

    /// Ends it. A process has this long to leave by itself.
    pub(crate) async fn end(self, patience: Duration) {
        match self {
            Self::Stdio(stdio) => stdio.end(patience).await,
            Self::Http(http) => {
                if http.session().is_some() {
                    let leaving = http.request(hyper::Method::DELETE, bytes::Bytes::new(), Headers::new());
                    let _ = tokio::time::timeout(patience, leaving).await;
                }
            }
        }
    }
}
