//! JSON with everything in it that a parser would quietly drop: members given twice (VO-WIRE-11,
//! VO-MAN-12) and lone surrogates (VO-WIRE-10b).

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// A JSON text as it was written.
#[derive(Debug)]
pub(super) enum Json {
    /// Neither a list nor an object.
    Single(Value),
    /// A list.
    List(Vec<Json>),
    /// The members of an object, in the order of the text.
    Members(Vec<(String, Json)>),
}

/// Reads a text.
pub(super) fn read(text: &str) -> Option<Json> {
    serde_json::from_str(text).ok()
}

/// What a text means where the last of several members of one name counts.
pub(super) fn meaning(json: &Json) -> Value {
    match json {
        Json::Single(single) => single.clone(),
        Json::List(items) => items.iter().map(meaning).collect(),
        Json::Members(members) => {
            members.iter().map(|(name, member)| (name.clone(), meaning(member))).collect()
        }
    }
}

/// The pointers of all members that are given more than once, below `place`.
pub(super) fn given_twice(json: &Json, place: &str) -> Vec<String> {
    match json {
        Json::Single(_) => vec![],
        Json::List(items) => {
            let items = items.iter().enumerate();
            items.flat_map(|(index, item)| given_twice(item, &format!("{place}/{index}"))).collect()
        }
        Json::Members(members) => {
            let mut found = vec![];
            for (index, (name, member)) in members.iter().enumerate() {
                let pointer = below(place, name);
                let before = members.iter().take(index);
                if before.filter(|(other, _)| other == name).count() == 1 {
                    found.push(pointer.clone());
                }
                found.extend(given_twice(member, &pointer));
            }
            found
        }
    }
}

/// The JSON Pointer of a member (RFC 6901).
pub(super) fn below(place: &str, name: &str) -> String {
    format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// VO-WIRE-10b, replaced: every escape of a lone surrogate is one of U+FFFD.
pub(super) fn mended(text: &str) -> String {
    let mut mended = String::default();
    let mut rest = text;
    while let Some((before, _)) = rest.split_once('\\') {
        let (_, escape) = rest.split_at(before.len());
        let paired = low(escape.get(6..).unwrap_or_default());
        let (kept, length) = match unit(escape) {
            Some(0xD800..=0xDBFF) if paired => (escape.get(..12), 12),
            Some(0xD800..=0xDFFF) => (Some("\\ufffd"), 6),
            Some(_) => (escape.get(..6), 6),
            // Two bytes: the backslash and what it escapes, as long as that is one byte.
            None => (escape.get(..2), 2),
        };
        mended.push_str(before);
        let Some((kept, after)) = kept.zip(escape.get(length..)) else { return text.to_owned() };
        mended.push_str(kept);
        rest = after;
    }
    mended.push_str(rest);
    mended
}

/// The code unit of an escape `\uXXXX` at the beginning of `text`.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Whether `text` begins with the escape of a low surrogate.
fn low(text: &str) -> bool {
    matches!(unit(text), Some(0xDC00..=0xDFFF))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AsWritten)
    }
}

struct AsWritten;

impl<'de> Visitor<'de> for AsWritten {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Single(Value::Null))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Single(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Single(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Single(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Single(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Single(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = vec![];
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut all = vec![];
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Json::Members(all))
    }
}
