//! What sets the five events apart: the tables of the wire facts and of VO-DL-1.

use crate::kernel::Millis;
use crate::script::voiceos::Event;

/// An event by its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Transcript,
    Dictation,
    PreToolUse,
    PostToolUse,
    TurnComplete,
}

use Kind::{Dictation, PostToolUse, PreToolUse, Transcript, TurnComplete};

/// In the order in which observations list them.
pub(super) const KINDS: [Kind; 5] = [Transcript, Dictation, PreToolUse, PostToolUse, TurnComplete];

/// VO-WIRE-2: its name.
pub(super) fn name_of(kind: Kind) -> &'static str {
    match kind {
        Transcript => "transcript",
        Dictation => "dictation",
        PreToolUse => "preToolUse",
        PostToolUse => "postToolUse",
        TurnComplete => "turnComplete",
    }
}

/// The event of this name.
pub(super) fn kind_named(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|kind| name_of(*kind) == name)
}

/// VO-WIRE-1: the reserved name of its hook's tool.
pub(super) fn tool_of(kind: Kind) -> &'static str {
    match kind {
        Transcript => "voiceos_hook_transcript",
        Dictation => "voiceos_hook_dictation",
        PreToolUse => "voiceos_hook_pre_tool_use",
        PostToolUse => "voiceos_hook_post_tool_use",
        TurnComplete => "voiceos_hook_turn_complete",
    }
}

/// What every reserved name starts with.
pub(super) const RESERVED: &str = "voiceos_hook_";

/// VO-DL-1. turnComplete is not awaited and has none.
pub(super) fn budget_of(kind: Kind) -> Millis {
    match kind {
        Dictation => Millis(250),
        Transcript => Millis(500),
        PreToolUse | PostToolUse => Millis(2_000),
        TurnComplete => Millis::ZERO,
    }
}

/// The member of the payload that hooks rewrite.
pub(super) fn rewritten_member(kind: Kind) -> &'static str {
    match kind {
        Transcript => "transcript",
        Dictation => "text",
        PreToolUse => "args",
        PostToolUse => "result",
        TurnComplete => "",
    }
}

/// The kind of an event.
pub(super) fn kind_of(event: &Event) -> Kind {
    match event {
        Event::Transcript(_) => Transcript,
        Event::Dictation(_) => Dictation,
        Event::PreToolUse(_) => PreToolUse,
        Event::PostToolUse(_) => PostToolUse,
        Event::TurnComplete(_) => TurnComplete,
    }
}
