//! The targets of a run: the user's, or the reference candidate over every transport.

use std::fmt::Display;
use std::sync::Arc;

use hookproof_model::kernel::Spec;
use hookproof_model::reading::Readings;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::candidate::http::Http;
use crate::candidate::mcp::{Era, Mcp};
use crate::candidate::{Candidate, CandidateError};
use crate::cli::CliError;
use crate::reference::{self, Contract, Reference};

/// How an implementation is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// The script contract under this URL.
    Http(String),
    /// MCP, Streamable HTTP, at this URL.
    McpHttp(String),
    /// MCP, standard streams of this command with these arguments.
    McpStdio(String, Vec<String>),
}

impl Way {
    /// Connects. Only MCP talks to the candidate already.
    pub(super) async fn connect(
        &self,
        headers: &[(String, String)],
        era: Era,
    ) -> Result<Box<dyn Candidate>, CandidateError> {
        Ok(match self {
            Self::Http(url) => Box::new(Http::connect(url, headers)?),
            Self::McpHttp(url) => Box::new(Mcp::over_http(url, headers, era).await?),
            Self::McpStdio(command, args) => Box::new(Mcp::over_stdio(command, args, era).await?),
        })
    }

    /// As the user would name it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Http(url) | Self::McpHttp(url) => url.clone(),
            Self::McpStdio(command, args) => {
                args.iter().fold(command.clone(), |line, arg| format!("{line} {arg}"))
            }
        }
    }
}

/// The reference candidate, served for the length of a run.
pub(super) struct References {
    /// What each way to it is called, and the way.
    pub(super) ways: Vec<(&'static str, Way)>,
    /// The servers end when this is dropped.
    _serving: watch::Sender<()>,
}

impl References {
    /// Starts the servers on loopback. The child over standard streams starts when it is connected to.
    pub(super) async fn start() -> Result<Self, CliError> {
        let contract: Arc<dyn Contract> = Arc::new(Reference { rules: &Spec, readings: Readings::default() });
        let (serving, served) = watch::channel(());
        let until = |mut served: watch::Receiver<()>| async move { while served.changed().await.is_ok() {} };
        let (listener, http) = loopback().await?;
        tokio::spawn(reference::http::serve(listener, Arc::clone(&contract), until(served.clone())));
        let (listener, mcp) = loopback().await?;
        tokio::spawn(reference::mcp::serve_http(listener, contract, until(served)));
        let own = std::env::current_exe().map_err(cannot)?.display().to_string();
        let args = ["serve", "--mcp-stdio"].map(str::to_owned).to_vec();
        let ways = vec![
            ("reference candidate over HTTP", Way::Http(http)),
            ("reference candidate over MCP, Streamable HTTP", Way::McpHttp(format!("{mcp}/mcp"))),
            ("reference candidate over MCP, stdio", Way::McpStdio(own, args)),
        ];
        Ok(Self { ways, _serving: serving })
    }
}

async fn loopback() -> Result<(TcpListener, String), CliError> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    Ok((listener, format!("http://{address}")))
}

fn cannot(error: impl Display) -> CliError {
    CliError::new(format_args!("cannot serve the reference candidate: {error}"))
}
