//! JSON as the specification takes it: HK-EQ-1, and documents in which no member is given twice.

mod doubles;

use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

pub use doubles::doubles;

/// Whether two values are equal: members unordered, numbers by value (1 is 1.0).
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Compares two numbers by value.
#[must_use]
pub fn compare_numbers(a: &Number, b: &Number) -> Option<Ordering> {
    if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64()) {
        return Some(a.cmp(&b));
    }
    if let (Some(a), Some(b)) = (a.as_u64(), b.as_u64()) {
        return Some(a.cmp(&b));
    }
    a.as_f64()?.partial_cmp(&b.as_f64()?)
}

/// Writes every number that is a whole one as an integer, so that equal values print alike.
pub fn normalize(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(double) = number.as_f64().filter(|_| number.is_f64())
                && double.fract() == 0.0
                && double.abs() <= 9_007_199_254_740_992.0
            {
                #[expect(clippy::cast_possible_truncation, reason = "a whole number within ±2^53")]
                let whole = double as i64;
                *value = Value::from(whole);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(normalize),
        Value::Object(members) => members.values_mut().for_each(normalize),
        _ => {}
    }
}

/// What to make of a member that is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twice {
    /// It spoils the document.
    Fault,
    /// The last one counts.
    LastCounts,
}

/// Reads one JSON document: no BOM, nothing behind it, no lone surrogate, nesting of at most 127.
///
/// # Errors
/// The text is not one such document.
pub fn parse(text: &str, twice: Twice) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Document(twice).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[derive(Clone, Copy)]
struct Document(Twice);

impl<'de> DeserializeSeed<'de> for Document {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let member = map.next_value_seed(self)?;
            if self.0 == Twice::Fault && members.contains_key(&name) {
                return Err(de::Error::custom(format_args!("the member `{name}` is given twice")));
            }
            members.insert(name, member);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!(1), json!(1.0), true)]
    #[case(json!({"a": [1, {"b": 2}], "c": 0}), json!({"c": -0.0, "a": [1.0, {"b": 2}]}), true)]
    #[case(json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64), false)]
    #[case(json!(u64::MAX), json!(u64::MAX), true)]
    #[case(json!("1"), json!(1), false)]
    #[case(json!([1, 2]), json!([2, 1]), false)]
    #[case(json!({"a": null}), json!({}), false)]
    fn values_are_compared_as_json(#[case] a: Value, #[case] b: Value, #[case] equal: bool) {
        assert_eq!(same(&a, &b), equal);
        assert_eq!(same(&b, &a), equal);
    }

    #[rstest]
    #[case(r#"{"a":1,"a":1}"#)]
    #[case("\u{feff}{}")]
    #[case("{} {}")]
    #[case("ok {}")]
    #[case(r#""\ud800""#)]
    #[case("")]
    fn what_is_not_one_document_is_refused(#[case] text: &str) {
        assert!(parse(text, Twice::Fault).is_err());
    }

    #[test]
    fn nesting_is_bounded() {
        assert!(parse(&format!("{}{}", "[".repeat(64), "]".repeat(64)), Twice::Fault).is_ok());
        assert!(parse(&"[".repeat(100_000), Twice::Fault).is_err());
    }

    #[test]
    fn the_last_of_two_members_counts_where_that_is_chosen() {
        assert_eq!(parse(r#"{"a":1,"a":2}"#, Twice::LastCounts).unwrap(), json!({ "a": 2 }));
    }
}
