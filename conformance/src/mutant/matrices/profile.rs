//! Mutants of a profile's checks.

use hookproof_model::Fault;
use hookproof_model::kernel::{FailurePolicy, Millis};
use hookproof_model::matrices::Point;
use hookproof_model::matrices::defaults::Installed;
use hookproof_model::matrices::profile::{self, Given, ProfileHook};
use hookproof_model::reading::MatricesReadings;
use serde_json::{Value, json};

use crate::mutant::mutants;

mutants! {
    "seventeen-hooks-are-cut" breaks ["MX-VAL-1"],
    "A list of more than sixteen hooks is taken, and cut.",
    seen "": SeventeenHooksAreCut in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, catalogue, text, "MX-VAL-1", |hooks| hooks.truncate(profile::MAX_HOOKS))
        }
    }

    "tools-anywhere" breaks ["MX-VAL-3"],
    "match.tools at a point without tools is taken, and passed over.",
    seen "": ToolsAnywhere in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, catalogue, text, "MX-VAL-3", |hooks| {
                for hook in hooks {
                    let point = hook.get("point").and_then(Value::as_str).and_then(Point::named);
                    if let (Some(false), Some(Value::Object(members))) =
                        (point.map(Point::is_tool_point), hook.get_mut("match"))
                    {
                        members.remove("tools");
                    }
                }
            })
        }
    }

    "wildcards-anywhere" breaks ["MX-VAL-4"],
    "A pattern with a wildcard in another place is taken, and passed over.",
    seen "": WildcardsAnywhere in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, catalogue, text, "MX-VAL-4", |hooks| {
                for tools in hooks.iter_mut().filter_map(|hook| hook.pointer_mut("/match/tools")?.as_array_mut()) {
                    let elsewhere = |tool: &Value| {
                        let pattern = tool.as_str().unwrap_or_default();
                        pattern.strip_suffix('*').unwrap_or(pattern).contains('*')
                    };
                    tools.retain(|tool| !elsewhere(tool));
                    if tools.is_empty() {
                        tools.push(json!("no.such.tool"));
                    }
                }
            })
        }
    }

    "nine-conditions-are-cut" breaks ["MX-VAL-7"],
    "A list of more than eight conditions is taken, and cut.",
    seen "": NineConditionsAreCut in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, catalogue, text, "MX-VAL-7", |hooks| {
                for conditions in hooks.iter_mut().filter_map(|hook| hook.pointer_mut("/match/where")) {
                    if let Value::Array(conditions) = conditions {
                        conditions.truncate(profile::MAX_CONDITIONS);
                    }
                }
            })
        }
    }

    "plain-http-anywhere" breaks ["MX-VAL-10a"],
    "A url processor may be anywhere.",
    seen "": PlainHttpAnywhere in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, catalogue, text, "MX-VAL-10a", |hooks| {
                for url in hooks.iter_mut().filter_map(|hook| hook.pointer_mut("/processor/url")) {
                    *url = json!("https://anywhere.example/in");
                }
            })
        }
    }

    "after-output-is-no-point" breaks ["MX-VAL-2"],
    "A profile with a hook after the output is rejected.",
    seen "": AfterOutputIsNoPoint in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            match profile::parse(readings, catalogue, text)? {
                Given::Listed(hooks) if hooks.iter().any(|hook| hook.point == Point::AfterOutput) => {
                    let (message, instead) = ("`after_output` is no point".to_owned(), "another point".to_owned());
                    Err(vec![Fault { pointer: String::new(), clause: "MX-VAL-2", message, instead }])
                }
                given => Ok(given),
            }
        }
    }

    "waits-beyond-a-day" breaks ["MX-VAL-8a", "MX-VAL-9"],
    "A hook may keep the work for more than 24 hours.",
    seen "": WaitsBeyondADay in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            let mut asked = Vec::new();
            let mut given = forgiving(readings, catalogue, text, "MX-VAL-9", |hooks| {
                for hook in hooks {
                    let timeout = hook.get_mut("asyncTimeoutMs");
                    asked.push(timeout.as_ref().and_then(|timeout| timeout.as_u64()));
                    if let Some(timeout) = timeout {
                        *timeout = json!(profile::MAX_ASYNC_TIMEOUT);
                    }
                }
            })?;
            if let Given::Listed(hooks) = &mut given {
                for (hook, asked) in hooks.iter_mut().zip(asked) {
                    hook.async_timeout = asked.map_or(hook.async_timeout, Millis);
                }
            }
            Ok(given)
        }
    }

    "open-unless-declared" breaks ["MX-VAL-11"],
    "A hook that declares no onFailure fails open.",
    seen "openclaw#59822": OpenUnlessDeclared in matrices {
        fn profile(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], text: &str) -> Result<Given, Vec<Fault>> {
            let mut given = profile::parse(readings, catalogue, text)?;
            let document = serde_json::from_str::<Value>(text).unwrap_or_default();
            let written = document.pointer("/configuration/hooks").and_then(Value::as_array);
            if let (Given::Listed(hooks), Some(written)) = (&mut given, written) {
                for (hook, written) in hooks.iter_mut().zip(written) {
                    if written.get("onFailure").is_none() {
                        hook.policy = FailurePolicy::FailOpen;
                    }
                }
            }
            Ok(given)
        }
    }

    "rejected-updates-empty-the-list" breaks ["MX-VAL-15"],
    "An update that is rejected leaves the profile without hooks.",
    seen "": RejectedUpdatesEmptyTheList in matrices {
        fn rejected(&self, _: &Installed) -> Installed {
            Installed::default()
        }
    }
}

/// A profile whose only faults are against one clause is read as if they had been mended.
fn forgiving(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    text: &str,
    clause: &str,
    mend: impl FnOnce(&mut Vec<Value>),
) -> Result<Given, Vec<Fault>> {
    let faults = match profile::parse(readings, catalogue, text) {
        Err(faults) if faults.iter().all(|fault| fault.clause == clause) => faults,
        result => return result,
    };
    let Ok(mut document) = serde_json::from_str::<Value>(text) else { return Err(faults) };
    match document.pointer_mut("/configuration/hooks") {
        Some(Value::Array(hooks)) => mend(hooks),
        _ => return Err(faults),
    }
    profile::parse(readings, catalogue, &document.to_string())
}
