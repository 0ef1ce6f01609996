//! What moves while a run is under way: on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Progress over one target. It goes to standard error, and nowhere if that is no terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over this many cases of the target called `name`.
    #[must_use]
    pub fn new(name: &str, cases: usize) -> Self {
        let length = u64::try_from(cases).unwrap_or(u64::MAX);
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(crate::abridge::tame(name));
        Self { bar }
    }

    /// One case more is through; so many have failed or errored.
    pub fn advance(&self, failed: usize) {
        self.bar.inc(1);
        if failed > 0 {
            self.bar.set_message(format!("{failed} failed"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Tells what is being done, where it cannot be told how much of it is left.
#[derive(Debug)]
pub struct Doing {
    bar: ProgressBar,
}

impl Doing {
    /// Nothing yet, on the target called `name`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{prefix} {spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(crate::abridge::tame(name));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar }
    }

    /// Now this.
    pub fn now(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
