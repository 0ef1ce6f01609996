//! Mutants of the Matrices dialect.

use hookproof_model::Fault;
use hookproof_model::kernel::{Answer, Decision, Failure, Reply};
use hookproof_model::matrices::Point;
use hookproof_model::matrices::defaults::{self, Installed};
use hookproof_model::matrices::profile::{Given, ProfileHook};
use hookproof_model::matrices::wait::WaitState;
use hookproof_model::matrices::{matching, wire};
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::{PlatformError, Says};

use super::mutants;

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
}
