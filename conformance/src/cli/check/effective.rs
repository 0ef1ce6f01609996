//! The hooks that a profile ends up with, as a table and as JSON.

use hookproof_model::kernel::{Condition, FailurePolicy, Millis};
use hookproof_model::matrices::defaults::Installed;
use hookproof_model::matrices::profile::{Processor, ProfileHook};
use serde::Serialize;

use crate::abridge::tame;
use crate::explain::words;

/// The most characters of a cell.
const WIDEST: usize = 48;
const HEAD: [&str; 7] = ["#", "id", "point", "match", "processor", "on failure", "waits up to"];

/// Names beside each other, shortened where there are many.
pub(super) fn listed(names: &[String]) -> String {
    cell(&names.iter().take(WIDEST).map(String::as_str).collect::<Vec<_>>().join(", "))
}

/// The table's lines.
pub(super) fn table(installed: &Installed) -> Vec<String> {
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(
        installed.hooks.iter().enumerate().map(|(index, (hook, is_default))| row(index, hook, *is_default)),
    );
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<_> = (0..HEAD.len()).map(width).collect();
    let line = |row: &[String; 7]| {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        cells.join("  ")
    };
    rows.iter().map(line).collect()
}

fn row(index: usize, hook: &ProfileHook, is_default: bool) -> [String; 7] {
    let mut matching: Vec<_> = hook.tools.iter().map(|tools| listed(tools)).collect();
    match hook.conditions.len() {
        0 => {}
        1 => matching.push("1 condition".to_owned()),
        count => matching.push(format!("{count} conditions")),
    }
    if matching.is_empty() {
        matching.push("every event".to_owned());
    }
    let processor = match &hook.processor {
        Processor::Url(to) => format!("url {to}"),
        Processor::Agent(to) => format!("agent {to}"),
        Processor::Client => "client".to_owned(),
    };
    let default = if is_default { " (default)" } else { "" };
    [
        index.to_string(),
        format!("{}{default}", cell(&hook.id)),
        hook.point.name().to_owned(),
        matching.join(" and "),
        cell(&processor),
        policy(hook.policy).to_owned(),
        words::time(hook.async_timeout),
    ]
}

fn cell(text: &str) -> String {
    let short: String = text.chars().take(WIDEST).collect();
    let cut = if short.len() < text.len() { "…" } else { "" };
    format!("{}{cut}", tame(&short))
}

const fn policy(policy: FailurePolicy) -> &'static str {
    match policy {
        FailurePolicy::FailClosed => "fail_closed",
        FailurePolicy::FailOpen => "fail_open",
    }
}

/// A hook, as JSON tells it.
#[derive(Serialize)]
pub(super) struct Hook<'a> {
    id: &'a str,
    point: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'a [String]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    r#where: &'a [Condition],
    processor: &'static str,
    /// The url or the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'a str>,
    on_failure: &'static str,
    async_timeout_ms: Millis,
    timeout_ms: Millis,
    is_default: bool,
}

/// The hooks, in list order.
pub(super) fn hooks(installed: &Installed) -> Vec<Hook<'_>> {
    installed.hooks.iter().map(|(hook, is_default)| Hook::of(hook, *is_default)).collect()
}

impl<'a> Hook<'a> {
    fn of(hook: &'a ProfileHook, is_default: bool) -> Self {
        Self {
            id: &hook.id,
            point: hook.point.name(),
            tools: hook.tools.as_deref(),
            r#where: &hook.conditions,
            processor: hook.processor.kind(),
            to: match &hook.processor {
                Processor::Url(to) | Processor::Agent(to) => Some(to),
                Processor::Client => None,
            },
            on_failure: policy(hook.policy),
            async_timeout_ms: hook.async_timeout,
            timeout_ms: hook.deadline,
            is_default,
        }
    }
}
