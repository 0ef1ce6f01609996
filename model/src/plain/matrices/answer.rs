//! What a processor's answer comes to: MX-WIRE-2 to 4, MX-FOLD-1 to 8, MX-FAIL-3, MX-FAIL-4.

use serde_json::{Map, Value};

use super::document;
use super::hook::{MatricesHook, Point, Processor};
use crate::kernel::{Answer, Decision, Failure, Millis, Reply};
use crate::plain::PlainAnswer;
use crate::reading::MatricesReadings;
use crate::reading::matrices::{Accepted202, EmptyBody, Misfit, NoDecision, Redirect, ResolveBody};
use crate::reading::shared::NullRewrite;
use crate::script::matrices::Says;

/// HK-LIMIT-1: the most bytes that are read of a body.
const LIMIT: usize = 1 << 20;

/// The statuses that send a request elsewhere.
const REDIRECTS: [u16; 5] = [301, 302, 303, 307, 308];

/// What a hook does once it is asked; `None` never answers. One of which the script says nothing
/// defers at once.
pub(super) fn of(
    hook: &MatricesHook,
    scripted: Option<(Millis, &Says)>,
    readings: &MatricesReadings,
) -> Option<PlainAnswer> {
    let answers = |after, reply| Some(PlainAnswer { after, reply, later: None });
    // MX-PROC-1: client parks the work.
    if hook.processor == Processor::Client {
        return answers(Millis::ZERO, Reply::Pending);
    }
    match scripted {
        None => answers(Millis::ZERO, deferred()),
        Some((_, Says::Never)) => None,
        Some((after, says)) => answers(after, arrived(says, hook.point, readings)),
    }
}

/// What has arrived, once it has.
fn arrived(says: &Says, point: Point, readings: &MatricesReadings) -> Reply {
    match says {
        Says::Result(result) => read(result.to_string().as_bytes(), point, readings),
        Says::Body(body) => read(body.as_bytes(), point, readings),
        Says::BytesB64(text) => match from_base64(text) {
            Some(bytes) => read(&bytes, point, readings),
            None => Reply::Failed(Failure::Unparsable),
        },
        // MX-PROC-3.
        Says::Pending | Says::Status(202) => match readings.accepted {
            Accepted202::Parks => Reply::Pending,
            Accepted202::Failure => Reply::Failed(Failure::Status),
        },
        // MX-WIRE-4: a status alone is a body that is empty.
        Says::Status(200..=299) => read(&[], point, readings),
        // MX-FAIL-4: there is nowhere to follow it to.
        Says::Status(status) if REDIRECTS.contains(status) => Reply::Failed(Failure::Redirect),
        Says::Status(_) => Reply::Failed(Failure::Status),
        Says::Redirect(_) => match readings.redirect {
            Redirect::Failure => Reply::Failed(Failure::Redirect),
            Redirect::Followed => deferred(),
        },
        Says::Refused => Reply::Failed(Failure::Refused),
        Says::Reset | Says::Never => Reply::Failed(Failure::Disconnect),
        // An agent defers when its run is over; to a url processor this is a plain defer.
        Says::AgentRun(_) => deferred(),
    }
}

/// A plain defer.
fn deferred() -> Reply {
    Reply::Answered(Box::default())
}

/// A body that was answered with a status within 2xx.
fn read(body: &[u8], point: Point, readings: &MatricesReadings) -> Reply {
    if body.is_empty() && readings.empty_body == EmptyBody::Defer {
        return deferred();
    }
    match members(body).and_then(|members| hook_result(&members, point, readings)) {
        Ok(answer) => Reply::Answered(Box::from(answer)),
        Err(failure) => Reply::Failed(failure),
    }
}

