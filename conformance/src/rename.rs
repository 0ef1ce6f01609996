//! Renaming: before each run, the names and texts of a script are exchanged consistently, so that
//! no candidate can answer from a table of the published vectors.
//!
//! Words are spelled in another alphabet: a permutation of the letters, drawn from the seed and kept
//! in case. That keeps what the rules look at: which names are equal, which are prefixes of which,
//! where their dots are. Words that the formats themselves use are left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use schemars::schema_for;
use serde_json::{Map, Value};

use hookproof_model::script::{Script, Transcript};

/// Words of manifests, profiles, payloads and results, beside those of the script's own schema.
const WIRE_WORDS: &str = "schemaVersion id version name summary publisher runtime permissions tools hooks kind scope apps
    local remote mcp hosted url command args network notify background store webhook domains transcript agent dictation
    all own description hookApiVersion event frontmostApp targetApp bundleId rawTranscript detectedLanguage
    audioDurationMs sessionId toolName result text source voice responseText status done failed
    decision updatedText updatedArgs updatedResult additionalContext requireConfirmation view blocks reason
    continue block handled voiceos hook pre tool use post turn complete isError type content image data mimeType
    configuration point match where path operator value processor client onFailure asyncTimeoutMs timeoutMs
    fail closed open before after input output call eq neq in not gt gte lt lte contains starts with exists
    deliveryId hookId threadId updatedInput updatedOutput defer allow deny approve true false null
    https HTTPS http localhost xn www json";

/// Members whose values are codes and not words.
const CODES: [&str; 3] = ["detectedLanguage", "bytes_b64", "version"];

/// So many alphabets are drawn in the hope of one that makes no reserved word.
const MAX_DRAWS: usize = 64;

/// Every word that the formats use.
static RESERVED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut words: BTreeSet<String> = WIRE_WORDS.split_whitespace().map(str::to_owned).collect();
    for schema in [schema_for!(Script), schema_for!(Transcript)] {
        schema_words(schema.as_value(), &mut words);
    }
    words
});

/// The property names and constants of a schema, as words.
fn schema_words(schema: &Value, words: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                properties.keys().for_each(|name| {
                    each_word(name, |word| {
                        words.insert(word.to_owned());
                    })
                });
            }
            let constants = members
                .get("const")
                .into_iter()
                .chain(members.get("enum").and_then(Value::as_array).into_iter().flatten());
            for constant in constants.filter_map(Value::as_str) {
                each_word(constant, |word| {
                    words.insert(word.to_owned());
                });
            }
            members.values().for_each(|member| schema_words(member, words));
        }
        Value::Array(items) => items.iter().for_each(|item| schema_words(item, words)),
        _ => {}
    }
}

/// One consistent exchange of names, and the way back.
#[derive(Debug, Clone, Default)]
pub struct Renaming {
    there: BTreeMap<String, String>,
    back: BTreeMap<String, String>,
}

impl Renaming {
    /// The renaming of a script (or of anything else in JSON) by a seed. Words in `kept` stay.
    #[must_use]
    pub fn of(script: &Value, seed: u64, kept: &BTreeSet<String>) -> Self {
        let mut words = BTreeSet::new();
        visit(script, &mut |text| {
            each_word(text, |word| {
                if !RESERVED.contains(word) && !kept.contains(word) {
                    words.insert(word.to_owned());
                }
            });
        });
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let taken = |word: &str| RESERVED.contains(word) || kept.contains(word);
        let mut draws = 0;
        loop {
            draws += 1;
            let mut alphabet: Vec<u8> = (b'a'..=b'z').collect();
            alphabet.shuffle(&mut random);
            let there: BTreeMap<_, _> =
                words.iter().map(|word| (word.clone(), respell(word, &alphabet))).collect();
            // A word that came out as one of the formats', or of those that stay, would change meaning.
            let mut there = there;
            if there.values().any(|word| taken(word)) {
                if draws < MAX_DRAWS {
                    continue;
                }
                // No alphabet may do: then what collides is made longer until it does not.
                let mut used: BTreeSet<String> = there.values().cloned().collect();
                for word in there.values_mut().filter(|word| taken(word)) {
                    while taken(word) || used.contains(word) {
                        word.push('q');
                    }
                    used.insert(word.clone());
                }
            }
            let back = there.iter().map(|(from, to)| (to.clone(), from.clone())).collect();
            return Self { there, back };
        }
    }

    /// A value in the renaming's words.
    #[must_use]
    pub fn there(&self, value: &Value) -> Value {
        exchange(value, &self.there)
    }

    /// A renamed value in its own words.
    #[must_use]
    pub fn back(&self, value: &Value) -> Value {
        exchange(value, &self.back)
    }
}

/// The words of a text that only a vocabulary decides on: to keep a catalogue's names, say.
#[must_use]
pub fn words_of(value: &Value) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    visit(value, &mut |text| {
        each_word(text, |word| {
            words.insert(word.to_owned());
        })
    });
    words
}

fn respell(word: &str, alphabet: &[u8]) -> String {
    let letter =
        |letter: u8, base: u8| alphabet.get(usize::from(letter - base)).map_or(letter, |to| to - b'a' + base);
    word.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' => char::from(letter(byte, b'a')),
            b'A'..=b'Z' => char::from(letter(byte, b'A')),
            _ => char::from(byte),
        })
        .collect()
}

/// Visits every text of a value: names and values of members, but for codes.
fn visit(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(items) => items.iter().for_each(|item| visit(item, see)),
        Value::Object(members) => {
            for (name, member) in members {
                see(name);
                if !CODES.contains(&name.as_str()) {
                    visit(member, see);
                }
            }
        }
        _ => {}
    }
}

