//! What the user gives: payloads or HookInputs of their own, and the manifest.

use std::path::Path;

use hookproof_model::matrices::Point;
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::voiceos::{EventKind, manifest};
use serde_json::Value;

use crate::cli::CliError;
use crate::cli::check::read_file;
use crate::document;
use crate::handler::Declared;

/// The most bytes of one file of inputs.
const MAX_INPUT: usize = 16 << 20;
/// The most inputs of one file.
const MAX_INPUTS: usize = 10_000;

/// The inputs of a file: payloads of VoiceOS, or HookInputs of Matrices.
pub(super) fn read(path: &Path, is_webhook: bool) -> Result<Vec<Value>, CliError> {
    let refused = |reason: String| CliError::new(format_args!("--input {}: {reason}", path.display()));
    let bytes = read_file(path, MAX_INPUT).map_err(|error| refused(format!("cannot be read: {error}")))?;
    if bytes.len() > MAX_INPUT {
        return Err(refused(format!("has more than {} MiB", MAX_INPUT >> 20)));
    }
    let inputs = match serde_json::from_slice(&bytes) {
        Ok(Value::Array(inputs)) => inputs,
        Ok(input @ Value::Object(_)) => vec![input],
        Ok(_) => return Err(refused("expected a JSON object or a list of them".to_owned())),
        Err(error) => return Err(refused(format!("expected a JSON object or a list of them; {error}"))),
    };
    if inputs.len() > MAX_INPUTS {
        return Err(refused(format!("has more than {MAX_INPUTS} inputs")));
    }
    let events = EventKind::ALL.map(EventKind::name);
    let points = Point::ALL.map(Point::name);
    let (member, known) = if is_webhook { ("point", &points[..]) } else { ("event", &events[..]) };
    for (number, input) in inputs.iter().enumerate() {
        if !input.get(member).and_then(Value::as_str).is_some_and(|name| known.contains(&name)) {
            let found = input.get(member).map_or("nothing".to_owned(), crate::explain::words::value);
            let known = known.join(", ");
            return Err(refused(format!(
                "input {}: `{member}` is {found}; expected one of {known}",
                number + 1
            )));
        }
    }
    Ok(inputs)
}

/// What a manifest declares, or its faults.
pub(super) fn manifest(path: &Path) -> Result<Declared, CliError> {
    let bytes = read_file(path, manifest::MAX_BYTES).map_err(|error| {
        CliError::new(format_args!("--manifest {}: cannot be read: {error}", path.display()))
    })?;
    Ok(document::manifest(&VoiceosReadings::default(), &bytes).map_err(|findings| {
        let told = findings.told.iter().map(|finding| {
            let document::Finding { line, column, clause, message, instead, .. } = finding;
            format!("{}:{line}:{column}: {clause}: {message}; instead: {instead}", path.display())
        });
        told.collect()
    }))
}
