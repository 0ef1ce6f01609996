//! What a webhook answered, held against what a platform takes for an answer: MX-FAIL-3 and what goes with it.
//! Whether an answer counts at all is the model's to say.

use hookproof_model::kernel::json::{self, Twice};
use hookproof_model::kernel::{Answer, Failure, Reply};
use hookproof_model::matrices::Point;
use hookproof_model::matrices::wire::{MAX_BODY, decode};
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::Says;
use hyper::StatusCode;
use serde_json::Value;

use super::exchange::{Came, DEADLINE, Ending, Response};
use crate::handler::check::{Check, checks};
use crate::handler::cost;
use crate::handler::findings::Flaw;
use crate::words::quote;

checks! {
    ANSWERS = "webhook-answers", Must, [Clause("MX-FAIL-3")],
        "A HookInput is answered at all: the connection is neither refused nor closed without a response.";
    IN_TIME = "webhook-in-time", Must, [Clause("MX-DL-1"), Clause("MX-FAIL-3")],
        "A HookInput is answered within 10 s.";
    STATUS = "webhook-status", Must, [Clause("MX-FAIL-3"), Clause("MX-PROC-3")],
        "An answer has a status of 2xx. One of 202 parks the work, which is told and is no fault.";
    REDIRECT = "webhook-no-redirect", Must, [Clause("MX-FAIL-4")],
        "No answer is a redirect, which a platform does not follow.";
    NOT_EMPTY = "webhook-body-not-empty", Must, [Clause("MX-WIRE-4")],
        "An answer has a body: who has nothing to say answers `{\"decision\":\"defer\"}`.";
    ENCODING = "webhook-body-not-encoded", Must, [Http("Accept-Encoding")],
        "A body is compressed only for who accepts it.";
    WHOLE = "webhook-body-whole", Must, [Clause("MX-FAIL-3")],
        "A body does not break off before its end.";
    BODY_IN_TIME = "webhook-body-in-time", Must, [Clause("MX-DL-1"), Clause("MX-FAIL-3")],
        "A body that has begun is whole within 10 s of the request.";
    SIZE = "webhook-body-size", Must, [Clause("MX-FAIL-3"), Clause("HK-LIMIT-1")],
        "A body has at most 1 MiB.";
    CONTENT_TYPE = "webhook-content-type", Should, [Http("Content-Type")],
        "An answer's content type is application/json.";
    UNICODE = "webhook-body-unicode", Must, [Clause("MX-FAIL-3"), Clause("HK-LIMIT-1")],
        "A body is UTF-8 without a byte order mark, and holds no lone surrogate.";
    OBJECT = "webhook-json", Must, [Clause("MX-FAIL-3"), Clause("MX-WIRE-2")],
        "A body is one JSON object: no page, no banner before it, no NaN, nothing behind it.";
    ONCE = "webhook-members-once", Must, [Clause("MX-FAIL-3")],
        "No object of an answer has a member twice.";
}

/// An answer, judged.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    /// What the model makes of it; nothing yet if it parks the work.
    pub(super) counts: Result<Option<Box<Answer>>, Failure>,
    /// What is wrong with it.
    pub(super) flaws: Vec<Flaw>,
    /// Whether it denies, and whether it has a rewrite member: what the checks of both need.
    pub(super) denies: bool,
    pub(super) rewrites: bool,
}

/// Judges what came of a HookInput for `point`.
pub(super) fn judge(point: Point, input: &Value, came: &Came) -> Judged {
    let mut judge = Judge { point, input, flaws: Vec::new(), fatal: false, denies: false, rewrites: false };
    judge.came(came);
    let counts = match decode(&MatricesReadings::default(), point, &says(came)) {
        Some(Reply::Answered(answer)) => Ok(Some(answer)),
        Some(Reply::Pending) => Ok(None),
        Some(Reply::Failed(failure)) => Err(failure),
        None => Err(Failure::Timeout),
    };
    if let Err(failure) = &counts
        && !judge.fatal
    {
        judge.fatal(&OBJECT, format!("the answer does not count ({failure}): the webhook {}", came.told()));
    }
    let Judge { flaws, denies, rewrites, .. } = judge;
    Judged { counts, flaws, denies, rewrites }
}

/// What came, in the words of the model.
fn says(came: &Came) -> Says {
    let response = match came {
        Came::Nothing { refused: true, .. } => return Says::Refused,
        Came::Nothing { .. } => return Says::Reset,
        Came::Silence(_) => return Says::Never,
        Came::Response(response) => response,
    };
    let status = Says::Status(response.status.as_u16());
    match (&response.ending, &response.location) {
        _ if response.took > DEADLINE => Says::Never,
        (_, Some(location)) if response.status.is_redirection() => Says::Redirect(location.clone()),
        _ if !response.status.is_success() || response.status == StatusCode::ACCEPTED => status,
        (Ending::Never, _) => Says::Never,
        (Ending::Broken(_), _) => Says::Reset,
        _ => match std::str::from_utf8(&response.body) {
            Ok(body) => Says::Body(body.to_owned()),
            Err(_) => Says::BytesB64(base64(&response.body)),
        },
    }
}

