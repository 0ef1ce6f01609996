//! Where a url processor may be: MX-VAL-10a, MX-VAL-10b.

use url::Url;

use crate::reading::matrices::UrlParsing;

/// MX-VAL-10a: over HTTPS anywhere, over plain HTTP at `localhost`, on any port.
pub(super) fn is_allowed(address: &str, parsing: UrlParsing) -> bool {
    match parsing {
        UrlParsing::Whatwg => as_resolved(address),
        UrlParsing::AsWritten => as_written(address),
    }
    .unwrap_or(false)
}

/// Judged by the request that would be sent.
fn as_resolved(address: &str) -> Option<bool> {
    let url = address.parse::<Url>().ok()?;
    let host = url.host_str()?;
    Some(url.scheme() == "https" || (url.scheme() == "http" && host == "localhost"))
}

/// Judged letter for letter: by what stands before `://`, and from there to the path, the query or
/// the fragment.
fn as_written(address: &str) -> Option<bool> {
    let (scheme, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let is_localhost = host == "localhost" && port.chars().all(|digit| digit.is_ascii_digit());
    Some((scheme == "https" && !authority.is_empty()) || (scheme == "http" && is_localhost))
}
