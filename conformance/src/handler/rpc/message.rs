//! One JSON-RPC 2.0 message as MCP has it, read strictly: what is wrong with it is told, and what can be made
//! of it is used all the same.

use serde_json::{Map, Value};

use crate::words::{quote, short};

/// A message from the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message {
    /// A reply to a request of ours.
    Response { id: Value, reply: Reply },
    /// A request of the server's own.
    Request { id: Value, method: String },
    /// A notification.
    Notification,
}

/// What a request came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// Its result.
    Result(Map<String, Value>),
    /// An error in its stead.
    Error { code: i64, message: String, data: Value },
}

/// The most values that a message may hold: a small one takes far more memory than text.
const MAX_VALUES: usize = 1_000_000;

/// Reads a message. The second part tells what is wrong with one that can be used.
///
/// # Errors
/// What it is instead of a message.
pub(crate) fn read(bytes: &[u8]) -> Result<(Message, Vec<String>), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| format!("not UTF-8: {}", quote(bytes)))?;
    if text.bytes().filter(|byte| matches!(byte, b',' | b'[')).count() > MAX_VALUES {
        return Err(format!("more than {MAX_VALUES} values: {}", quote(bytes)));
    }
    let value = serde_json::from_str(text).map_err(|error| format!("no JSON ({error}): {}", quote(bytes)))?;
    match value {
        Value::Object(members) => message(members).ok_or_else(|| {
            format!("neither a request, nor a notification, nor a response: {}", quote(bytes))
        }),
        Value::Array(_) => Err(format!("a batch, which nobody asked for: {}", quote(bytes))),
        _ => Err(format!("no object: {}", quote(bytes))),
    }
}

fn message(mut members: Map<String, Value>) -> Option<(Message, Vec<String>)> {
    let mut wrong = Vec::new();
    match members.get("jsonrpc") {
        Some(Value::String(version)) if version == "2.0" => {}
        None => wrong.push("`jsonrpc` is missing; expected \"2.0\"".to_owned()),
        Some(other) => wrong.push(format!("`jsonrpc` is {}; expected \"2.0\"", short(other))),
    }
    let id = members.remove("id");
    if let Some(method) = members.remove("method") {
        let method = method.as_str()?.to_owned();
        if members.get("params").is_some_and(|params| !params.is_object()) {
            wrong.push(format!("the `params` of {method} are no object"));
        }
        return Some(match id {
            Some(id) => (Message::Request { id, method }, wrong),
            None => (Message::Notification, wrong),
        });
    }
    let reply = match (members.remove("result"), members.remove("error")) {
        (Some(result), error) => {
            if error.is_some() {
                wrong.push("a response has both `result` and `error`".to_owned());
            }
            match result {
                Value::Object(result) => Reply::Result(result),
                other => {
                    wrong.push(format!("a `result` is {}; expected an object", short(&other)));
                    Reply::Result(Map::new())
                }
            }
        }
        (None, Some(error)) => read_error(error, &mut wrong),
        (None, None) => return None,
    };
    Some((Message::Response { id: id.unwrap_or(Value::Null), reply }, wrong))
}

fn read_error(mut error: Value, wrong: &mut Vec<String>) -> Reply {
    let code = error.get("code").and_then(Value::as_i64);
    let message = error.get("message").and_then(Value::as_str).map(str::to_owned);
    if code.is_none() || message.is_none() {
        wrong.push(format!("an `error` is {}; expected an integer `code` and a `message`", short(&error)));
    }
    let data = error.get_mut("data").map(Value::take).unwrap_or_default();
    Reply::Error { code: code.unwrap_or_default(), message: message.unwrap_or_default(), data }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, &[])]
    #[case(r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"no"}}"#, &[])]
    #[case(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#, &[])]
    #[case(r#"{"id":1,"result":{}}"#, &["`jsonrpc` is missing"])]
    #[case(r#"{"jsonrpc":2,"id":1,"result":{}}"#, &["`jsonrpc` is `2`"])]
    #[case(r#"{"jsonrpc":"2.0","id":1,"result":[]}"#, &["a `result` is `[]`"])]
    #[case(r#"{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}"#, &["an `error` is"])]
    #[case(r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#, &["both"])]
    #[case(r#"{"jsonrpc":"2.0","method":"m","params":[]}"#, &["the `params` of m are no object"])]
    fn what_is_wrong_with_a_message_is_told(#[case] text: &str, #[case] told: &[&str]) {
        let (_, wrong) = read(text.as_bytes()).unwrap();
        assert_eq!(wrong.len(), told.len(), "{wrong:?}");
        for (wrong, told) in wrong.iter().zip(told) {
            assert!(wrong.contains(told), "{wrong}");
        }
    }

    #[rstest]
    #[case(b"Listening on 80", "no JSON")]
    #[case(b"[]", "a batch")]
    #[case(b"12", "no object")]
    #[case(b"{}", "neither a request")]
    #[case(br#"{"method":1}"#, "neither a request")]
    #[case(b"\xff", "not UTF-8")]
    fn what_is_no_message_is_said(#[case] bytes: &[u8], #[case] told: &str) {
        assert!(read(bytes).unwrap_err().starts_with(told));
    }

    #[test]
    fn an_id_keeps_its_type() {
        let (message, _) = read(br#"{"jsonrpc":"2.0","id":"1","result":{"a":1}}"#).unwrap();
        let result = json!({ "a": 1 }).as_object().unwrap().clone();
        assert_eq!(message, Message::Response { id: json!("1"), reply: Reply::Result(result) });
    }
}
