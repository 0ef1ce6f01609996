//! Targets that are no servers, or hostile ones: each is told by one sentence, in the time that was given and in
//! bounded memory, and no process is left behind.

mod commands;
mod measured;
mod urls;

use libtest_mimic::Trial;

pub(crate) use self::commands::serve;

pub(crate) fn trials() -> Vec<Trial> {
    [commands::trials(), urls::trials()].into_iter().flatten().collect()
}
