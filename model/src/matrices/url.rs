//! Where a url processor may be: MX-VAL-10a, MX-VAL-10b.

use url::{Host, Url};

use crate::reading::matrices::UrlParsing;

/// Whether a HookInput may be delivered to this URL: HTTPS, or http to exactly `localhost`.
#[must_use]
pub fn is_allowed(parsing: UrlParsing, url: &str) -> bool {
    match parsing {
        UrlParsing::Whatwg => Url::parse(url).is_ok_and(|url| match url.scheme() {
            "https" => url.host().is_some(),
            "http" => url.host() == Some(Host::Domain("localhost")),
            _ => false,
        }),
        UrlParsing::AsWritten => {
            let ends = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?', '#']);
            let local = |rest: &str| {
                let port =
                    rest.strip_prefix(':').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
                ends(port.unwrap_or(rest))
            };
            url.strip_prefix("https://").is_some_and(|rest| !ends(rest))
                || url.strip_prefix("http://localhost").is_some_and(local)
        }
    }
}
