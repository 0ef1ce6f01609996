//! Whether a call that would run asks first: VO-CONF-1, VO-CONF-3, VO-CONF-4.
//!
//! A join over what policy, lock and hook ask for. Only the user's own *never* can be read as
//! standing above a hook, and nothing stands above a lock.

use crate::reading::VoiceosReadings;
use crate::reading::voiceos::AskingOff;
use crate::script::voiceos::Policy;

/// Whether a card is due before the tool runs.
#[must_use]
pub fn asks(readings: &VoiceosReadings, policy: Policy, locked: bool, hook: bool) -> bool {
    let hook_counts = policy != Policy::Never || readings.asking_off == AskingOff::Add;
    locked || policy == Policy::Ask || hook && hook_counts
}