/// MX-WAIT-3b: the body of a resolve.
pub(super) fn resolution(body: &str, point: Point, readings: &MatricesReadings) -> Result<Answer, Failure> {
    let members = members(body.as_bytes())?;
    match readings.resolve_body {
        ResolveBody::HookResult => hook_result(&members, point, readings),
        ResolveBody::ApproveOrDeny => match members.get("decision").and_then(Value::as_str) {
            Some("approve") => Ok(Answer { decision: Decision::Allow, ..Answer::default() }),
            Some("deny") => Ok(Answer { decision: Decision::Deny, ..Answer::default() }),
            _ => Err(Failure::WrongShape),
        },
    }
}

/// MX-FAIL-3: one JSON object, within the limit and without a member given twice.
fn members(body: &[u8]) -> Result<Map<String, Value>, Failure> {
    if body.len() > LIMIT {
        return Err(Failure::TooLarge);
    }
    let text = str::from_utf8(body).map_err(|_| Failure::Unparsable)?;
    let document = document::read(text).ok_or(Failure::Unparsable)?;
    match document.value {
        _ if !document.doubled.is_empty() => Err(Failure::Unparsable),
        Value::Object(members) => Ok(members),
        _ => Err(Failure::WrongShape),
    }
}

/// MX-WIRE-2, MX-WIRE-3: a HookResult for a point.
fn hook_result(
    members: &Map<String, Value>,
    point: Point,
    readings: &MatricesReadings,
) -> Result<Answer, Failure> {
    let decision = match members.get("decision") {
        None if readings.no_decision == NoDecision::Defer => Decision::Defer,
        Some(decision) if decision == "defer" => Decision::Defer,
        Some(decision) if decision == "allow" => Decision::Allow,
        Some(decision) if decision == "deny" => Decision::Deny,
        _ => return Err(Failure::WrongShape),
    };
    let given = members.get("reason");
    let reason = given.and_then(Value::as_str).map(str::to_owned);
    // MX-FOLD-5: a deny stands whatever else is in the answer.
    if decision == Decision::Deny {
        return Ok(Answer { decision, reason, ..Answer::default() });
    }
    if given.is_some() && reason.is_none() {
        return Err(Failure::WrongShape);
    }
    Ok(Answer { decision, reason, rewrite: rewrite(members, point, readings)?, ..Answer::default() })
}

/// HK-REWRITE-3, MX-FOLD-7, MX-FOLD-8: the rewrite beside a defer or an allow.
fn rewrite(
    members: &Map<String, Value>,
    point: Point,
    readings: &MatricesReadings,
) -> Result<Option<Value>, Failure> {
    let fitting = match point {
        Point::BeforeInput | Point::AfterOutput => "updatedText",
        Point::BeforeToolCall => "updatedInput",
        Point::AfterToolCall => "updatedOutput",
    };
    let given = |name: &&str| match members.get(*name) {
        Some(Value::Null) => readings.null_rewrite == NullRewrite::Presence,
        other => other.is_some(),
    };
    let given: Vec<_> = ["updatedText", "updatedInput", "updatedOutput"].into_iter().filter(given).collect();
    if readings.misfit == Misfit::Malformed && given.iter().any(|name| *name != fitting) {
        return Err(Failure::WrongShape);
    }
    let rewrite = members.get(fitting).filter(|_| given.contains(&fitting));
    match (point, rewrite) {
        (_, None) => Ok(None),
        (Point::BeforeInput | Point::AfterOutput, Some(Value::String(_)))
        | (Point::BeforeToolCall, Some(Value::Object(_)))
        | (Point::AfterToolCall, Some(_)) => Ok(rewrite.cloned()),
        _ => Err(Failure::WrongShape),
    }
}

/// RFC 4648, section 4: four characters to three bytes, `=` where the last are fewer.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.trim_end_matches('=');
    let (mut bytes, mut bits, mut held) = (vec![], 0_u32, 0);
    for digit in digits.chars() {
        bits = (bits << 6) | u32::try_from(ALPHABET.find(digit)?).ok()?;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.extend(u8::try_from(bits >> held).ok());
            bits &= (1 << held) - 1;
        }
    }
    // Padding fills the last group of four, in which there are at least two digits.
    (text.len().is_multiple_of(4) && text.len() - digits.len() <= 2).then_some(bytes)
}
