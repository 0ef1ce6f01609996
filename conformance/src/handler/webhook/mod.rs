//! Checking a webhook of Matrices: what a `url` processor is sent, and what it answers.
//!
//! | to find | look in |
//! |---|---|
//! | what a webhook is sent | `input` |
//! | one exchange over HTTP | `exchange` |
//! | what is wrong with an answer | `answer`, and for a HookResult's members `members` |
//! | the acts of an examination | the other files, in the order of [`Exam::acts`] |

mod answer;
mod answers;
mod exchange;
mod hostile;
mod input;
mod latency;
mod members;
mod reach;
mod repeated;
mod together;
mod unicode;

use std::ops::Deref;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use futures::future::BoxFuture;
use hookproof_model::matrices::Point;
use serde_json::Value;
use tokio::time::timeout;

use self::input::Inputs;
use super::Run;
use super::check::Check;
use super::web::Web;

/// The checks of webhooks.
pub(crate) static CHECKS: &[&[&Check]] = &[
    reach::CHECKS,
    answer::CHECKS,
    members::CHECKS,
    answers::CHECKS,
    repeated::CHECKS,
    together::CHECKS,
    latency::CHECKS,
    hostile::CHECKS,
];

/// Checks a webhook.
pub(crate) async fn examine(run: Run<'_>, url: &str, web: &Web) {
    let exam = Exam { run, web, inputs: Inputs::default(), links: AtomicU64::new(1) };
    exam.acts(url).await;
}

/// One examination.
struct Exam<'a> {
    run: Run<'a>,
    web: &'a Web,
    inputs: Inputs,
    links: AtomicU64,
}

/// A HookInput that is answered as it should be.
struct Good {
    point: Point,
    input: Value,
}

impl<'a> Deref for Exam<'a> {
    type Target = Run<'a>;

    fn deref(&self) -> &Run<'a> {
        &self.run
    }
}

impl Exam<'_> {
    async fn acts(&self, url: &str) {
        if self.points().next().is_none() {
            return self.findings.stop("no point was asked for");
        }
        self.progress("reaching the webhook");
        if !reach::examine(self, url).await {
            return;
        }
        self.progress("answers");
        let good = &answers::examine(self).await;
        if good.is_empty() {
            return self.findings.stop("no HookInput is given an answer that counts");
        }
        // What may end a webhook comes last.
        let acts: [(&str, &[&Check], BoxFuture<'_, ()>); 4] = [
            ("latency", latency::CHECKS, Box::pin(latency::examine(self, good))),
            ("deliveries repeated", repeated::CHECKS, Box::pin(repeated::examine(self, good))),
            ("requests at once", together::CHECKS, Box::pin(together::examine(self, good))),
            ("malformed requests", hostile::CHECKS, Box::pin(hostile::examine(self, good))),
        ];
        for (name, checks, act) in acts {
            if self.wants_any(checks) {
                self.progress(name);
                // Something is left for the next one even if this one finds no end.
                let _ = timeout(self.at_most(Duration::MAX), act).await;
            }
        }
    }

    /// The points that were asked for.
    fn points(&self) -> impl Iterator<Item = Point> + Clone {
        Point::ALL.into_iter().filter(|point| self.examines(point.name()))
    }

    /// The user's own HookInputs for a point, each with its number, as deliveries of their own: one that was
    /// delivered before may be answered from memory.
    fn own(&self, point: Point) -> impl Iterator<Item = (usize, Value)> {
        let own = self.plan.inputs.iter().enumerate();
        own.filter(move |(_, input)| input.get("point").and_then(Value::as_str) == Some(point.name()))
            .map(|(index, input)| (index + 1, self.inputs.again(input)))
    }
}