fn exchange(value: &Value, words: &BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => Value::String(exchange_text(text, words)),
        Value::Array(items) => items.iter().map(|item| exchange(item, words)).collect(),
        Value::Object(members) => {
            let mut exchanged = Map::new();
            for (name, member) in members {
                let code = CODES.contains(&name.as_str());
                let member = if code { member.clone() } else { exchange(member, words) };
                exchanged.insert(exchange_text(name, words), member);
            }
            Value::Object(exchanged)
        }
        other => other.clone(),
    }
}

fn exchange_text(text: &str, words: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    pieces(text, |piece, is_word| {
        let word = if is_word { words.get(piece) } else { None };
        out.push_str(word.map_or(piece, String::as_str));
    });
    out
}

fn each_word(text: &str, mut see: impl FnMut(&str)) {
    pieces(text, |piece, is_word| {
        if is_word {
            see(piece);
        }
    });
}

/// Splits a text into words (ASCII letters and digits that begin with a letter) and what is between
/// them. JSON escapes stand between: scripts carry raw JSON in texts. So does a label of punycode, whose
/// letters are code: another spelling stands for other characters, or for none.
fn pieces(text: &str, mut see: impl FnMut(&str, bool)) {
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let (length, is_word) = match first {
            b'\\' => (escape_length(rest), false),
            _ if is_punycode(rest) => (rest.bytes().take_while(is_of_label).count(), false),
            byte if byte.is_ascii_alphanumeric() => {
                let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
                (length, byte.is_ascii_alphabetic())
            }
            _ => (
                rest.bytes().take_while(|byte| !byte.is_ascii_alphanumeric() && *byte != b'\\').count(),
                false,
            ),
        };
        let (piece, behind) = rest.split_at(length);
        see(piece, is_word);
        rest = behind;
    }
}

/// Whether a label of punycode begins here: `xn--` behind what is no part of a word.
fn is_punycode(text: &str) -> bool {
    text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"))
}

fn is_of_label(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'-'
}

fn escape_length(text: &str) -> usize {
    let is_unicode =
        text.starts_with("\\u") && text.bytes().skip(2).take(4).filter(u8::is_ascii_hexdigit).count() == 4;
    if is_unicode { 6 } else { text.char_indices().nth(2).map_or(text.len(), |(end, _)| end) }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn renaming(value: &Value) -> Renaming {
        Renaming::of(value, 7, &BTreeSet::new())
    }

    #[test]
    fn a_renaming_leads_there_and_back() {
        let script = json!({ "steps": [{ "fire": { "firing": "refund", "answers": { "guard.Refund": { "after_ms": 5 } } } }] });
        let renaming = renaming(&script);
        let renamed = renaming.there(&script);
        assert_ne!(renamed, script);
        assert_eq!(renamed["steps"][0]["fire"]["answers"].as_object().unwrap().len(), 1);
        assert_eq!(renaming.back(&renamed), script);
    }

    #[test]
    fn equal_names_stay_equal_and_prefixes_stay_prefixes() {
        let script = json!(["billing.charge", "billing.*", "Billing", "bill"]);
        let renamed = renaming(&script).there(&script);
        let [charge, all, upper, bill] = [0, 1, 2, 3].map(|index| renamed[index].as_str().unwrap());
        assert!(charge.starts_with(all.trim_end_matches('*')));
        assert!(upper.eq_ignore_ascii_case(all.trim_end_matches(".*")));
        assert!(all.starts_with(bill));
    }

    #[test]
    fn a_renaming_is_found_even_where_every_short_word_is_taken() {
        let letters = || (b'a'..=b'z').map(char::from);
        let kept: BTreeSet<String> = letters()
            .flat_map(|a| letters().map(move |b| format!("{a}{b}")))
            .chain(letters().map(String::from))
            .collect();
        let script = json!(["we", "do", "x", "order"]);
        let kept = kept.into_iter().filter(|word| !["we", "do", "x"].contains(&word.as_str())).collect();
        let renaming = Renaming::of(&script, 7, &kept);
        let renamed = renaming.there(&script);
        assert_eq!(renaming.back(&renamed), script);
        assert!(renamed.as_array().unwrap().iter().all(|word| !kept.contains(word.as_str().unwrap())));
    }

    #[test]
    fn labels_of_punycode_stay() {
        let script = json!("https://shop.xn--bcher-kva.example/xn/h https://XN--BCHER-kva/");
        let renamed = renaming(&script).there(&script);
        let renamed = renamed.as_str().unwrap();
        assert!(renamed.contains(".xn--bcher-kva.") && renamed.contains("//XN--BCHER-kva/"), "{renamed}");
        assert!(!renamed.contains("shop") && !renamed.contains("example"), "{renamed}");
        assert_eq!(renaming(&script).back(&json!(renamed)), script);
    }

    #[test]
    fn words_of_the_formats_stay() {
        let script = json!({ "fire": { "event": { "preToolUse": { "args": { "voiceos_hook_transcript": "fail_open" } } } } });
        assert_eq!(renaming(&script).there(&script), script);
    }

    #[test]
    fn raw_json_in_a_text_stays_json() {
        let raw = r#"{"decision":"deny","reason":"caf\u00e9 \n Zeile \\ 1e5","x":1e5}"#;
        let renamed = renaming(&json!(raw)).there(&json!(raw));
        let parsed: Value = serde_json::from_str(renamed.as_str().unwrap()).unwrap();
        assert_eq!(parsed["decision"], "deny");
        assert!(parsed["reason"].as_str().unwrap().contains('é'));
    }
}
