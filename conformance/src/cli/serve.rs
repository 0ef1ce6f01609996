//! `hookproof serve`: the reference candidate, by the specification's rules or a mutant's.

use std::future::Future;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;

use clap::ArgGroup;
use clap::builder::PossibleValuesParser;
use futures::stream::{FuturesUnordered, StreamExt};
use hookproof_model::kernel::Spec;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::readings::readings;
use super::{CliError, EXIT_OK, interrupted, runtime};
use crate::mutant::{AnyRules, Mutant};
use crate::reference::{self, Contract, Reference};

const EXAMPLES: &str = "\
Examples:
  Serve the script contract over HTTP, on a free port:
    hookproof serve --http 127.0.0.1:0
  Over MCP, as the child of an MCP client:
    hookproof serve --mcp-stdio
  See what the harness says of an implementation that breaks one rule:
    hookproof serve --http 127.0.0.1:8080 --mutant last-decision-wins
    hookproof run --http http://127.0.0.1:8080
  Take another reading than the default:
    hookproof serve --mcp-http 127.0.0.1:8080 --reading VO-ORDER-1=by-id

Each address that is listened to is told in a line `listening on URL`. It ends when it is interrupted,
or when its standard input does with --mcp-stdio.";

/// Serve the reference candidate: the model behind the script contract.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("transport").required(true).multiple(true))]
pub(super) struct Args {
    /// Serve HTTP at this address
    #[arg(long, value_name = "ADDR", group = "transport")]
    http: Option<String>,
    /// Serve MCP over standard input and output
    #[arg(long, group = "transport")]
    mcp_stdio: bool,
    /// Serve MCP over Streamable HTTP at this address, under /mcp
    #[arg(long, value_name = "ADDR", group = "transport")]
    mcp_http: Option<String>,
    /// Break one rule, as this mutant does
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = mutants())]
    mutant: Option<String>,
    /// Take this alternative of a reading, in each dialect that has it; repeatable
    #[arg(long = "reading", value_name = "CLAUSE=ALTERNATIVE")]
    readings: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let rules: &'static AnyRules =
        args.mutant.as_deref().and_then(Mutant::named).map_or(&Spec, |mutant| mutant.rules);
    let contract: Arc<dyn Contract> =
        Arc::new(Reference { rules, readings: readings(None, &args.readings)? });
    let runtime = runtime()?;
    let served = runtime.block_on(serve(&args, contract));
    // A read of standard input that nothing more comes for would keep the process.
    runtime.shutdown_background();
    served.map(|()| EXIT_OK)
}

type Serving = Pin<Box<dyn Future<Output = std::io::Result<()>> + Send>>;

/// Serves until the first of the servers ends, or the process is asked to.
async fn serve(args: &Args, contract: Arc<dyn Contract>) -> Result<(), CliError> {
    let (stop, stopped) = watch::channel(());
    let until = || {
        let mut stopped = stopped.clone();
        async move { while stopped.changed().await.is_ok() {} }
    };
    let mut serving: FuturesUnordered<Serving> = FuturesUnordered::new();
    if let Some(address) = &args.http {
        let listener = listen(address, "", args.mcp_stdio).await?;
        serving.push(Box::pin(reference::http::serve(listener, Arc::clone(&contract), until())));
    }
    if let Some(address) = &args.mcp_http {
        let listener = listen(address, "/mcp", args.mcp_stdio).await?;
        serving.push(Box::pin(reference::mcp::serve_http(listener, Arc::clone(&contract), until())));
    }
    if args.mcp_stdio {
        serving.push(Box::pin(reference::mcp::serve_stdio(contract)));
    }
    let ended = tokio::select! {
        ended = serving.next() => ended,
        () = interrupted() => None,
    };
    drop(stop);
    if !args.mcp_stdio {
        while serving.next().await.is_some() {}
    }
    match ended {
        Some(Err(error)) => Err(CliError::new(format_args!("serving ended: {error}"))),
        _ => Ok(()),
    }
}

/// Listens and says so: where standard output carries messages, on standard error.
async fn listen(address: &str, path: &str, is_stdout_taken: bool) -> Result<TcpListener, CliError> {
    let cannot = |error| CliError::new(format_args!("cannot listen on `{address}`: {error}"));
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let line = format!("listening on http://{}{path}\n", listener.local_addr().map_err(cannot)?);
    let told = if is_stdout_taken {
        std::io::stderr().write_all(line.as_bytes())
    } else {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush())
    };
    told.map(|()| listener).map_err(cannot)
}

fn mutants() -> PossibleValuesParser {
    PossibleValuesParser::new(Mutant::all().map(|mutant| mutant.name))
}
