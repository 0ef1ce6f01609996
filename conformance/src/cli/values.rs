//! Values of options that several verbs take.

use std::time::Duration;

/// A header, `Name: value`.
pub(super) fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected `Name: value`".to_owned()),
    }
}

/// A length of time, such as 10s or 500ms.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|error| format!("{error}; try 10s or 500ms"))?;
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    if duration.is_zero() || duration > DAY {
        return Err("expected more than no time and at most 24h".to_owned());
    }
    Ok(duration)
}
