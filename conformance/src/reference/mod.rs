//! The reference candidate: the script contract served over HTTP and MCP, by any rules.

pub mod http;
pub mod mcp;

use hookproof_model::matrices::profile::MAX_HOOKS;
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::Step;
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

/// The most bytes that a transcript may come to, at the worst.
const MAX_COST: usize = 256 << 20;

/// What a script's transcript may come to: every step can hand all that the script holds to every hook.
fn cost(script: &Script, bytes: usize) -> usize {
    let steps = script.all_steps();
    let hooks = match script {
        Script::Voiceos(script) => {
            script.steps.iter().filter(|step| matches!(step, Step::Install(_) | Step::Update(_))).count()
        }
        Script::Matrices(_) => MAX_HOOKS,
    };
    bytes.saturating_mul(hooks).saturating_mul(steps)
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
        let repeated = repeat::expand(&mut value).map_err(|error| error.to_string())?;
        let script: Script =
            serde_json::from_value(value).map_err(|error| format!("not a script: {error}"))?;
        let cost = cost(&script, script_json.len() + repeated);
        if cost > MAX_COST {
            return Err(format!("its transcript could come to {cost} bytes; at most {MAX_COST} are made"));
        }
        let transcript = run_by(self.rules, &script, &self.readings).map_err(|error| error.to_string())?;
        serde_json::to_value(transcript).map_err(|error| error.to_string())
    }
}
