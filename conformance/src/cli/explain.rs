//! `hookproof explain`.

use std::io::Read as _;
use std::path::Path;

use hookproof_model::Dialect;
use hookproof_model::script::{Script, Transcript, repeat};
use serde_json::Value;

use super::clauses::{Format, print};
use super::readings::readings;
use super::{CliError, EXIT_OK};
use crate::explain::{Subject, explain};
use crate::mutant::Mutant;
use crate::vector::{self, MAX_FILE, Vector, VectorError, VectorFile};

const EXAMPLES: &str = "\
Examples:
  hookproof explain mx-the-first-non-defer-decision-wins
  hookproof explain vo-transcript-rew            a prefix that only one id has
  hookproof explain my-script.json               a vector file, or {\"matrices\": {\"steps\": […]}}
  hookproof explain - --format json < my-script.json
  hookproof explain vo-without-apps --reading VO-ORDER-1=by-id
  hookproof explain mx-a-deny-stands --by last-decision-wins";

/// Walk through a script step by step
///
/// Says in plain sentences who is asked, what it sees, what it answers when and what that changes,
/// draws a time line of each firing, and cites the clauses that each step puts in question with the
/// quotation they rest on.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The id of a packed vector or the beginning of one, a vector file, a script file, or `-` for
    /// standard input
    #[arg(value_name = "VECTOR-OR-FILE")]
    subject: String,
    /// Take this alternative of a reading; may be given several times
    #[arg(long = "reading", value_name = "CLAUSE=ALTERNATIVE")]
    readings: Vec<String>,
    /// Let this mutant carry it out instead of the specification
    #[arg(long, value_name = "MUTANT")]
    by: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Explains, prints, and gives the exit code.
///
/// # Errors
/// There is no such vector, file, reading or mutant, or the file cannot be used.
pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let subject = find(&args.subject)?;
    let readings = readings(Some(subject.script.dialect()), &args.readings)?;
    let by = args.by.as_deref().map(mutant).transpose()?;
    let explanation = explain(&subject, &readings, by).map_err(CliError::new)?;
    match args.format {
        Format::Text => print(&explanation.to_string())?,
        Format::Json => print(&pretty(&explanation)?)?,
    }
    Ok(EXIT_OK)
}

/// A document as JSON with an end of line.
pub(super) fn pretty(document: &impl serde::Serialize) -> Result<String, CliError> {
    serde_json::to_string_pretty(document).map(|text| format!("{text}\n")).map_err(CliError::new)
}

fn mutant(name: &str) -> Result<&'static Mutant, CliError> {
    Mutant::named(name).ok_or_else(|| {
        let names: Vec<_> = Mutant::all().map(|mutant| mutant.name).collect();
        CliError::new(format_args!("no mutant is called `{name}`{}", nearest(name, &names)))
    })
}

/// What the argument names: a packed vector, a file, or standard input.
fn find(name: &str) -> Result<Subject, CliError> {
    if name == "-" {
        let mut text = String::new();
        let read = std::io::stdin().lock().take(MAX_FILE + 1).read_to_string(&mut text);
        read.map_err(|error| CliError::new(format_args!("standard input: {error}")))?;
        return read_text(Path::new("standard input"), &text).map_err(CliError::new);
    }
    let vectors = vector::packed().map_err(CliError::new)?;
    let begins: Vec<_> = vectors.iter().filter(|vector| vector.id().starts_with(name)).collect();
    let exact = begins.iter().find(|vector| vector.id() == name);
    match (exact, begins.as_slice()) {
        (Some(vector), _) | (None, [vector]) => return Ok(Subject::from(*vector)),
        _ => {}
    }
    let path = Path::new(name);
    if path.is_file() || name.contains(std::path::MAIN_SEPARATOR) || name.ends_with(".json") {
        return vector::read_bounded(path).and_then(|text| read_text(path, &text)).map_err(CliError::new);
    }
    let ids: Vec<_> = vectors.iter().map(Vector::id).collect();
    Err(if begins.is_empty() {
        CliError::new(format_args!("no vector and no file is called `{name}`{}", nearest(name, &ids)))
    } else {
        let shown: Vec<_> = begins.iter().take(8).map(|vector| vector.id()).collect();
        let more = begins.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        CliError::new(format_args!("`{name}` begins several ids: {}{more}", shown.join(", ")))
    })
}

