//! A server without any SDK: it counts characters. It speaks one version of either era, and can do what no SDK
//! lets a server do.

use std::io::{BufRead, Write};

use serde_json::{Map, Value, json};

pub(super) const STATELESS: &str = "2026-07-28";

/// Serves over standard streams, until the input ends.
pub(super) fn serve(version: &str, fault: &str) {
    let mut server = Server { version, fault, out: std::io::stdout(), requests: 0 };
    if fault == "banner" {
        server.write(b"counting characters\n");
    }
    if fault == "not-utf-8" {
        server.write(b"\xc3\x28\n");
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        server.line(&line);
    }
    if fault == "last-line-without-an-end" {
        server.write(br#"{"jsonrpc":"2.0","method":"notifications/message","params":{}"#);
    }
}

struct Server<'a> {
    version: &'a str,
    fault: &'a str,
    out: std::io::Stdout,
    requests: u64,
}

/// A result, or the code of an error.
type Reply = Result<Value, i64>;

impl Server<'_> {
    fn line(&mut self, line: &str) {
        let Ok(Value::Object(message)) = serde_json::from_str(line) else {
            if self.fault == "dies-on-a-malformed-line" {
                eprintln!("what was that?");
                std::process::exit(1);
            }
            return self
                .send(&json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "?" } }));
        };
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        let Some(id) = message.get("id").filter(|_| !method.is_empty()) else {
            return self.notification(method);
        };
        self.requests += 1;
        let params = message.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
        let Some(reply) = self.reply(method, &params) else { return };
        self.answer(method, id.clone(), reply);
    }

    fn notification(&mut self, method: &str) {
        match (self.fault, method) {
            ("dies-on-cancelled", "notifications/cancelled") => std::process::exit(1),
            ("answers-notifications", "notifications/hookproof") => {
                self.send(&json!({ "jsonrpc": "2.0", "id": null, "result": {} }));
            }
            ("asks-for-sampling", "notifications/initialized") => {
                self.send(
                    &json!({ "jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {} }),
                );
            }
            ("pings-and-logs", "notifications/initialized") => {
                self.send(&json!({ "jsonrpc": "2.0", "id": "1", "method": "ping" }));
                let log = json!({ "level": "info", "data": "initialized" });
                self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": log }));
            }
            _ => {}
        }
    }

    /// What a request comes to; `None` if it is not answered.
    fn reply(&self, method: &str, params: &Map<String, Value>) -> Option<Reply> {
        Some(match (method, self.fault) {
            ("ping", "no-ping") => return None,
            ("hookproof/none", "no-unknown-method") => return None,
            ("hookproof/none", "any-method") => Ok(json!({})),
            ("initialize", _) if self.version != STATELESS => self.initialize(params),
            ("server/discover", _) if self.version == STATELESS => Ok(self.complete(json!({
                "supportedVersions": [self.version],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "counter", "version": "1" },
                "ttlMs": 0,
                "cacheScope": "private",
            }))),
            ("ping", _) if self.version != STATELESS => Ok(json!({})),
            ("tools/list", _) => self.list(params),
            ("tools/call", _) => self.call(params),
            _ => Err(-32601),
        })
    }

    fn initialize(&self, params: &Map<String, Value>) -> Reply {
        let version = match self.fault {
            "echoes-any-version" => params.get("protocolVersion").cloned().unwrap_or_default(),
            "no-such-version" => json!("2024-13-45"),
            "refuses-to-greet" => return Err(-32000),
            _ => json!(self.version),
        };
        let tools = if self.fault == "no-tools-capability" { json!({}) } else { json!({ "tools": {} }) };
        let mut greeting = json!({
            "protocolVersion": version,
            "capabilities": tools,
            "serverInfo": { "name": "counter", "version": "1" },
        });
        if self.fault == "no-server-info" {
            greeting["serverInfo"].take();
        }
        Ok(greeting)
    }

    fn list(&self, params: &Map<String, Value>) -> Reply {
        let hook = |name: &str| {
            let properties = json!({ "payload_json": { "type": "string" } });
            json!({
                "name": name,
                "inputSchema": { "type": "object", "properties": properties, "required": ["payload_json"] },
            })
        };
        let mut tools = vec![
            hook("voiceos_hook_transcript"),
            hook("voiceos_hook_pre_tool_use"),
            json!({
                "name": "count",
                "inputSchema": { "type": "object", "properties": { "text": { "type": "string" } } },
            }),
        ];
        let page = params.get("cursor").and_then(Value::as_str).unwrap_or_default();
        match self.fault {
            "no-input-schema" => drop(tools[2].as_object_mut().unwrap().remove("inputSchema")),
            "no-name" => drop(tools[2].as_object_mut().unwrap().remove("name")),
            "no-list" => return Ok(self.complete(json!({}))),
            "new-cursors" | "the-same-cursor" if !page.is_empty() => tools.clear(),
            _ => {}
        }
        let next = match self.fault {
            "the-same-cursor" => json!("more"),
            "new-cursors" => json!(format!("{page}+")),
            "a-number-as-cursor" => json!(2),
            _ => return Ok(self.complete(json!({ "tools": tools }))),
        };
        Ok(self.complete(json!({ "tools": tools, "nextCursor": next })))
    }

    fn call(&self, params: &Map<String, Value>) -> Reply {
        let payload = params.get("arguments").and_then(|arguments| arguments.get("payload_json"));
        let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
        let payload =
            payload.and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
        let said = payload.as_ref().and_then(|payload| payload.get("transcript")).and_then(Value::as_str);
        let mut result = match (params.get("name").and_then(Value::as_str), said) {
            (Some("voiceos_hook_transcript"), Some(said)) => {
                text(&json!({ "additionalContext": format!("{} characters", said.len()) }).to_string())
            }
            (Some("voiceos_hook_transcript" | "voiceos_hook_pre_tool_use"), _) => text("{}"),
            _ if self.fault == "any-tool" => text("{}"),
            _ => return Err(-32602),
        };
        match self.fault {
            "no-content" => drop(result.as_object_mut().unwrap().remove("content")),
            "content-is-text" => result["content"] = json!("{}"),
            "is-error-is-text" => result["isError"] = json!("no"),
            "structured-list" => result["structuredContent"] = json!([1]),
            _ => {}
        }
        let mut result = self.complete(result);
        if self.fault == "input-required" {
            result["resultType"] = json!("input_required");
        }
        Ok(result)
    }

    /// A result as the era has it.
    fn complete(&self, mut result: Value) -> Value {
        if self.version == STATELESS && self.fault != "no-result-type" {
            result["resultType"] = json!("complete");
        }
        result
    }

    fn answer(&mut self, method: &str, id: Value, reply: Reply) {
        let mut message = match reply {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(code) => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": "no" } }),
        };
        match (self.fault, method) {
            ("ids-as-text", _) if id.is_number() => message["id"] = json!(id.to_string()),
            ("no-jsonrpc", _) => drop(message.as_object_mut().unwrap().remove("jsonrpc")),
            ("no-id", "ping") => drop(message.as_object_mut().unwrap().remove("id")),
            ("result-and-error", "ping") => message["error"] = json!({ "code": 1, "message": "or not" }),
            ("result-is-a-list", "ping") => message["result"] = json!([]),
            ("error-without-a-code", "hookproof/none") => message["error"] = json!("no"),
            ("a-batch", "ping") => message = json!([message]),
            ("logs-on-stdout", "tools/list") => self.write(b"listing tools\n"),
            ("two-replies", "tools/list") => self.send(&message),
            ("a-reply-to-nothing", "tools/list") => {
                let mut other = message.clone();
                other["id"] = json!(123_456 + self.requests);
                self.send(&other);
            }
            _ => {}
        }
        self.send(&message);
    }

    fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// Who reads no longer is not written to.
    fn write(&mut self, bytes: &[u8]) {
        let _ = self.out.write_all(bytes).and_then(|()| self.out.flush());
    }
}
