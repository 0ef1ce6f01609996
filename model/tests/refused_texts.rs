//! What is refused is not copied over and over: a script whose answer or manifest comes to nothing allocates
//! no more than a few times the size of the text, whatever is wrong with it.
//!
//! Each script is run with a small text and with one of 1 MiB, and the bytes allocated are compared: all of
//! them, and those in use at one time. The script itself is made outside of what is measured. This binary
//! holds one test, for the profiler counts everybody's bytes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use hookproof_model::reading::Readings;
use hookproof_model::script::Script;
use hookproof_model::{Dialect, run};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const SMALL: usize = 1 << 10;
const LARGE: usize = 1 << 20;

/// The bytes that a run allocates: altogether, and above what is in use before, at one time.
fn allocated(script: &Script, readings: &Readings) -> (u64, u64) {
    // The harness's own thread may allocate meanwhile, but not each time.
    let runs = (0..3).map(|_| {
        let profiler = dhat::Profiler::builder().testing().build();
        let transcript = run(script, readings).unwrap();
        let stats = dhat::HeapStats::get();
        drop(profiler);
        assert!(!transcript.steps().is_empty());
        (stats.total_bytes, stats.max_bytes as u64)
    });
    runs.min().unwrap_or_default()
}

fn manifest(members: Value) -> Value {
    let mut manifest = json!({
        "schemaVersion": 1, "id": "a.b", "version": "1.0.0", "name": "Name", "summary": "Summary.",
        "publisher": { "id": "publisher", "name": "Publisher" }, "runtime": { "kind": "hosted" },
        "permissions": [{ "kind": "transcript", "scope": "all" }], "tools": [{ "name": "send" }],
        "hooks": { "transcript": {} }
    });
    let members: serde_json::Map<_, _> = serde_json::from_value(members).unwrap();
    manifest.as_object_mut().unwrap().extend(members);
    manifest
}

fn installs(manifest: &str) -> Script {
    serde_json::from_value(json!({ "voiceos": { "steps": [{ "install": { "manifest": manifest } }] } }))
        .unwrap()
}

fn answers(answer: Value) -> Script {
    let event = json!({ "transcript": { "transcript": "said", "source": "text" } });
    let fire = json!({ "fire": { "event": event, "answers": { "a.b": answer } } });
    let install = json!({ "install": { "manifest": manifest(json!({})).to_string() } });
    serde_json::from_value(json!({ "voiceos": { "steps": [install, fire] } })).unwrap()
}

/// A title and a script around a text of about this size.
type Case = (&'static str, fn(usize) -> Script);

const CASES: [Case; 17] = [
    ("a string without an end", |size| text(format!(r#"{{"updatedText":"{}"#, "x".repeat(size)))),
    ("escapes before an invalid one", |size| {
        text(format!(r#"{{"updatedText":"{}\x"}}"#, r"\n".repeat(size / 2)))
    }),
    ("a lone surrogate behind a text", |size| {
        text(format!(r#"{{"updatedText":"{}\ud800"}}"#, "x".repeat(size)))
    }),
    ("lone surrogates", |size| text(format!(r#"{{"updatedText":"{}"}}"#, r"\ud800".repeat(size / 6)))),
    ("something behind the document", |size| text(format!(r#"{{"updatedText":"{}"}} x"#, "x".repeat(size)))),
    ("a member of the wrong type", |size| {
        text(format!(r#"{{"reason":1,"updatedText":"{}"}}"#, "x".repeat(size)))
    }),
    ("a text and no object", |size| text(format!("\"{}\"", "x".repeat(size)))),
    ("lists without an end", |size| text("[".repeat(size))),
    ("digits without an end", |size| text("9".repeat(size))),
    ("a member given twice", |size| {
        text(format!(r#"{{"updatedText":"{}","updatedText":""}}"#, "x".repeat(size)))
    }),
    ("a tool error", |size| answers(json!({ "tool_error": "x".repeat(size) }))),
    ("a result that is no object", |size| answers(json!({ "result": "x".repeat(size) }))),
    ("content that is none", |size| {
        answers(json!({ "content": [{ "type": "text", "text": "x".repeat(size) }, 1] }))
    }),
    ("a manifest without an end", |size| installs(&format!("{{\"name\":\"{}", "x".repeat(size)))),
    ("a summary", |size| installs(&manifest(json!({ "summary": "x".repeat(size) })).to_string())),
    ("a hook that is none", |size| {
        installs(&manifest(json!({ "hooks": { "x".repeat(size): {} } })).to_string())
    }),
    ("an id of slashes", |size| installs(&manifest(json!({ "id": "/".repeat(size) })).to_string())),
];

fn text(text: String) -> Script {
    answers(json!({ "text": text }))
}

#[test]
fn what_is_refused_is_copied_a_few_times_at_most() {
    // A text in which surrogates are replaced is a copy, and is kept where it can be read then.
    let bounds = [
        ("VO-WIRE-10b", "failure", 6, 4),
        ("VO-WIRE-11", "failure", 6, 4),
        ("VO-WIRE-10b", "replaced", 8, 5),
    ];
    for (clause, alternative, most, most_at_a_time) in bounds {
        let mut readings = Readings::default();
        readings.set(Dialect::Voiceos, clause, alternative).unwrap();
        let mut copied = 0;
        for (title, script) in CASES {
            let (small, large) = (allocated(&script(SMALL), &readings), allocated(&script(LARGE), &readings));
            assert!(small.0 > 0 && small.1 > 0, "allocations are seen");
            let copies = (large.0 - small.0, large.1 - small.1);
            let size = LARGE as u64;
            assert!(
                copies.0 <= most * size && copies.1 <= most_at_a_time * size,
                "{title}, {clause}={alternative}: {copies:?} bytes more for {size}"
            );
            copied += u32::from(copies.0 > size / 2);
        }
        assert!(copied > 8, "copies are seen: {copied}");
    }
}