/// Bytes in base64 (RFC 4648), as scripts of the model give those that are no text.
fn base64(bytes: &[u8]) -> String {
    let symbol = |index: u32| match u8::try_from(index & 63).unwrap_or_default() {
        index @ 0..26 => char::from(b'A' + index),
        index @ 26..52 => char::from(b'a' + index - 26),
        index @ 52..62 => char::from(b'0' + index - 52),
        62 => '+',
        _ => '/',
    };
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |index| u32::from(three.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        text.extend([18, 12, 6, 0].iter().take(three.len() + 1).map(|shift| symbol(bits >> shift)));
        text.extend(std::iter::repeat_n('=', 3 - three.len()));
    }
    text
}

pub(super) struct Judge<'a> {
    pub(super) point: Point,
    pub(super) input: &'a Value,
    flaws: Vec<Flaw>,
    fatal: bool,
    pub(super) denies: bool,
    pub(super) rewrites: bool,
}

impl Judge<'_> {
    pub(super) fn flaw(
        &mut self,
        check: &'static Check,
        message: impl Into<String>,
        cost: impl Into<String>,
    ) {
        self.flaws.push(Flaw { check, message: message.into(), cost: cost.into() });
    }

    /// A flaw for which a platform takes the answer for none.
    pub(super) fn fatal(&mut self, check: &'static Check, message: impl Into<String>) {
        self.fatal = true;
        self.flaw(check, message, cost::no_answer(self.point));
    }

    fn came(&mut self, came: &Came) {
        match came {
            Came::Response(response) => self.response(response, &came.told()),
            _ => self.fatal(&ANSWERS, format!("the webhook {}; expected an answer", came.told())),
        }
    }

    fn response(&mut self, response: &Response, told: &str) {
        if response.head_took > DEADLINE {
            let took = response.head_took.as_secs_f64();
            let expected = DEADLINE.as_secs();
            let message = format!("the webhook answered after {took:.1} s; expected at most {expected} s");
            return self.fatal(&IN_TIME, message);
        }
        let status = response.status;
        if status.is_redirection() {
            let to = response.location.as_ref().map(|to| format!(" to {}", quote(to.as_bytes())));
            let message = format!("the webhook {told}{}; expected the answer itself", to.unwrap_or_default());
            return self.fatal(&REDIRECT, message);
        }
        if !status.is_success() {
            let body = quote(&response.body);
            return self.fatal(&STATUS, format!("the webhook {told}: {body}; expected 2xx"));
        }
        if status == StatusCode::ACCEPTED {
            return;
        }
        match &response.ending {
            Ending::Whole if response.took <= DEADLINE => {}
            Ending::Broken(_) => {
                return self.fatal(&WHOLE, format!("the webhook {told}; expected the whole body"));
            }
            Ending::TooLong => {
                return self.fatal(&SIZE, format!("the webhook {told}; expected at most {MAX_BODY}"));
            }
            Ending::Whole | Ending::Never => {
                let [began, took] = [response.head_took, response.took].map(|time| time.as_secs_f64());
                let expected = DEADLINE.as_secs();
                let message = format!(
                    "the body began after {began:.1} s and was {} after {took:.1} s; expected all of it within \
                     {expected} s",
                    if response.ending == Ending::Whole { "whole" } else { "not yet whole" },
                );
                return self.fatal(&BODY_IN_TIME, message);
            }
        }
        let encoding = &response.content_encoding;
        if !encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity") {
            let message = format!(
                "the body has the content encoding {}; the request accepts none but `identity`",
                quote(encoding.as_bytes())
            );
            return self.fatal(&ENCODING, message);
        }
        if response.body.is_empty() {
            return self.fatal(&NOT_EMPTY, format!("the webhook {told} and no body; expected a HookResult"));
        }
        self.body(response);
    }

    fn body(&mut self, response: &Response) {
        let found = quote(&response.body);
        let Ok(text) = std::str::from_utf8(&response.body) else {
            return self.fatal(&UNICODE, format!("the body is no UTF-8: {found}"));
        };
        if text.starts_with('\u{feff}') {
            return self.fatal(&UNICODE, format!("a byte order mark stands before {found}"));
        }
        let kind = &response.content_type;
        let value = match json::parse(text, Twice::LastCounts) {
            Ok(value) => value,
            Err(error) => {
                // Before anything but another escape, a leading surrogate is told as an escape that ends too soon.
                let is_surrogate =
                    ["surrogate", "end of hex escape"].iter().any(|part| error.to_string().contains(part));
                let check = if is_surrogate { &UNICODE } else { &OBJECT };
                let message = format!("the body, of the type `{kind}`, is no JSON object ({error}): {found}");
                return self.fatal(check, message);
            }
        };
        // What is no JSON has another content type for a good reason, and is told as what it is.
        let media = kind.split(';').next().unwrap_or_default().trim();
        if !media.eq_ignore_ascii_case(super::exchange::JSON) {
            let found = if kind.is_empty() { "missing".to_owned() } else { quote(kind.as_bytes()) };
            let message = format!("the content type is {found}; expected application/json");
            self.flaw(&CONTENT_TYPE, message, "a platform that looks at it takes the answer for none");
        }
        let Value::Object(members) = value else {
            return self.fatal(&OBJECT, format!("the body is {found}; expected a JSON object"));
        };
        if let Err(error) = json::parse(text, Twice::Fault) {
            self.fatal(&ONCE, format!("{error}: {found}"));
        }
        self.members(&members);
    }
}

#[cfg(test)]
mod tests;
