//! Which members of a JSON document are given more than once, and where.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What all pointers that are found may come to, in bytes: each repeats the names that it stands under.
const MAX_POINTERS: usize = 1 << 20;

/// The JSON Pointers of the members that are given more than once, each once, as many as fit into 1 MiB.
/// Of a text that is no JSON, those up to where it stops being any.
#[must_use]
pub fn doubles(text: &str) -> Vec<String> {
    let mut found = Found::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    // What is wrong with the text besides is not asked here.
    let _ = Within { pointer: String::new(), found: &mut found }.deserialize(&mut reader);
    found.pointers
}

#[derive(Default)]
struct Found {
    pointers: Vec<String>,
    bytes: usize,
}

impl Found {
    fn add(&mut self, pointer: String) {
        self.bytes += pointer.len();
        if self.bytes <= MAX_POINTERS {
            self.pointers.push(pointer);
        }
    }
}

/// A value of the document, and where it stands.
struct Within<'f> {
    pointer: String,
    found: &'f mut Found,
}

impl<'de> DeserializeSeed<'de> for Within<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Within<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while items
            .next_element_seed(Within { pointer: format!("{}/{index}", self.pointer), found: self.found })?
            .is_some()
        {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let (mut once, mut twice) = (BTreeSet::new(), BTreeSet::new());
        while let Some(name) = members.next_key::<String>()? {
            if self.found.bytes > MAX_POINTERS {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            let pointer = format!("{}/{}", self.pointer, crate::fault::segment(&name));
            if !once.insert(name.clone()) && twice.insert(name) {
                self.found.add(pointer.clone());
            }
            members.next_value_seed(Within { pointer, found: self.found })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_double_is_told_once_wherever_it_stands() {
        let text = r#"{"a": 1, "b": [{"c/d": 1, "c/d": {"e": 1, "e": 2}}], "a": 2, "a": 3}"#;
        assert_eq!(doubles(text), ["/b/0/c~1d", "/b/0/c~1d/e", "/a"]);
        assert_eq!(doubles(r#"{"a": {"b": 1}, "c": {"b": 1}}"#), Vec::<String>::new());
    }

    #[test]
    fn names_that_are_repeated_in_every_pointer_are_bounded() {
        let inner: String = (0..10_000).map(|n| format!(r#""{n}": 1, "{n}": 2, "#)).collect();
        let text = format!(r#"{{"{}": {{{inner}"z": 1}}}}"#, "x".repeat(100_000));
        assert!(doubles(&text).iter().map(String::len).sum::<usize>() <= MAX_POINTERS);
    }
}
