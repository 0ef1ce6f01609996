//! Mutants of the Matrices dialect.

use hookproof_model::Fault;
use hookproof_model::kernel::{Answer, Decision, Failure, Reply};
use hookproof_model::matrices::Point;
use hookproof_model::matrices::defaults::{self, Installed};
use hookproof_model::matrices::profile::{self, Given, ProfileHook};
use hookproof_model::matrices::wait::WaitState;
use hookproof_model::matrices::{matching, wire};
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::{PlatformError, Says};

use serde_json::{Value, json};

use super::{altered, mutants};

mutants! {
    "exact-names-match-as-prefixes" breaks ["MX-MATCH-3"],
    "A pattern without a wildcard matches every name that starts with it.",
    seen "claude-code#44446": ExactNamesMatchAsPrefixes in matrices {
        fn matches(&self, _: &MatricesReadings, pattern: &str, name: &str) -> bool {
            name.starts_with(pattern.trim_end_matches('*'))
        }
    }

    "names-ignore-case" breaks ["MX-MATCH-5"],
    "Tool names are compared without regard to case.",
    seen "": NamesIgnoreCase in matrices {
        fn matches(&self, readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
            matching::matches(readings, &pattern.to_ascii_lowercase(), &name.to_ascii_lowercase())
        }
    }

    "no-defaults" breaks ["MX-DEF-1"],
    "A profile created without hooks has none.",
    seen "": NoDefaults in matrices {
        fn install(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            given: Given,
        ) -> Result<Installed, Vec<Fault>> {
            let given = if given == Given::Omitted { Given::Listed(Vec::new()) } else { given };
            defaults::create(readings, catalogue, given)
        }
    }

    "empty-means-defaults" breaks ["MX-DEF-2"],
    "A profile created with an empty list has the defaults.",
    seen "orca#11676": EmptyMeansDefaults in matrices {
        fn install(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            given: Given,
        ) -> Result<Installed, Vec<Fault>> {
            let given = if given == Given::Listed(Vec::new()) { Given::Omitted } else { given };
            defaults::create(readings, catalogue, given)
        }
    }

    "defaults-are-merged-in" breaks ["MX-DEF-3"],
    "The defaults are put behind a list that has hooks of its own.",
    seen "": DefaultsAreMergedIn in matrices {
        fn install(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            given: Given,
        ) -> Result<Installed, Vec<Fault>> {
            let merges = matches!(&given, Given::Listed(listed) if !listed.is_empty());
            let mut installed = defaults::create(readings, catalogue, given)?;
            if merges {
                for default in catalogue {
                    if installed.hooks.iter().all(|(hook, _)| hook.id != default.id) {
                        installed.hooks.push((default.clone(), true));
                    }
                }
            }
            Ok(installed)
        }
    }

    "defaults-overwrite" breaks ["MX-DEF-7"],
    "A later default overwrites the hook that a profile has under its id.",
    seen "": DefaultsOverwrite in matrices {
        fn reach(
            &self,
            readings: &MatricesReadings,
            catalogue: &[ProfileHook],
            profile: &mut Installed,
            default: &ProfileHook,
        ) {
            match profile.hooks.iter_mut().find(|(hook, _)| hook.id == default.id) {
                Some(hook) => *hook = (default.clone(), true),
                None => defaults::reach(readings, catalogue, profile, default),
            }
        }
    }

    "answers-from-any-status" breaks ["MX-FAIL-3"],
    "A status outside 2xx without a body counts as a defer.",
    seen "KiroCrew#7339": AnswersFromAnyStatus in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            match says {
                Says::Status(300..) => Some(Reply::defer()),
                other => wire::decode(readings, point, other),
            }
        }
    }

    "broken-bodies-allow" breaks ["MX-FAIL-3"],
    "A body that is no HookResult counts as an allow.",
    seen "ANOLISA#2128": BrokenBodiesAllow in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            match wire::decode(readings, point, says) {
                Some(Reply::Failed(Failure::Unparsable | Failure::WrongShape)) => {
                    Some(Reply::Answered(Box::new(Answer { decision: Decision::Allow, ..Answer::default() })))
                }
                reply => reply,
            }
        }
    }

    "waits-resolve-twice" breaks ["MX-WAIT-5"],
    "Resolving a wait that is no longer there is no error.",
    seen "openclaw#92376": WaitsResolveTwice in matrices {
        fn unresolvable(&self, _: &MatricesReadings, _: WaitState) -> Option<PlatformError> {
            None
        }
    }

    "any-resolution-approves" breaks ["MX-WAIT-6"],
    "A resolve whose body is no HookResult lets the work happen.",
    seen "goose#7915": AnyResolutionApproves in matrices {
        fn resolution(&self, readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure> {
            let approve = Answer { decision: Decision::Allow, ..Answer::default() };
            Ok(wire::resolution(readings, point, body).unwrap_or(approve))
        }
    }

    "denials-are-ignored" breaks ["MX-FOLD-2"],
    "A hook that denies counts as one that defers.",
    seen "lua-cs-bouncer#62": DenialsAreIgnored in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, point, says), |answer| {
                if answer.decision == Decision::Deny {
                    answer.decision = Decision::Defer;
                }
            })
        }
    }

    "an-allow-forgets-the-rewrites" breaks ["MX-FOLD-6"],
    "An allow lets the work happen with what it answers itself, an empty value if it answers none.",
    seen "": AnAllowForgetsTheRewrites in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, point, says), |answer| {
                if answer.decision == Decision::Allow {
                    answer.rewrite.get_or_insert_with(|| match point {
                        Point::BeforeToolCall | Point::AfterToolCall => json!({}),
                        Point::BeforeInput | Point::AfterOutput => json!(""),
                    });
                }
            })
        }
    }

    "reasons-are-not-audited" breaks ["MX-AUD-2a"],
    "The reason that a hook gives is left out of the audit trail.",
    seen "": ReasonsAreNotAudited in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, point, says), |answer| answer.reason = None)
        }
    }

    "unknown-members-spoil-results" breaks ["MX-WIRE-2"],
    "A member that no version of the contract has spoils a HookResult.",
    seen "": UnknownMembersSpoilResults in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            let unknown = |result: &Value| {
                let mut names = result.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
                names.any(|name| !MEMBERS.contains(&name))
            };
            match says {
                Says::Result(result) if unknown(result) => Some(Reply::Failed(Failure::WrongShape)),
                says => wire::decode(readings, point, says),
            }
        }
    }

    "patterns-match-nothing-else" breaks ["MX-MATCH-3"],
    "A wildcard is taken for a part of the name.",
    seen "": PatternsMatchNothingElse in matrices {
        fn matches(&self, _: &MatricesReadings, pattern: &str, name: &str) -> bool {
            pattern == name
        }
    }

    "seventeen-hooks-are-cut" breaks ["MX-VAL-1"],
    "A list of more than sixteen hooks is taken, and cut.",
    seen "": SeventeenHooksAreCut in matrices {
        fn profile(&self, readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, text, "MX-VAL-1", |hooks| hooks.truncate(profile::MAX_HOOKS))
        }
    }

    "tools-anywhere" breaks ["MX-VAL-3"],
    "match.tools at a point without tools is taken, and passed over.",
    seen "": ToolsAnywhere in matrices {
        fn profile(&self, readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, text, "MX-VAL-3", |hooks| drop_tools(hooks))
        }
    }

    "wildcards-anywhere" breaks ["MX-VAL-4"],
    "A pattern with a wildcard in another place is taken, and passed over with the others.",
    seen "": WildcardsAnywhere in matrices {
        fn profile(&self, readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, text, "MX-VAL-4", |hooks| drop_tools(hooks))
        }
    }

    "nine-conditions-are-cut" breaks ["MX-VAL-7"],
    "A list of more than eight conditions is taken, and cut.",
    seen "": NineConditionsAreCut in matrices {
        fn profile(&self, readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, text, "MX-VAL-7", |hooks| {
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
        fn profile(&self, readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
            forgiving(readings, text, "MX-VAL-10a", |hooks| {
                for url in hooks.iter_mut().filter_map(|hook| hook.pointer_mut("/processor/url")) {
                    *url = json!("https://anywhere.example/in");
                }
            })
        }
    }
}

/// The members of a HookResult.
const MEMBERS: [&str; 5] = ["decision", "reason", "updatedText", "updatedInput", "updatedOutput"];

/// A profile whose only faults are against one clause is read as if they had been mended.
fn forgiving(
    readings: &MatricesReadings,
    text: &str,
    clause: &str,
    mend: impl FnOnce(&mut Vec<Value>),
) -> Result<Given, Vec<Fault>> {
    let faults = match profile::parse(readings, text) {
        Err(faults) if faults.iter().all(|fault| fault.clause == clause) => faults,
        result => return result,
    };
    let Ok(mut document) = serde_json::from_str::<Value>(text) else { return Err(faults) };
    match document.pointer_mut("/configuration/hooks") {
        Some(Value::Array(hooks)) => mend(hooks),
        _ => return Err(faults),
    }
    profile::parse(readings, &document.to_string())
}

fn drop_tools(hooks: &mut [Value]) {
    for matching in hooks.iter_mut().filter_map(|hook| hook.get_mut("match")) {
        if let Value::Object(members) = matching {
            members.remove("tools");
        }
    }
}
