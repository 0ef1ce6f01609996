//! What comes from a server: replies go to who waits for them, and everything that a strict client would not
//! have is written down.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::message::{self, Message, Reply};
use crate::words::quote;

/// The most faults that are kept of one connection.
const MAX_FAULTS: usize = 50;
/// The most messages that nobody asked for; what sends more is not listened to any longer.
const MAX_UNASKED: u64 = 100_000;

/// Something that a strict client would not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireFault {
    pub(crate) kind: WireKind,
    pub(crate) text: String,
}

/// Of which sort it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireKind {
    /// Something that is no message.
    Noise,
    /// A message that JSON-RPC or MCP does not have so.
    Form,
    /// A reply whose id has another type than the request's.
    IdType,
    /// A reply to a request that nobody sent.
    UnknownId,
    /// One more reply to a request that has one.
    SecondReply,
    /// A reply without an id.
    WithoutId,
    /// A request for what this client does not offer.
    Asks,
    /// Over HTTP: a notification that was not answered with 202 and nothing else.
    NotificationStatus,
    /// Over HTTP: an answer of another content type than it may have.
    ContentType,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Arrived {
    /// A reply came.
    Reply(Reply, Instant),
    /// None can come any more, and why.
    Ended(String),
}

/// The receiving side of one connection.
#[derive(Default)]
pub(crate) struct Inbox(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: HashMap<String, oneshot::Sender<Arrived>>,
    answered: HashSet<String>,
    faults: Vec<WireFault>,
    ended: Option<String>,
    /// It was this side that ended it.
    given_up: bool,
    unasked: u64,
    /// A malformed line was sent, which may be answered without an id.
    may_lack_id: bool,
}

impl Inbox {
    /// Waits for the reply to a request that is about to be sent.
    pub(crate) fn expect(&self, id: &Value) -> oneshot::Receiver<Arrived> {
        let (tell, told) = oneshot::channel();
        let mut state = self.state();
        match &state.ended {
            Some(why) => {
                let _ = tell.send(Arrived::Ended(why.clone()));
            }
            None => {
                state.waiting.insert(id.to_string(), tell);
            }
        }
        told
    }

    /// From now on a reply may lack an id, since what was sent had none that could be read.
    pub(crate) fn may_lack_id(&self) {
        self.state().may_lack_id = true;
    }

    /// Takes what came. A request of the server's has an answer, which is given back to be sent.
    pub(crate) fn receive(&self, bytes: &[u8]) -> Option<Value> {
        let now = Instant::now();
        let mut state = self.state();
        let (message, wrong) = match message::read(bytes) {
            Ok(read) => read,
            Err(instead) => {
                // What is JSON was meant as a message.
                let is_meant = matches!(bytes.first(), Some(b'{' | b'['))
                    && serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
                state.fault(if is_meant { WireKind::Form } else { WireKind::Noise }, instead);
                return None;
            }
        };
        for text in wrong {
            state.fault(WireKind::Form, format!("{text}: {}", quote(bytes)));
        }
        match message {
            Message::Response { id, reply } => {
                state.reply(&id, Arrived::Reply(reply, now), bytes);
                None
            }
            Message::Request { id, method } if method == "ping" => {
                state.unasked += 1;
                Some(json!({ "jsonrpc": "2.0", "id": id, "result": {} }))
            }
            Message::Request { id, method } => {
                state.unasked += 1;
                state.fault(WireKind::Asks, format!("asked for `{method}`"));
                let error = json!({ "code": -32601, "message": "this client does not offer that" });
                Some(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
            }
            Message::Notification => {
                state.unasked += 1;
                None
            }
        }
    }

    /// Whether so much came unasked that nothing more need be read.
    pub(crate) fn is_flooded(&self) -> bool {
        self.state().unasked > MAX_UNASKED
    }

    /// Writes a fault down.
    pub(crate) fn fault(&self, kind: WireKind, text: impl Into<String>) {
        self.state().fault(kind, text.into());
    }

    /// Whether the reply to this request is still to come.
    pub(crate) fn awaits(&self, id: &Value) -> bool {
        self.state().waiting.contains_key(&id.to_string())
    }

    /// This request gets no reply, and why.
    pub(crate) fn fail(&self, id: &Value, why: &str) {
        if let Some(waiting) = self.state().waiting.remove(&id.to_string()) {
            let _ = waiting.send(Arrived::Ended(why.to_owned()));
        }
    }

    /// No request gets a reply any more, and why.
    pub(crate) fn end(&self, why: &str) {
        let mut state = self.state();
        state.ended.get_or_insert_with(|| why.to_owned());
        for (_, waiting) in state.waiting.drain() {
            let _ = waiting.send(Arrived::Ended(why.to_owned()));
        }
    }

    /// No more is read, and why.
    pub(crate) fn give_up(&self, why: &str) {
        self.state().given_up = true;
        self.end(why);
    }

    /// Whether it was this side that ended it.
    pub(crate) fn is_given_up(&self) -> bool {
        self.state().given_up
    }

    /// Why nothing comes any more, if so.
    pub(crate) fn ended(&self) -> Option<String> {
        self.state().ended.clone()
    }

    /// Takes the faults away that were written down so far.
    pub(crate) fn take_faults(&self) -> Vec<WireFault> {
        std::mem::take(&mut self.state().faults)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn fault(&mut self, kind: WireKind, text: String) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(WireFault { kind, text });
        }
    }