/// The names nearest to one that there is not, as the end of a message.
pub(super) fn nearest(name: &str, names: &[&str]) -> String {
    let mut near: Vec<_> = names.iter().map(|known| (remoteness(name, known), *known)).collect();
    near.sort_unstable();
    let near: Vec<_> = near.into_iter().take(3).map(|(_, known)| known).collect();
    if near.is_empty() { String::new() } else { format!("; the nearest: {}", near.join(", ")) }
}

/// The changes from one name to another, in thousandths of the longer one.
fn remoteness(a: &str, b: &str) -> usize {
    distance(a, b) * 1000 / a.chars().count().max(b.chars().count()).max(1)
}

/// How many characters must change to make one text of the other; parts of a name count as near.
fn distance(a: &str, b: &str) -> usize {
    if b.contains(a) {
        return 0;
    }
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (line, one) in a.chars().enumerate() {
        let mut before = line;
        let mut left = line + 1;
        let mut next = vec![left];
        for (other, above) in b.iter().zip(row.iter().skip(1)) {
            left = (before + usize::from(one != *other)).min(above + 1).min(left + 1);
            before = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// A vector file or a bare script. Unlike a file of a suite, it may be called anything.
fn read_text(path: &Path, text: &str) -> Result<Subject, VectorError> {
    if text.len() as u64 > MAX_FILE {
        return Err(VectorError::new(path, "", format_args!("more than {MAX_FILE} bytes")));
    }
    let mut value: Value = serde_json::from_str(text)
        .map_err(|error| VectorError::new(path, "", format_args!("not JSON: {error}")))?;
    repeat::expand(&mut value).map_err(|error| VectorError::new(path, "", error))?;
    if value.get("script").is_none() {
        if !Dialect::ALL.iter().any(|dialect| value.get(dialect.name()).is_some()) {
            let expected = "expected a vector (`script` and `transcript`) or a script, \
                            {\"voiceos\": {\"steps\": […]}} or {\"matrices\": {\"steps\": […]}}";
            return Err(VectorError::new(path, "", expected));
        }
        let script: Script = vector::read_members(path, &value)?;
        return Ok(Subject { id: None, title: String::new(), script, rests_on: Vec::new(), expected: None });
    }
    let file: VectorFile = vector::read_members(path, &value)?;
    let expected = Transcript::read(file.script.dialect(), &file.transcript)
        .map_err(|error| VectorError::new(path, "/transcript", error))?;
    let VectorFile { id, title, rests_on, script, .. } = file;
    Ok(Subject { id: Some(id), title, script, rests_on, expected: Some(expected) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_those_with_the_fewest_changes() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(
            nearest("last-decison", &["all-at-once", "last-decision-wins"]),
            "; the nearest: last-decision-wins, all-at-once"
        );
    }

    #[test]
    fn a_broken_script_is_told_by_file_pointer_and_reason() {
        let told = |text: &str| read_text(Path::new("s.json"), text).unwrap_err().to_string();
        assert!(told("{").starts_with("s.json: /: not JSON: "));
        assert!(told("{}").starts_with("s.json: /: expected a vector"));
        let advance = r#"{"matrices": {"steps": [{"advance": {"by_ms": -1}}]}}"#;
        assert!(told(advance).starts_with("s.json: /matrices/steps/0/advance/by_ms: "), "{}", told(advance));
    }

    #[test]
    fn a_prefix_stands_for_the_one_id_that_begins_with_it() {
        assert_eq!(
            find("mx-the-first-non-defer").unwrap().id.unwrap(),
            "mx-the-first-non-defer-decision-wins"
        );
        assert!(find("mx-").unwrap_err().to_string().starts_with("`mx-` begins several ids: "));
        let unknown = find("mx-the-first-non-defre-decision-win").unwrap_err().to_string();
        assert!(unknown.contains("the nearest: mx-the-first-non-defer-decision-wins"), "{unknown}");
    }
}
