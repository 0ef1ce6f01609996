//! The script contract served over MCP, in both eras of the protocol.

use std::future::Future;
use std::io;
use std::sync::Arc;

use axum::Router;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::Contract;
use super::http::{MAX_SCRIPT, run_script, serve_router};
use crate::candidate::mcp::{ABOUT, RUN, SCRIPT};

/// The most bytes of a message: a script in which every other character is escaped.
const MAX_MESSAGE: usize = 2 * MAX_SCRIPT;

/// Serves the two tools over standard input and output, until the input ends.
///
/// # Errors
/// The connection breaks, or what comes is no MCP.
pub async fn serve_stdio(contract: Arc<dyn Contract>) -> io::Result<()> {
    // Not `stdio()`: pipes have five times its rate with several calls in flight.
    let (stdin, stdout) = stdio_pipes();
    let transport = AsyncRwTransport::new_server(stdin, stdout).with_max_line_length(MAX_MESSAGE);
    match (Server { contract }).serve(transport).await {
        Ok(service) => service.waiting().await.map(drop).map_err(io::Error::other),
        // Nobody asked for anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Serves the two tools over Streamable HTTP under `/mcp`, until `shutdown` is done.
///
/// # Errors
/// The listener fails.
pub async fn serve_http(
    listener: TcpListener,
    contract: Arc<dyn Contract>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let mut config = StreamableHttpServerConfig::default().with_max_request_body_bytes(MAX_MESSAGE);
    if !listener.local_addr()?.ip().is_loopback() {
        // Whoever listens to the network is called by names that are not known here.
        config = config.disable_allowed_hosts();
    }
    let sessions = config.cancellation_token.clone();
    let service = StreamableHttpService::new(
        move || Ok(Server { contract: Arc::clone(&contract) }),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let shutdown = async move {
        shutdown.await;
        // The streams of open sessions would keep the server from ending.
        sessions.cancel();
    };
    serve_router(listener, Router::new().route_service("/mcp", service), shutdown).await
}

#[derive(Clone)]
struct Server {
    contract: Arc<dyn Contract>,
}

impl Server {
    async fn answer(&self, tool: &str, arguments: Option<JsonObject>) -> Result<Value, String> {
        if tool == ABOUT {
            return serde_json::to_value(self.contract.about()).map_err(|error| error.to_string());
        }
        match arguments.unwrap_or_default().remove(SCRIPT) {
            Some(Value::String(script)) if script.len() <= MAX_SCRIPT => {
                run_script(Arc::clone(&self.contract), script).await
            }
            Some(Value::String(script)) => {
                Err(format!("the script has {} bytes; at most {MAX_SCRIPT} are taken", script.len()))
            }
            _ => Err(format!("expected one string argument, `{SCRIPT}`")),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("hookproof", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_server_info(server)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let script = json!({ "type": "string", "description": "One script, as JSON" });
        Ok(ListToolsResult::with_all_items(vec![
            tool(ABOUT, "What this implementation says of itself, as JSON", json!({}), json!([])),
            tool(
                RUN,
                "Runs a script, and answers with its transcript",
                json!({ SCRIPT: script }),
                json!([SCRIPT]),
            ),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != ABOUT && request.name != RUN {
            return Err(ErrorData::invalid_params(format!("unknown tool: {}", request.name), None));
        }
        let result = match self.answer(&request.name, request.arguments).await {
            Ok(answer) => CallToolResult::success(vec![ContentBlock::text(answer.to_string())]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error)]),
        };
        Ok(result.into())
    }
}

fn tool(name: &'static str, description: &'static str, properties: Value, required: Value) -> Tool {
    let schema = JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties),
        ("required".to_owned(), required),
        ("additionalProperties".to_owned(), json!(false)),
    ]);
    Tool::new(name, description, Arc::new(schema))
}
