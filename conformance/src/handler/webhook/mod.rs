//! Checking a webhook of Matrices.

use super::Run;
use super::check::Check;
use super::web::Web;

/// The checks of webhooks.
pub(crate) static CHECKS: &[&[&Check]] = &[];

/// Checks a webhook.
pub(crate) async fn examine(_run: Run<'_>, _url: &str, _web: &Web) {}
