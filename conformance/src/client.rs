//! What every HTTP client here has in common: which URLs and headers can be sent, the connector, and what a
//! missing response is called.

use std::error::Error as _;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper_util::client::legacy::Error;
use hyper_util::client::legacy::connect::HttpConnector;
use url::Url;

use crate::words::root;

/// Connects to where a URL points.
#[cfg(feature = "tls")]
pub(crate) type Connector = hyper_rustls::HttpsConnector<HttpConnector>;
/// Connects to where a URL points.
#[cfg(not(feature = "tls"))]
pub(crate) type Connector = HttpConnector;

/// An `http` URL, or with the feature `tls` an `https` one, that requests can be sent to.
pub(crate) fn check_url(url: &str) -> Result<Url, String> {
    let parsed = Url::parse(url).map_err(|error| format!("not a URL: {error}"))?;
    match parsed.scheme() {
        "http" => {}
        "https" if cfg!(feature = "tls") => {}
        "https" => {
            return Err(
                "this build speaks no TLS; build it with `--features tls`, or name an http:// URL".to_owned()
            );
        }
        scheme => return Err(format!("expected an http:// or https:// URL, found the scheme `{scheme}`")),
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err("credentials in the URL are not sent; send a header instead".to_owned());
    }
    Ok(parsed)
}

/// Headers as the wire takes them.
pub(crate) fn check_headers(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let key = name.parse::<HeaderName>().map_err(|_| format!("`{name}` is no header name"))?;
        let value = HeaderValue::from_str(value)
            .map_err(|_| format!("the value of the header `{name}` cannot be sent"))?;
        map.append(key, value);
    }
    Ok(map)
}

pub(crate) fn connector() -> Result<Connector, String> {
    let mut tcp = HttpConnector::new();
    tcp.set_nodelay(true);
    #[cfg(feature = "tls")]
    {
        tcp.enforce_http(false);
        let tls = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(tls()?);
        Ok(tls.https_or_http().enable_http1().wrap_connector(tcp))
    }
    #[cfg(not(feature = "tls"))]
    Ok(tcp)
}

/// TLS by ring, against Mozilla's roots, whatever provider the process has installed.
#[cfg(feature = "tls")]
pub(crate) fn tls() -> Result<rustls::ClientConfig, String> {
    use hyper_rustls::ConfigBuilderExt;

    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let versions =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(|error| format!("cannot set up TLS: {error}"))?;
    Ok(builder.with_webpki_roots().with_no_client_auth())
}

/// What came when no response did.
pub(crate) fn without_response(error: &Error) -> String {
    let cause = root(error);
    if error.is_connect() {
        return format!("could not be connected to: {cause}");
    }
    let hyper = error.source().and_then(|source| source.downcast_ref::<hyper::Error>());
    match hyper {
        Some(error) if error.is_incomplete_message() => "closed the connection without an answer".to_owned(),
        Some(error) if error.is_parse() => format!("answered with what is not HTTP: {cause}"),
        _ => format!("broke the connection off before an answer: {cause}"),
    }
}
