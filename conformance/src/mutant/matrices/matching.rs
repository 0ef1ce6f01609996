//! Mutants of which events a hook is for.

use hookproof_model::matrices::matching::{self, Happening};
use hookproof_model::matrices::profile::ProfileHook;
use hookproof_model::reading::MatricesReadings;

use crate::mutant::mutants;

mutants! {
    "exact-names-match-as-prefixes" breaks ["MX-VAL-4"],
    "A pattern without a wildcard matches every name that starts with it.",
    seen "claude-code#44446": ExactNamesMatchAsPrefixes in matrices {
        fn matches(&self, _: &MatricesReadings, pattern: &str, name: &str) -> bool {
            name.starts_with(pattern.trim_end_matches('*'))
        }
    }

    "the-dot-is-not-looked-at" breaks ["MX-MATCH-3"],
    "The dot before a wildcard is not looked at.",
    seen "": TheDotIsNotLookedAt in matrices {
        fn matches(&self, readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
            match pattern.strip_suffix(".*") {
                Some(prefix) => name.starts_with(prefix),
                None => matching::matches(readings, pattern, name),
            }
        }
    }

    "names-ignore-case" breaks ["MX-MATCH-5"],
    "Tool names are compared without regard to case.",
    seen "": NamesIgnoreCase in matrices {
        fn matches(&self, readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
            matching::matches(readings, &pattern.to_ascii_lowercase(), &name.to_ascii_lowercase())
        }
    }

    "patterns-match-nothing-else" breaks ["MX-MATCH-3"],
    "A wildcard is taken for a part of the name.",
    seen "": PatternsMatchNothingElse in matrices {
        fn matches(&self, _: &MatricesReadings, pattern: &str, name: &str) -> bool {
            pattern == name
        }
    }

    "no-match-means-never" breaks ["MX-MATCH-1"],
    "A hook that does not say which tools it is for is for none.",
    seen "": NoMatchMeansNever in matrices {
        fn concerns(&self, readings: &MatricesReadings, hook: &ProfileHook, happening: Happening<'_>) -> bool {
            (hook.tools.is_some() || happening.tool.is_none()) && by_the_rules(readings, hook, happening)
        }
    }

    "agents-hook-themselves" breaks ["MX-PROC-2a"],
    "An agent processor's own run triggers agent hooks.",
    seen "": AgentsHookThemselves in matrices {
        fn concerns(&self, readings: &MatricesReadings, hook: &ProfileHook, happening: Happening<'_>) -> bool {
            by_the_rules(readings, hook, Happening { nested: false, ..happening })
        }
    }
}

fn by_the_rules(readings: &MatricesReadings, hook: &ProfileHook, happening: Happening<'_>) -> bool {
    matching::concerns(readings, hook, happening, |pattern, name| matching::matches(readings, pattern, name))
}
