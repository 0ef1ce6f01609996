//! Additional context for the model: VO-FOLD-10. Concatenation in chain order.

use crate::reading::shared::Contexts;

/// Adds what a hook gave to what those before it gave.
pub fn add(mode: Contexts, contexts: &mut Vec<String>, next: &str) {
    if mode == Contexts::Last {
        contexts.clear();
    }
    contexts.push(next.to_owned());
}
