//! The parcel tracker as an MCP server on rmcp, with at most one fault in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::Router;
use hookproof_model::voiceos::EventKind;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, ContentBlock,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use super::faults::{self, Instead};
use super::product;

/// The longest message that is read.
const MAX_MESSAGE: usize = 16 << 20;

/// Serves over standard streams, until the input ends.
pub(super) async fn over_stdio(fault: &str) {
    faults::at_start(fault);
    let (stdin, stdout) = stdio_pipes();
    let transport = AsyncRwTransport::new_server(stdin, stdout).with_max_line_length(MAX_MESSAGE);
    // Who opens no session, and only listens, gets none.
    if let Ok(service) = Server::new(fault).serve(transport).await {
        let _ = service.waiting().await;
    }
    faults::at_end(fault).await;
}

/// Serves over Streamable HTTP under `/mcp`.
pub(super) fn over_http(fault: &str) -> Router {
    let server = Server::new(fault);
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_MESSAGE)
        // Browsers have no business here.
        .enforce_origin_validation();
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    Router::new().route_service("/mcp", service)
}

#[derive(Clone)]
struct Server {
    fault: Arc<str>,
    state: Arc<State>,
}

/// What calls share, for the sake of faults.
#[derive(Default)]
pub(super) struct State {
    pub(super) latest: tokio::sync::Mutex<Option<Value>>,
    pub(super) queue: tokio::sync::Mutex<()>,
    pub(super) under_way: AtomicUsize,
    pub(super) lists: AtomicUsize,
    pub(super) is_broken: AtomicBool,
}

impl Server {
    fn new(fault: &str) -> Self {
        Self { fault: fault.into(), state: Arc::default() }
    }

    async fn hook(&self, event: EventKind, arguments: &JsonObject) -> Result<CallToolResult, ErrorData> {
        let fault = &*self.fault;
        if let Err(instead) = faults::on_arguments(fault, event, arguments, &self.state) {
            return self.instead(instead).await;
        }
        let Some(Value::String(payload)) = arguments.get("payload_json") else {
            return Err(ErrorData::invalid_params("expected a string, `payload_json`", None));
        };
        // What cannot be read is none of its business.
        let Ok(Value::Object(payload)) = serde_json::from_str(payload) else {
            return Ok(success(faults::on_malformed(fault)));
        };
        if let Err(instead) = faults::on_payload(fault, event, &payload, &self.state).await {
            return self.instead(instead).await;
        }
        let answer = faults::answer(fault, event, &payload, product::hook(event, &payload));
        let answer = faults::among_others(fault, answer, &self.state).await;
        Ok(faults::result(fault, &answer))
    }

    async fn instead(&self, instead: Instead) -> Result<CallToolResult, ErrorData> {
        match instead {
            Instead::Throws(why) => Ok(CallToolResult::error(vec![ContentBlock::text(why)])),
            Instead::ProtocolError => Err(ErrorData::internal_error("the parcel tracker is closed", None)),
            Instead::Silence => std::future::pending().await,
            Instead::Exit => std::process::exit(1),
        }
    }
}

pub(super) fn success(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("parcel-tracker", "1.0.0");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_server_info(server)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools = faults::tools(&self.fault, tools());
        if &*self.fault == "unstable-list" && self.state.lists.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            tools.pop();
        }
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let offered = faults::tools(&self.fault, tools());
        if !offered.iter().any(|tool| tool.name == request.name) {
            return Err(ErrorData::invalid_params(format!("unknown tool: {}", request.name), None));
        }
        let event = EventKind::ALL.into_iter().find(|event| event.tool() == request.name);
        Ok(match event {
            Some(event) => self.hook(event, &arguments).await?,
            None => success(product::tool(&request.name, &arguments)),
        }
        .into())
    }

    async fn on_cancelled(
        &self,
        _notification: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        if &*self.fault == "dies-on-cancelled" {
            std::process::exit(1);
        }
    }
}

fn tools() -> Vec<Tool> {
    let number = json!({ "number": { "type": "string" } });
    let parcel = json!({ "to": { "type": "string" }, "kilograms": { "type": "number" } });
    let mut tools = vec![
        tool("send_parcel", "Orders the collection of a parcel.", parcel, &["to"]),
        tool("track_parcel", "Says where a parcel is.", number, &["number"]),
    ];
    let payload = json!({ "payload_json": { "type": "string" } });
    tools.extend(EventKind::ALL.map(|event| {
        tool(event.tool(), "Called by VoiceOS, not by the agent.", payload.clone(), &["payload_json"])
    }));
    tools
}

pub(super) fn tool(
    name: &'static str,
    description: &'static str,
    properties: Value,
    required: &[&str],
) -> Tool {
    let schema = JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties),
        ("required".to_owned(), json!(required)),
    ]);
    Tool::new(name, description, Arc::new(schema))
}
