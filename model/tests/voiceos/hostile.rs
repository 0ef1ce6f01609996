//! Hostile answers and manifests: VO-WIRE-4, 5, 7, 9 and 10, VO-MAN-9.
//!
//! Whatever a server sends and whatever stands in a manifest is told for what it is: taken as it stands, no
//! JSON, or JSON of another shape. Nothing panics, exhausts a small stack, or takes its time. What lies
//! beyond HK-LIMIT-1 (nesting above 64, numbers that are no finite double) no clause decides; it is listed
//! all the same, so that it does not change unnoticed.

mod answers;
mod manifests;
mod texts;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// No table takes longer than this, by far.
fn in_no_time<T>(work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(3), "it took {took:?}");
    done
}

/// On a stack much smaller than any host's.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}

/// So many lists within each other, as text and as what it means.
fn lists(depth: usize) -> (String, Value) {
    let meant = (0..depth).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    (format!("{}null{}", "[".repeat(depth), "]".repeat(depth)), meant)
}

/// So many objects within each other.
fn objects(depth: usize) -> (String, Value) {
    let meant = (0..depth).fold(json!(0), |inner, _| json!({ "a": inner }));
    (format!("{}0{}", r#"{"a":"#.repeat(depth), "}".repeat(depth)), meant)
}

/// Lists and objects in turn, twice as many.
fn mixed(depth: usize) -> (String, Value) {
    let meant = (0..depth).fold(json!(true), |inner, _| json!([{ "a": inner }]));
    (format!("{}true{}", r#"[{"a":"#.repeat(depth), "}]".repeat(depth)), meant)
}
