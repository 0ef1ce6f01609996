//! The reference candidate: the script contract served over HTTP and MCP, by any rules.

pub mod http;
pub mod mcp;

use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, repeat};
use hookproof_model::{Rules, run_by};
use serde_json::Value;

use crate::about::About;

/// What serves the script contract: the same for every transport.
pub trait Contract: Send + Sync + 'static {
    /// The answer to `about`.
    fn about(&self) -> About;
    /// The transcript of a script given as JSON text.
    ///
    /// # Errors
    /// The text is no script; the message says where and why.
    fn run(&self, script_json: &str) -> Result<Value, String>;
}

/// The model as a candidate, by the specification's rules or a mutant's.
pub struct Reference {
    /// The rules it runs by.
    pub rules: &'static (dyn Rules + Send + Sync),
    /// The readings it takes.
    pub readings: Readings,
}

impl Contract for Reference {
    fn about(&self) -> About {
        About {
            name: Some("hookproof reference".to_owned()),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            readings: self.readings,
            ..About::default()
        }
    }

    fn run(&self, script_json: &str) -> Result<Value, String> {
        let mut value: Value =
            serde_json::from_str(script_json).map_err(|error| format!("not JSON: {error}"))?;
        repeat::expand(&mut value).map_err(|error| error.to_string())?;
        let script: Script =
            serde_json::from_value(value).map_err(|error| format!("not a script: {error}"))?;
        let transcript = run_by(self.rules, &script, &self.readings).map_err(|error| error.to_string())?;
        serde_json::to_value(transcript).map_err(|error| error.to_string())
    }
}
