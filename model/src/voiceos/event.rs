//! The five events: VO-EVT-1 to 5, VO-DL-1, VO-DL-7, VO-WIRE-1, VO-WIRE-8.

use serde::{Deserialize, Serialize};

use crate::kernel::Millis;
use crate::script::voiceos::Event;

/// The prefix of every reserved tool name.
pub const RESERVED_PREFIX: &str = "voiceos_hook_";

/// An event that a hook can subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EventKind {
    /// Final agent-mode input, before the agent stream opens.
    Transcript,
    /// Dictated text, just before it is pasted.
    Dictation,
    /// Before one of the integration's own tools executes.
    PreToolUse,
    /// After it ran, before the model reads the result.
    PostToolUse,
    /// At turn teardown.
    TurnComplete,
}

impl EventKind {
    /// Every event, in the order of the page's table.
    pub const ALL: [Self; 5] =
        [Self::Transcript, Self::Dictation, Self::PreToolUse, Self::PostToolUse, Self::TurnComplete];

    /// The kind of an event.
    #[must_use]
    pub const fn of(event: &Event) -> Self {
        match event {
            Event::Transcript(_) => Self::Transcript,
            Event::Dictation(_) => Self::Dictation,
            Event::PreToolUse(_) => Self::PreToolUse,
            Event::PostToolUse(_) => Self::PostToolUse,
            Event::TurnComplete(_) => Self::TurnComplete,
        }
    }

    /// The name in manifests and payloads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Dictation => "dictation",
            Self::PreToolUse => "preToolUse",
            Self::PostToolUse => "postToolUse",
            Self::TurnComplete => "turnComplete",
        }
    }

    /// The event of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    /// VO-WIRE-1: the reserved name of the tool that handles it.
    #[must_use]
    pub const fn tool(self) -> &'static str {
        match self {
            Self::Transcript => "voiceos_hook_transcript",
            Self::Dictation => "voiceos_hook_dictation",
            Self::PreToolUse => "voiceos_hook_pre_tool_use",
            Self::PostToolUse => "voiceos_hook_post_tool_use",
            Self::TurnComplete => "voiceos_hook_turn_complete",
        }
    }

    /// VO-DL-1, VO-DL-8: the budget of one firing; `None` where it is not awaited (VO-DL-7).
    #[must_use]
    pub const fn budget(self) -> Option<Millis> {
        match self {
            Self::Dictation => Some(Millis(250)),
            Self::Transcript => Some(Millis(500)),
            Self::PreToolUse | Self::PostToolUse => Some(Millis(2000)),
            Self::TurnComplete => None,
        }
    }

    /// The payload's member that hooks rewrite.
    #[must_use]
    pub const fn subject(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Dictation => "text",
            Self::PreToolUse => "args",
            Self::PostToolUse => "result",
            Self::TurnComplete => "",
        }
    }

    /// The member of a HookResult that rewrites it; `None` where nothing does.
    #[must_use]
    pub const fn rewrite_member(self) -> Option<&'static str> {
        match self {
            Self::Transcript | Self::Dictation => Some("updatedText"),
            Self::PreToolUse => Some("updatedArgs"),
            Self::PostToolUse => Some("updatedResult"),
            Self::TurnComplete => None,
        }
    }

    /// Whether it concerns one tool, and so only the integration that owns it (VO-SEL-4).
    #[must_use]
    pub const fn is_tool_tap(self) -> bool {
        matches!(self, Self::PreToolUse | Self::PostToolUse)
    }
}
