//! The four points: MX-VAL-2, MX-FOLD-7.

use serde::{Deserialize, Serialize};

/// Where in the pipeline a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// Before input reaches the agent.
    BeforeInput,
    /// Before a tool is called.
    BeforeToolCall,
    /// After a tool was called.
    AfterToolCall,
    /// After the agent's output, before it is persisted and returned.
    AfterOutput,
}

impl Point {
    /// Every point, in the order of the pipeline.
    pub const ALL: [Self; 4] =
        [Self::BeforeInput, Self::BeforeToolCall, Self::AfterToolCall, Self::AfterOutput];

    /// The name in profiles and HookInputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BeforeInput => "before_input",
            Self::BeforeToolCall => "before_tool_call",
            Self::AfterToolCall => "after_tool_call",
            Self::AfterOutput => "after_output",
        }
    }

    /// The point of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|point| point.name() == name)
    }

    /// Whether it concerns a tool.
    #[must_use]
    pub const fn is_tool_point(self) -> bool {
        matches!(self, Self::BeforeToolCall | Self::AfterToolCall)
    }

    /// Whether the work has not happened yet, so that a deny can prevent it (MX-FOLD-9a).
    #[must_use]
    pub const fn is_before(self) -> bool {
        matches!(self, Self::BeforeInput | Self::BeforeToolCall)
    }

    /// The member of a HookInput that carries the composed value.
    #[must_use]
    pub const fn subject(self) -> &'static str {
        match self {
            Self::BeforeInput | Self::AfterOutput => "text",
            Self::BeforeToolCall => "input",
            Self::AfterToolCall => "output",
        }
    }

    /// The member of a HookResult that rewrites it.
    #[must_use]
    pub const fn rewrite_member(self) -> &'static str {
        match self {
            Self::BeforeInput | Self::AfterOutput => "updatedText",
            Self::BeforeToolCall => "updatedInput",
            Self::AfterToolCall => "updatedOutput",
        }
    }
}
