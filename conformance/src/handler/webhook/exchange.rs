//! One exchange with a webhook: a request, and whatever comes of it.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hookproof_model::matrices::wire::MAX_BODY;
use hyper::{Method, StatusCode};
use serde_json::Value;
use tokio::time::{Instant as Until, timeout_at};

use super::Exam;
use crate::handler::rpc::record::Way;
use crate::handler::web::{self, header};

/// MX-DL-1: how long a platform waits for an answer that is whole.
pub(super) const DEADLINE: Duration = Duration::from_secs(10);
/// How much longer is waited here, to tell a late answer from none.
const GRACE: Duration = Duration::from_secs(2);
/// The content type of a HookInput.
pub(super) const JSON: &str = "application/json";

/// What came of a request.
#[derive(Debug, Clone)]
pub(super) enum Came {
    /// No response, and why.
    Nothing {
        why: String,
        /// Whether nobody was there to answer.
        refused: bool,
    },
    /// Nothing in this time.
    Silence(Duration),
    /// A response.
    Response(Box<Response>),
}

/// A response.
#[derive(Debug, Clone)]
pub(super) struct Response {
    pub(super) status: StatusCode,
    pub(super) content_type: String,
    pub(super) content_encoding: String,
    pub(super) location: Option<String>,
    /// As much of the body as is read.
    pub(super) body: Vec<u8>,
    pub(super) ending: Ending,
    /// How long it took until the body began, and until it was read.
    pub(super) head_took: Duration,
    pub(super) took: Duration,
}

/// How the body of a response ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    /// As it should.
    Whole,
    /// Not within what is read.
    TooLong,
    /// In the middle, and how.
    Broken(String),
    /// Not within the time that is waited.
    Never,
}

impl Came {
    /// The response, if its body is whole.
    pub(super) fn whole(&self) -> Option<&Response> {
        match self {
            Self::Response(response) if response.ending == Ending::Whole => Some(response),
            _ => None,
        }
    }

    /// How long it took; `None` where nothing was waited for.
    pub(super) fn took(&self) -> Option<Duration> {
        match self {
            Self::Nothing { .. } => None,
            Self::Silence(time) => Some(*time),
            Self::Response(response) => Some(response.took),
        }
    }

    /// What came, for a sentence about the webhook.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Nothing { why, .. } => why.clone(),
            Self::Silence(time) => format!("did not answer within {} s", time.as_secs()),
            Self::Response(response) => {
                let status = response.status;
                match &response.ending {
                    Ending::Whole => format!("answered with status {status}"),
                    Ending::TooLong => {
                        format!("answered with status {status} and a body of more than {MAX_BODY} bytes")
                    }
                    Ending::Broken(how) => format!("answered with status {status}, and {how}"),
                    Ending::Never => format!(
                        "answered with status {status} and a body that was not whole within {} s",
                        response.took.as_secs()
                    ),
                }
            }
        }
    }
}

impl Exam<'_> {
    /// Delivers a HookInput.
    pub(super) async fn ask(&self, input: &Value) -> Came {
        self.request(Method::POST, JSON, Bytes::from(input.to_string())).await
    }

    /// Sends a request, and reads what comes until somewhat after the deadline. That is not cut short where
    /// less of the run's time is left: who is not waited for to the end is not known to be late.
    pub(super) async fn request(&self, method: Method, content_type: &str, body: Bytes) -> Came {
        let link = self.links.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        let until = Until::from_std(began + DEADLINE + GRACE);
        let headers: &[_] = match method {
            Method::POST => {
                self.record.message(link, Way::Sent, &body);
                &[("accept", JSON), ("accept-encoding", "identity"), ("content-type", content_type)]
            }
            _ => {
                self.record.event(link, method.as_str());
                &[("accept", JSON), ("accept-encoding", "identity")]
            }
        };
        let (head, mut body) = match timeout_at(until, self.web.send(method, headers, body)).await {
            Ok(Ok(response)) => response.into_parts(),
            instead => {
                let came = match instead {
                    Ok(Err(why)) => {
                        Came::Nothing { refused: why.starts_with("could not be connected to"), why }
                    }
                    _ => Came::Silence(DEADLINE + GRACE),
                };
                self.record.event(link, &came.told());
                return came;
            }
        };
        let head_took = began.elapsed();
        let value = |name| header(&head.headers, name).to_owned();
        let (content_type, content_encoding) = (value("content-type"), value("content-encoding"));
        self.record.event(link, &format!("status {}, {content_type}", head.status.as_u16()));
        let (body, ending) = match timeout_at(until, web::read(&mut body, MAX_BODY + 1)).await {
            Ok(Ok(read)) if read.bytes.len() > MAX_BODY => (read.bytes, Ending::TooLong),
            Ok(Ok(read)) => (read.bytes, Ending::Whole),
            Ok(Err(how)) => (Vec::new(), Ending::Broken(how)),
            Err(_) => (Vec::new(), Ending::Never),
        };
        let took = began.elapsed();
        let location = head.headers.contains_key("location").then(|| value("location"));
        let status = head.status;
        self.record.message(link, Way::Received, &body);
        let response =
            Response { status, content_type, content_encoding, location, body, ending, head_took, took };
        let came = Came::Response(Box::new(response));
        if came.whole().is_none() {
            self.record.event(link, &came.told());
        }
        came
    }
}
