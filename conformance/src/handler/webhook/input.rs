//! What webhooks are sent: for each point a HookInput whose value is empty, one with all that a value may
//! hold, and others beside. All are put together by the model (MX-WIRE-1).

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use hookproof_model::matrices::Point;
use hookproof_model::matrices::wire::{MAX_BODY, frame, hook_input, parts};
use hookproof_model::script::matrices::Event;
use serde_json::{Map, Value, json};

/// The tool that is called: the one that the Matrices page names.
const TOOL: &str = "payments.transfer";
/// How many bytes of the longest body are left to what stands around the text.
const AROUND: usize = 4096;

/// Builds HookInputs, each with a `deliveryId` of its own.
pub(super) struct Inputs {
    /// Tells this run's deliveries from those of others, which a webhook may remember.
    run: u128,
    next: AtomicU64,
}

impl Default for Inputs {
    fn default() -> Self {
        let run = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
        Self { run, next: AtomicU64::new(1) }
    }
}

impl Inputs {
    /// A HookInput whose value is empty.
    pub(super) fn minimal(&self, point: Point) -> Value {
        let (text, tool) = (String::new(), TOOL.to_owned());
        self.of(&match point {
            Point::BeforeInput => Event::BeforeInput { text },
            Point::BeforeToolCall => Event::BeforeToolCall { tool, input: Map::new() },
            Point::AfterToolCall => Event::AfterToolCall { tool, output: Value::Null },
            Point::AfterOutput => Event::AfterOutput { text },
        })
    }

    /// A HookInput such as a platform delivers every day, with values of every type.
    pub(super) fn full(&self, point: Point) -> Value {
        let tool = TOOL.to_owned();
        self.of(&match point {
            Point::BeforeInput => {
                Event::BeforeInput { text: "Please pay the invoice of the caterer.\nThanks!".to_owned() }
            }
            Point::BeforeToolCall => Event::BeforeToolCall { tool, input: value() },
            Point::AfterToolCall => Event::AfterToolCall { tool, output: Value::Object(value()) },
            Point::AfterOutput => {
                Event::AfterOutput { text: "The invoice is paid.\n\n* 12.5 EUR\n* today".to_owned() }
            }
        })
    }

    /// A full HookInput with members that no version has yet.
    pub(super) fn future(&self, point: Point) -> Value {
        with(self.full(point), "hookproofAdded", json!({ "since": 2, "values": [null, "x"] }))
    }

    /// A HookInput around this text.
    pub(super) fn text(&self, point: Point, text: &str) -> Value {
        let members = || Map::from_iter([("text".to_owned(), json!(text))]);
        let tool = TOOL.to_owned();
        self.of(&match point {
            Point::BeforeInput => Event::BeforeInput { text: text.to_owned() },
            Point::BeforeToolCall => Event::BeforeToolCall { tool, input: members() },
            Point::AfterToolCall => Event::AfterToolCall { tool, output: Value::Object(members()) },
            Point::AfterOutput => Event::AfterOutput { text: text.to_owned() },
        })
    }

    /// A HookInput that is about as long as bodies may be, so that a rewrite of its text is not longer.
    pub(super) fn large(&self, point: Point) -> Value {
        self.text(point, &"0123456789abcde ".repeat((MAX_BODY - AROUND) / 16))
    }

    /// A value nested as deep as values of the contract go; texts are not nested.
    pub(super) fn deep(&self, point: Point, levels: usize) -> Option<Value> {
        if !point.is_tool_point() {
            return None;
        }
        let nested = (0..levels).fold(json!("deep"), |value, _| json!({ "a": value }));
        Some(with(self.full(point), point.subject(), nested))
    }

    /// HookInputs with an output of every type, by the type's name.
    pub(super) fn outputs(&self, point: Point) -> Vec<(&'static str, Value)> {
        if point != Point::AfterToolCall {
            return Vec::new();
        }
        let outputs = [
            ("a string", json!("Done.")),
            ("a list", json!([1, "two", { "three": 3 }])),
            ("a number", json!(-0.5)),
            ("a boolean", json!(false)),
        ];
        let of = |output| self.of(&Event::AfterToolCall { tool: TOOL.to_owned(), output });
        outputs.map(|(kind, output)| (kind, of(output))).into()
    }

    /// The same HookInput as another delivery.
    pub(super) fn again(&self, input: &Value) -> Value {
        with(input.clone(), "deliveryId", json!(self.delivery()))
    }

    fn of(&self, event: &Event) -> Value {
        let (point, tool, sees) = parts(event);
        hook_input(&frame(point, "thr_hookproof", tool), point, "hookproof", &self.delivery(), sees)
    }

    fn delivery(&self) -> String {
        format!("dlv_{}_{}", self.run, self.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// A HookInput with another value of this member.
pub(super) fn with(mut input: Value, name: &str, value: Value) -> Value {
    if let Some(members) = input.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
    input
}

/// Members of every type, with numbers as far as JSON's go everywhere.
fn value() -> Map<String, Value> {
    Map::from_iter([
        ("to".to_owned(), json!("The caterer")),
        ("amount".to_owned(), json!(12.5)),
        ("currency".to_owned(), json!("EUR")),
        ("number".to_owned(), json!(9_007_199_254_740_991_i64)),
        ("urgent".to_owned(), json!(false)),
        ("until".to_owned(), Value::Null),
        ("lines".to_owned(), json!([{ "what": "lunch", "price": 10 }, { "what": "tip", "price": 2.5 }, []])),
    ])
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Point::BeforeInput, &["deliveryId", "hookId", "point", "text", "threadId"])]
    #[case(Point::BeforeToolCall, &["deliveryId", "hookId", "input", "point", "threadId", "tool"])]
    #[case(Point::AfterToolCall, &["deliveryId", "hookId", "output", "point", "threadId", "tool"])]
    #[case(Point::AfterOutput, &["deliveryId", "hookId", "point", "text", "threadId"])]
    fn an_input_has_the_members_of_its_point_and_an_id_of_its_own(
        #[case] point: Point,
        #[case] members: &[&str],
    ) {
        let inputs = Inputs::default();
        let all = [inputs.minimal(point), inputs.full(point), inputs.text(point, "x")];
        for input in &all {
            let mut found: Vec<_> = input.as_object().unwrap().keys().map(String::as_str).collect();
            found.sort_unstable();
            assert_eq!(found, members);
        }
        assert_ne!(all[0]["deliveryId"], all[1]["deliveryId"]);
        assert_ne!(inputs.again(&all[0])["deliveryId"], all[0]["deliveryId"]);
        assert!(inputs.full(point).to_string().is_ascii());
    }

    #[test]
    fn a_large_input_is_as_long_as_bodies_may_be() {
        for point in Point::ALL {
            let length = Inputs::default().large(point).to_string().len();
            assert!((MAX_BODY - AROUND..=MAX_BODY).contains(&length), "{length}");
        }
    }
}
