//! Whether a webhook may be where it is, and whether anybody answers there: MX-VAL-10a.

use hookproof_model::matrices::url::is_allowed;
use hookproof_model::reading::MatricesReadings;

use super::Exam;
use super::answer::{ANSWERS, BODY_IN_TIME, IN_TIME, judge};
use super::exchange::Came;
use crate::handler::check::checks;
use crate::words::quote;

checks! {
    URL = "webhook-url", Must, [Clause("MX-VAL-10a"), Clause("MX-VAL-10b")],
        "The URL is HTTPS, or plain http to exactly `localhost`.";
}

/// Asks once, and once more where that was in vain, at another point if there is one. Whether to go on.
pub(super) async fn examine(exam: &Exam<'_>, url: &str) -> bool {
    exam.findings.judged(&URL);
    if !is_allowed(MatricesReadings::default().url_parsing, url) {
        let message =
            format!("the URL is {}; expected HTTPS, or http to exactly `localhost`", quote(url.as_bytes()));
        exam.findings.broken(&URL, "the URL", message, "a profile with this URL is rejected");
    }
    for (on, point) in ["the first request", "the second request"].into_iter().zip(exam.points().cycle()) {
        let input = exam.inputs.full(point);
        let came = exam.ask(&input).await;
        let judged = judge(point, &input, &came);
        let late = |check| [&ANSWERS, &IN_TIME, &BODY_IN_TIME].contains(&check);
        let Some(flaw) = judged.flaws.iter().find(|flaw| late(flaw.check)) else { return true };
        exam.findings.broken_on(flaw.check, point.name(), on, &flaw.message, &flaw.cost);
        let told = came.told();
        match came {
            Came::Nothing { refused: true, .. } => {
                exam.findings.stop(format!("the webhook {told}"));
                return false;
            }
            _ => exam.findings.judged(flaw.check),
        }
    }
    exam.findings.stop("the first two requests got no answer in time");
    false
}
