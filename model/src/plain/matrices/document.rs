//! JSON as somebody wrote it: one document, and the members that it gives twice (MX-VAL-17, MX-FAIL-3).

use std::cell::RefCell;
use std::fmt::Formatter;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A document.
pub(super) struct Document {
    /// What it says; of a member that is given twice, the last counts.
    pub(super) value: Value,
    /// The pointers of the members that are given once more, in the order in which they are written.
    pub(super) doubled: Vec<String>,
}

/// Reads a text that is one JSON document, and nothing before or behind it but white space.
pub(super) fn read(text: &str) -> Option<Document> {
    let doubled = RefCell::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Place { pointer: String::default(), doubled: &doubled }.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(Document { value, doubled: doubled.into_inner() })
}

/// The JSON Pointer (RFC 6901) of a member of what is at `pointer`.
pub(super) fn member(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The JSON Pointer of an item of what is at `pointer`.
pub(super) fn item(pointer: &str, index: usize) -> String {
    format!("{pointer}/{index}")
}

/// A place in a document that is being read.
struct Place<'a> {
    pointer: String,
    doubled: &'a RefCell<Vec<String>>,
}

impl Place<'_> {
    fn within(&self, pointer: String) -> Place<'_> {
        Place { pointer, doubled: self.doubled }
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = vec![];
        while let Some(next) = access.next_element_seed(self.within(item(&self.pointer, items.len())))? {
            items.push(next);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Map::default();
        while let Some(name) = access.next_key::<String>()? {
            let pointer = member(&self.pointer, &name);
            let next = access.next_value_seed(self.within(pointer.clone()))?;
            let is_double = members.insert(name, next).is_some();
            if is_double && !self.doubled.borrow().contains(&pointer) {
                self.doubled.borrow_mut().push(pointer);
            }
        }
        Ok(members.into())
    }
}
