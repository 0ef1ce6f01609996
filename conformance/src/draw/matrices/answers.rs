//! What Matrices hooks answer, and the conditions they are under.

use hookproof_model::matrices::Point;
use serde_json::{Value, json};

use crate::draw::Random;
use crate::draw::values::{number, object, put, text, value};

/// A HookResult; decisions other than defer only if it may decide.
pub(super) fn result(random: &mut Random, point: Point, decides: bool) -> Value {
    let decision = if decides {
        random.weighted(&[(10, "defer"), (12, "allow"), (12, "deny"), (1, "Allow")])
    } else {
        "defer"
    };
    let mut result = json!({ "decision": decision });
    if random.chance(3) {
        result = json!({});
    }
    if random.chance(50) {
        put(
            &mut result,
            point.rewrite_member(),
            match point {
                Point::BeforeInput | Point::AfterOutput => json!(text(random)),
                Point::BeforeToolCall => Value::Object(object(random)),
                Point::AfterToolCall => value(random),
            },
        );
        if random.chance(5) {
            put(&mut result, point.rewrite_member(), Value::Null);
        }
    }
    if random.chance(5) {
        put(&mut result, random.pick(&["updatedText", "updatedInput", "updatedOutput"]), json!("elsewhere"));
    }
    if random.chance(20) {
        put(&mut result, "reason", json!(text(random)));
    }
    if random.chance(5) {
        put(&mut result, "confidence", json!(0.5));
    }
    result
}

/// A condition, on a member that may be there.
pub(super) fn condition(random: &mut Random, point: Point) -> Value {
    let subject = point.subject();
    let path = match random.below(10) {
        0 => "tool".to_owned(),
        1 => "missing.member".to_owned(),
        2 => "point".to_owned(),
        3 => format!("{subject}.tags.0"),
        _ if subject == "text" => subject.to_owned(),
        4..8 => format!("{subject}.amount"),
        _ => format!("{subject}.note"),
    };
    let operator = random.pick(&[
        "eq",
        "gte",
        "lte",
        "eq",
        "neq",
        "in",
        "not_in",
        "gt",
        "gte",
        "lt",
        "lte",
        "contains",
        "starts_with",
        "exists",
    ]);
    let value = match operator {
        "in" | "not_in" => json!([number(random), text(random), 100]),
        "exists" => json!(random.chance(70)),
        "contains" | "starts_with" => json!(random.pick(&["o", "x", "order", "billing"])),
        // The numbers that values hold most often, in both spellings.
        _ if random.chance(30) => {
            if random.chance(50) {
                json!(100)
            } else {
                json!(100.0)
            }
        }
        _ if random.chance(70) => number(random),
        _ => json!(text(random)),
    };
    json!({ "path": path, "operator": operator, "value": value })
}
