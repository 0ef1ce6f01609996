//! The wire: HookInput as it is delivered, and what comes back. MX-WIRE-1 to 4, MX-FAIL-3, MX-FAIL-4,
//! MX-FOLD-5, 7, 8, MX-PROC-1, 3.

use serde_json::{Map, Value, json};

use super::point::Point;
use super::profile::Processor;
use crate::kernel::json::{self, Twice};
use crate::kernel::{Answer, Decision, Failure, Reply};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{Accepted202, EmptyBody, Misfit, NoDecision, Redirect, ResolveBody};
use crate::reading::shared::NullRewrite;
use crate::script::matrices::{Event, Says};

/// HK-LIMIT-1: the longest body that is read, in bytes.
pub const MAX_BODY: usize = 1 << 20;

const REWRITES: [&str; 3] = ["updatedText", "updatedInput", "updatedOutput"];

/// The point of an event, its tool, and the value that hooks rewrite.
#[must_use]
pub fn parts(event: &Event) -> (Point, Option<&str>, Value) {
    match event {
        Event::BeforeInput { text } => (Point::BeforeInput, None, text.clone().into()),
        Event::BeforeToolCall { tool, input } => (Point::BeforeToolCall, Some(tool), input.clone().into()),
        Event::AfterToolCall { tool, output } => (Point::AfterToolCall, Some(tool), output.clone()),
        Event::AfterOutput { text } => (Point::AfterOutput, None, text.clone().into()),
    }
}

/// MX-WIRE-1: the members that every HookInput of an event has, but for the value.
#[must_use]
pub fn frame(point: Point, thread: &str, tool: Option<&str>) -> Map<String, Value> {
    let mut frame = Map::new();
    frame.insert("point".to_owned(), json!(point.name()));
    frame.insert("threadId".to_owned(), json!(thread));
    if let Some(tool) = tool {
        frame.insert("tool".to_owned(), json!(tool));
    }
    frame
}

/// MX-WIRE-1: one HookInput.
#[must_use]
pub fn hook_input(
    frame: &Map<String, Value>,
    point: Point,
    hook: &str,
    delivery: &str,
    sees: Value,
) -> Value {
    let mut input = frame.clone();
    input.insert("deliveryId".to_owned(), json!(delivery));
    input.insert("hookId".to_owned(), json!(hook));
    input.insert(point.subject().to_owned(), sees);
    Value::Object(input)
}

/// MX-PROC-1: whether a processor is delivered a HookInput. A client's is the work that it parks.
#[must_use]
pub const fn is_delivered(processor: &Processor) -> bool {
    matches!(processor, Processor::Url(_) | Processor::Agent(_))
}

/// What a url or agent processor's answer means; `None` if none ever arrives.
#[must_use]
pub fn decode(readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
    let decoded = match says {
        Says::Never => return None,
        Says::Pending | Says::Status(202) if readings.accepted == Accepted202::Parks => {
            return Some(Reply::Pending);
        }
        Says::Result(value) => decode_body(readings, point, value.to_string().as_bytes()),
        Says::Body(body) => decode_body(readings, point, body.as_bytes()),
        Says::BytesB64(bytes) => match base64(bytes) {
            Some(bytes) => decode_body(readings, point, &bytes),
            None => Err(Failure::Unparsable),
        },
        Says::Status(200 | 201 | 203..=299) => decode_body(readings, point, &[]),
        Says::Status(301 | 302 | 303 | 307 | 308) => Err(Failure::Redirect),
        Says::Pending | Says::Status(_) => Err(Failure::Status),
        Says::Redirect(_) => match readings.redirect {
            Redirect::Failure => Err(Failure::Redirect),
            Redirect::Followed => Ok(Answer::default()),
        },
        Says::Refused => Err(Failure::Refused),
        Says::Reset => Err(Failure::Disconnect),
        Says::AgentRun(_) => Ok(Answer::default()),
    };
    Some(match decoded {
        Ok(answer) => Reply::Answered(Box::new(answer)),
        Err(failure) => Reply::Failed(failure),
    })
}

