//! Whether a hook is listened to: VO-CONSENT-1, VO-CONSENT-2, VO-SEL-7.

use super::{End, Given, Hearing};
use crate::kernel::{Failure, Millis};
use crate::reading::shared::ConsentCheck;

/// Whether the hook in `slot` may be asked at `asked`.
pub(super) fn may_be_asked(given: &Given<'_>, slot: usize, asked: Millis, begins: bool) -> bool {
    let (until, _) = parted(given, slot, asked, begins);
    until.last().is_none_or(|now| now.consent && now.in_front)
}

/// Whether there is anything to call once the hook in `slot` is asked at `asked`.
pub(super) fn is_offered(given: &Given<'_>, slot: usize, asked: Millis, begins: bool) -> bool {
    let (until, _) = parted(given, slot, asked, begins);
    until.last().is_none_or(|now| now.offered)
}

/// VO-CONSENT-2: what becomes of the end of a turn if consent was withdrawn on the way to it, even
/// if it is back by then. Who has not answered by the deadline sent nothing to be discarded.
pub(super) fn heard(given: &Given<'_>, slot: usize, asked: Millis, begins: bool, end: End) -> End {
    let (at, end) = end;
    let (_, since) = parted(given, slot, asked, begins);
    let withdrawn = since.iter().any(|hearing| hearing.from <= at && !hearing.consent);
    let checked = given.terms.consent_check == ConsentCheck::Both;
    let arrived = end != Err(Failure::Timeout);
    (at, if checked && withdrawn && arrived { Err(Failure::Silenced) } else { end })
}

/// What held up to the moment of asking, and what came since. Where the firing `begins` with asking
/// this hook, only what held before anything happened came before it.
fn parted<'a>(given: &Given<'a>, slot: usize, asked: Millis, begins: bool) -> (&'a [Hearing], &'a [Hearing]) {
    let Some(hearings) = given.hearings.get(slot) else { return (&[], &[]) };
    let later = hearings.iter().skip(1).filter(|hearing| begins || hearing.from > asked).count();
    hearings.split_at(hearings.len() - later)
}
