//! What a finding costs: what a host makes of it.

use hookproof_model::matrices::Point;
use hookproof_model::voiceos::EventKind;

/// What a VoiceOS host does without the hook (VO-FAIL-1).
pub(crate) const fn no_handler(event: EventKind) -> &'static str {
    match event {
        EventKind::Transcript => "counts as no handler: the turn proceeds unmodified",
        EventKind::Dictation => "counts as no handler: the original text is pasted",
        EventKind::PreToolUse => "counts as no handler: the tool runs",
        EventKind::PostToolUse => "counts as no handler: the result passes through",
        EventKind::TurnComplete => "counts as no handler: the receipt is lost",
    }
}

/// What a Matrices platform does without an answer (MX-FAIL-1, MX-FAIL-2).
pub(crate) const fn no_answer(point: Point) -> &'static str {
    match point {
        Point::BeforeInput => "fail_closed: the input is denied; fail_open: it goes on unchecked",
        Point::BeforeToolCall => "fail_closed: the tool call is denied; fail_open: it goes on unchecked",
        Point::AfterToolCall => "fail_closed: the tool's output is withheld; fail_open: it goes on unchecked",
        Point::AfterOutput => "fail_closed: the output is withheld; fail_open: it goes on unchecked",
    }
}