/// MX-FAIL-3, MX-WIRE-4: a body that should be a HookResult.
fn decode_body(readings: &MatricesReadings, point: Point, body: &[u8]) -> Result<Answer, Failure> {
    if body.len() > MAX_BODY {
        return Err(Failure::TooLarge);
    }
    if body.is_empty() && readings.empty_body == EmptyBody::Defer {
        return Ok(Answer::default());
    }
    let text = std::str::from_utf8(body).map_err(|_| Failure::Unparsable)?;
    let value = json::parse(text, Twice::Fault).map_err(|_| Failure::Unparsable)?;
    let Value::Object(members) = value else { return Err(Failure::WrongShape) };
    hook_result(readings, point, members)
}

/// MX-WIRE-2, MX-WIRE-3, MX-FOLD-5, 7, 8: an object that should be a HookResult for a point.
fn hook_result(
    readings: &MatricesReadings,
    point: Point,
    mut members: Map<String, Value>,
) -> Result<Answer, Failure> {
    let decision = match members.remove("decision") {
        Some(Value::String(decision)) => match decision.as_str() {
            "defer" => Decision::Defer,
            "allow" => Decision::Allow,
            "deny" => Decision::Deny,
            _ => return Err(Failure::WrongShape),
        },
        None if readings.no_decision == NoDecision::Defer => Decision::Defer,
        _ => return Err(Failure::WrongShape),
    };
    let reason = match members.remove("reason") {
        Some(Value::String(reason)) => Some(reason),
        Some(_) if decision != Decision::Deny => return Err(Failure::WrongShape),
        _ => None,
    };
    // A deny stands whatever else is in the answer; what becomes of its rewrite is the kernel's to say.
    let rewrite = match rewrite(readings, point, members) {
        Err(_) if decision == Decision::Deny => None,
        rewrite => rewrite?,
    };
    Ok(Answer { decision, rewrite, reason, ..Answer::default() })
}

/// MX-FOLD-7, MX-FOLD-8: the rewrite member that fits the point.
fn rewrite(
    readings: &MatricesReadings,
    point: Point,
    mut members: Map<String, Value>,
) -> Result<Option<Value>, Failure> {
    let own = point.rewrite_member();
    if readings.null_rewrite == NullRewrite::Absent {
        members.retain(|_, value| !value.is_null());
    }
    let misfits = REWRITES.into_iter().any(|name| name != own && members.contains_key(name));
    if misfits && readings.misfit == Misfit::Malformed {
        return Err(Failure::WrongShape);
    }
    let fits = |value: &Value| match point {
        Point::BeforeInput | Point::AfterOutput => value.is_string(),
        Point::BeforeToolCall => value.is_object(),
        Point::AfterToolCall => true,
    };
    match members.remove(own) {
        Some(value) if !fits(&value) => Err(Failure::WrongShape),
        rewrite => Ok(rewrite),
    }
}

/// MX-WAIT-3b, MX-WAIT-6: the body of a resolve.
///
/// # Errors
/// It is no answer to the hook.
pub fn resolution(readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure> {
    // What an empty body of a processor means (MX-WIRE-4) does not make a resolution of one.
    if body.is_empty() {
        return Err(Failure::Unparsable);
    }
    if body.len() > MAX_BODY {
        return Err(Failure::TooLarge);
    }
    match readings.resolve_body {
        ResolveBody::HookResult => decode_body(readings, point, body.as_bytes()),
        ResolveBody::ApproveOrDeny => {
            let value = json::parse(body, Twice::Fault).map_err(|_| Failure::Unparsable)?;
            let decision = match value.get("decision").and_then(Value::as_str) {
                Some("approve") => Decision::Allow,
                Some("deny") => Decision::Deny,
                _ => return Err(Failure::WrongShape),
            };
            Ok(Answer { decision, ..Answer::default() })
        }
    }
}

/// The bytes that a script writes in base64 (RFC 4648, with its padding); `None` where it is none.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0_u32);
    for symbol in digits.bytes() {
        let value = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).unwrap_or_default());
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_read_as_rfc_4648_writes_it() {
        assert_eq!(base64("77u/e30=").unwrap(), b"\xef\xbb\xbf{}");
        assert_eq!(base64("Zm9vYg==").unwrap(), b"foob");
        for none in ["%", "A", "=", "====", "A===", "Zm9vYg", "Zm=v"] {
            assert_eq!(base64(none), None, "{none}");
        }
    }
}
