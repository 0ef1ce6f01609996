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

/// A URL that may be delivered to and says what this one says, or an example of one.
pub(crate) fn allowed_instead(parsing: UrlParsing, url: &str) -> String {
    // A longer one would not be read again by whoever is told.
    const LONGEST: usize = 200;
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let is_plain = bare.starts_with(|first: char| first.is_ascii_alphanumeric())
        && bare.len() <= LONGEST
        && bare.chars().all(|character| character.is_ascii_graphic() && character != '\\');
    Some(format!("https://{bare}"))
        .filter(|near| is_plain && is_allowed(parsing, near))
        .unwrap_or_else(|| "https://hooks.example.com/in".to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("http://hooks.acme.com/in?a=1", "https://hooks.acme.com/in?a=1")]
    #[case("hooks.acme.com", "https://hooks.acme.com")]
    #[case("HTTP://localhost.acme.com", "https://localhost.acme.com")]
    #[case("", "https://hooks.example.com/in")]
    #[case("/in", "https://hooks.example.com/in")]
    #[case("http://a b", "https://hooks.example.com/in")]
    fn what_is_offered_for_a_url_is_allowed(#[case] url: &str, #[case] near: &str) {
        assert_eq!(allowed_instead(UrlParsing::Whatwg, url), near);
        assert!(is_allowed(UrlParsing::Whatwg, near));
    }
}
