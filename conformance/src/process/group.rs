//! Process groups: what a process that we start starts itself, ends with it. What leaves the group (by
//! `setsid`, say) is out of reach.

#[cfg(unix)]
use std::sync::{Arc, Mutex, PoisonError};

/// The process group that a child leads.
#[cfg(unix)]
#[derive(Clone)]
pub(crate) struct Group(Arc<Mutex<Option<nix::unistd::Pid>>>);

#[cfg(unix)]
impl Group {
    /// Lets a command lead a group of its own.
    pub(crate) fn lead(command: &mut tokio::process::Command) {
        command.process_group(0);
    }

    /// The group of a process that was started by [`Group::lead`].
    pub(crate) fn led_by(pid: Option<u32>) -> Self {
        let pid = pid.and_then(|pid| i32::try_from(pid).ok());
        Self(Arc::new(Mutex::new(pid.map(nix::unistd::Pid::from_raw))))
    }

    fn signal(&self, signal: Option<nix::sys::signal::Signal>) -> bool {
        let group = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        group.is_some_and(|group| nix::sys::signal::killpg(group, signal).is_ok())
    }

    /// Asks every member to end (SIGTERM).
    pub(crate) fn ask_to_end(&self) {
        self.signal(Some(nix::sys::signal::Signal::SIGTERM));
    }

    /// Makes every member end (SIGKILL).
    pub(crate) fn kill(&self) {
        self.signal(Some(nix::sys::signal::Signal::SIGKILL));
    }

    /// The number of a group without members may be given to another, which is not ours to signal.
    pub(crate) fn forget_if_empty(&self) {
        if !self.signal(None) {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// Without process groups only the child itself is ended.
#[cfg(not(unix))]
#[derive(Clone)]
pub(crate) struct Group;

#[cfg(not(unix))]
impl Group {
    pub(crate) fn lead(_: &mut tokio::process::Command) {}

    /// The group of a process that was started by [`Group::lead`].
    pub(crate) fn led_by(_: Option<u32>) -> Self {
        Self
    }

    /// Asks every member to end (SIGTERM).
    pub(crate) fn ask_to_end(&self) {}

    /// Makes every member end (SIGKILL).
    pub(crate) fn kill(&self) {}

    pub(crate) fn forget_if_empty(&self) {}
}