    fn reply(&mut self, id: &Value, arrived: Arrived, bytes: &[u8]) {
        let key = id.to_string();
        if let Some(waiting) = self.waiting.remove(&key) {
            // Who gave up waiting has what came late all the same: it is no second reply.
            let _ = waiting.send(arrived);
            self.answered.insert(key);
            return;
        }
        let text = quote(bytes);
        if id.is_null() {
            if !self.may_lack_id {
                self.fault(WireKind::WithoutId, format!("a reply without an id: {text}"));
            }
        } else if self.answered.contains(&key) {
            self.fault(WireKind::SecondReply, format!("a second reply to the request {key}: {text}"));
        } else if let Some(meant) = self.waiting.keys().find(|meant| bare(meant) == bare(&key)).cloned() {
            self.fault(WireKind::IdType, format!("the request {meant} was answered as {key}"));
            if let Some(waiting) = self.waiting.remove(&meant) {
                let _ = waiting.send(arrived);
                self.answered.insert(meant);
            }
        } else {
            self.fault(WireKind::UnknownId, format!("a reply to {key}, which was never asked: {text}"));
        }
    }
}

/// An id without what shows its type.
fn bare(key: &str) -> &str {
    key.trim_matches('"').trim_end_matches(".0")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn kinds(inbox: &Inbox) -> Vec<WireKind> {
        inbox.take_faults().into_iter().map(|fault| fault.kind).collect()
    }

    #[rstest]
    #[case(&[r#"{"jsonrpc":"2.0","id":7,"result":{}}"#], &[])]
    #[case(&[r#"{"jsonrpc":"2.0","id":"7","result":{}}"#], &[WireKind::IdType])]
    #[case(&[r#"{"jsonrpc":"2.0","id":7,"result":{}}"#; 2], &[WireKind::SecondReply])]
    #[case(&[r#"{"jsonrpc":"2.0","id":8,"result":{}}"#], &[WireKind::UnknownId])]
    #[case(&[r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#], &[WireKind::WithoutId])]
    #[case(&["hello", "[]", "[started]"], &[WireKind::Noise, WireKind::Form, WireKind::Noise])]
    #[case(&[r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#], &[WireKind::Asks])]
    #[case(&[r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#], &[])]
    #[tokio::test]
    async fn what_a_strict_client_would_not_have_is_written_down(
        #[case] lines: &[&str],
        #[case] told: &[WireKind],
    ) {
        let inbox = Inbox::default();
        let _reply = inbox.expect(&json!(7));
        for line in lines {
            inbox.receive(line.as_bytes());
        }
        assert_eq!(kinds(&inbox), told);
    }

    #[tokio::test]
    async fn who_asks_after_the_end_is_told_of_it() {
        let inbox = Inbox::default();
        let waits = inbox.expect(&json!(1));
        inbox.end("it is gone");
        let after = inbox.expect(&json!(2));
        for told in [waits, after] {
            assert_eq!(told.await.unwrap(), Arrived::Ended("it is gone".to_owned()));
        }
    }
}
