//! A hook as a profile has it, and the events that it concerns: MX-MATCH-1 to 5.

use crate::kernel::{Condition, FailurePolicy, Millis};
use crate::plain::conditions::equal;
use crate::reading::MatricesReadings;
use crate::reading::matrices::{EmptyTail, EmptyTools, Wildcard};
use crate::script::matrices::{Event, HookSeen};

/// MX-VAL-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    BeforeInput,
    BeforeToolCall,
    AfterToolCall,
    AfterOutput,
}

impl Point {
    pub(super) const ALL: [Self; 4] =
        [Self::BeforeInput, Self::BeforeToolCall, Self::AfterToolCall, Self::AfterOutput];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::BeforeInput => "before_input",
            Self::BeforeToolCall => "before_tool_call",
            Self::AfterToolCall => "after_tool_call",
            Self::AfterOutput => "after_output",
        }
    }

    /// The point at which an event happens.
    pub(super) fn of(event: &Event) -> Self {
        match event {
            Event::BeforeInput { .. } => Self::BeforeInput,
            Event::BeforeToolCall { .. } => Self::BeforeToolCall,
            Event::AfterToolCall { .. } => Self::AfterToolCall,
            Event::AfterOutput { .. } => Self::AfterOutput,
        }
    }

    /// MX-VAL-2: the two in the middle.
    pub(super) fn is_tool_point(self) -> bool {
        matches!(self, Self::BeforeToolCall | Self::AfterToolCall)
    }
}

/// MX-PROC-1.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Processor {
    Url(String),
    Agent(String),
    Client,
}

impl Processor {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Url(_) => "url",
            Self::Agent(_) => "agent",
            Self::Client => "client",
        }
    }
}

/// A hook.
#[derive(Debug, Clone)]
pub(super) struct MatricesHook {
    pub(super) id: String,
    pub(super) point: Point,
    /// `match.tools`, where it is given.
    pub(super) tools: Option<Vec<String>>,
    /// `match.where`.
    pub(super) conditions: Vec<Condition>,
    pub(super) processor: Processor,
    pub(super) policy: FailurePolicy,
    /// MX-DL-1.
    pub(super) timeout: Millis,
    /// MX-VAL-8a, MX-DL-2.
    pub(super) async_timeout: Millis,
}

impl MatricesHook {
    /// As it is observed.
    pub(super) fn seen(&self) -> HookSeen {
        HookSeen {
            id: self.id.clone(),
            point: self.point.name().to_owned(),
            processor: self.processor.kind().to_owned(),
            on_failure: match self.policy {
                FailurePolicy::FailClosed => "fail_closed".to_owned(),
                FailurePolicy::FailOpen => "fail_open".to_owned(),
            },
            async_timeout_ms: self.async_timeout,
        }
    }

    /// MX-MATCH-1, MX-MATCH-2: whether point and tool are this hook's. Its conditions are another
    /// matter, since they look at a value that changes along the chain.
    pub(super) fn concerns(&self, event: &Event, readings: &MatricesReadings) -> bool {
        let tool = match event {
            Event::BeforeToolCall { tool, .. } | Event::AfterToolCall { tool, .. } => Some(tool),
            Event::BeforeInput { .. } | Event::AfterOutput { .. } => None,
        };
        let listed = match (&self.tools, tool) {
            // MX-VAL-13a.
            (Some(tools), _) if tools.is_empty() => readings.empty_tools == EmptyTools::MatchesAll,
            (Some(tools), Some(tool)) => tools.iter().any(|pattern| matches(pattern, tool, readings)),
            (Some(_), None) | (None, _) => true,
        };
        self.point == Point::of(event) && listed
    }
}

/// Whether two hooks are the same one, written twice (HK-EQ-1): MX-DEF-6, MX-DEF-9, MX-DEF-10.
impl PartialEq for MatricesHook {
    fn eq(&self, other: &Self) -> bool {
        let said = |hook: &Self| {
            (hook.id.clone(), hook.point, hook.tools.clone(), hook.processor.clone(), hook.policy)
        };
        let times = |hook: &Self| (hook.timeout, hook.async_timeout);
        let (conditions, others) = (&self.conditions, &other.conditions);
        let alike = |(one, other): (&Condition, &Condition)| {
            one.path == other.path && one.operator == other.operator && equal(&one.value, &other.value)
        };
        said(self) == said(other)
            && times(self) == times(other)
            && conditions.len() == others.len()
            && conditions.iter().zip(others).all(alike)
    }
}

/// MX-VAL-4, MX-MATCH-3, MX-MATCH-4, MX-MATCH-5.
fn matches(pattern: &str, tool: &str, readings: &MatricesReadings) -> bool {
    let Some(prefix) = pattern.strip_suffix('*') else { return pattern == tool };
    let Some(rest) = tool.strip_prefix(prefix) else { return false };
    let too_long = readings.wildcard == Wildcard::OneSegment && rest.contains('.');
    let too_short = readings.empty_tail == EmptyTail::DoesNot && rest.is_empty();
    !too_long && !too_short
}
