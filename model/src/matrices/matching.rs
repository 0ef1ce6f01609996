//! Which events a hook is for: MX-MATCH-1, MX-MATCH-3 to 5, MX-PROC-2. Conditions on the value are the
//! kernel's [`guard`](crate::kernel::guard).

use super::point::Point;
use super::profile::{Processor, ProfileHook};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{EmptyTail, NestedAgentHooks, Wildcard};

/// What happens on a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Happening<'a> {
    /// Where in the pipeline.
    pub point: Point,
    /// With which tool.
    pub tool: Option<&'a str>,
    /// Whether within an agent processor's own run.
    pub nested: bool,
}

/// Whether a hook is for what happens, where `matches` says which patterns match which names.
pub fn concerns(
    readings: &MatricesReadings,
    hook: &ProfileHook,
    happening: Happening<'_>,
    matches: impl Fn(&str, &str) -> bool,
) -> bool {
    let Happening { point, tool, nested } = happening;
    let for_tool = match (&hook.tools, tool) {
        (None, _) => true,
        (Some(patterns), Some(tool)) => patterns.iter().any(|pattern| matches(pattern, tool)),
        (Some(_), None) => false,
    };
    let for_run = match readings.nested_agent_hooks {
        NestedAgentHooks::Skipped => !nested || !matches!(hook.processor, Processor::Agent(_)),
        NestedAgentHooks::Failure => true,
        NestedAgentHooks::NoHooks => !nested,
    };
    hook.point == point && for_tool && for_run
}

/// Whether a tool pattern (an exact name, or one trailing wildcard) matches a tool's name.
#[must_use]
pub fn matches(readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
    let Some(prefix) = pattern.strip_suffix('*') else { return pattern == name };
    let Some(tail) = name.strip_prefix(prefix) else { return false };
    let filled = !tail.is_empty() || readings.empty_tail == EmptyTail::Matches;
    let within = readings.wildcard == Wildcard::CrossesDots || !tail.contains('.');
    filled && within
}
