//! The OpenAPI document of the script contract against what the reference serves: whatever it does is
//! documented, and whatever is documented it does.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hookproof::reference::{self, Reference};
use hookproof_model::kernel::Spec;
use hookproof_model::reading::Readings;
use pretty_assertions::assert_eq;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/openapi");

fn document() -> Value {
    let text = std::fs::read_to_string(format!("{FOLDER}/script-contract.yaml")).unwrap();
    serde_norway::from_str(&text).unwrap()
}

/// A schema of the document, with what it refers to in its place.
fn resolved(document: &Value, schema: &Value) -> Value {
    match schema["$ref"].as_str() {
        None => schema.clone(),
        Some(reference) => match reference.strip_prefix('#') {
            Some(pointer) => document.pointer(pointer).unwrap().clone(),
            None => {
                let file = std::fs::read_to_string(Path::new(FOLDER).join(reference)).unwrap();
                serde_json::from_str(&file).unwrap()
            }
        },
    }
}

fn assert_fits(document: &Value, schema: &Value, value: &Value, what: &str) {
    let validator = jsonschema::validator_for(&resolved(document, schema)).unwrap();
    let errors: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{what}: {errors:?}");
}

async fn reference() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let contract = Arc::new(Reference { rules: &Spec, readings: Readings::default() });
    tokio::spawn(reference::http::serve(listener, contract, std::future::pending()));
    url
}

fn script(document: &Value) -> Value {
    let examples = "/paths/~1hookproof~1v1~1run/post/requestBody/content/application~1json/examples";
    document.pointer(examples).unwrap()["the first decision wins"]["value"].clone()
}

#[tokio::test]
async fn the_reference_does_what_is_documented_and_nothing_else() {
    let document = document();
    let (url, client) = (reference().await, Client::new());
    let good = script(&document).to_string();
    let large = format!("{{\"x\":\"{}\"}}", "x".repeat(reference::http::MAX_SCRIPT));
    let requests = [
        (Method::GET, "about", String::new()),
        (Method::POST, "run", good),
        (Method::POST, "run", "{".to_owned()),
        (Method::POST, "run", json!({ "matrices": { "steps": [{ "sing": {} }] } }).to_string()),
        (Method::POST, "run", String::new()),
        (Method::POST, "run", large),
    ];
    let mut seen = BTreeSet::new();
    for (method, name, body) in requests {
        let path = format!("/hookproof/v1/{name}");
        let what = format!("{method} {path} {:.40}", body);
        let request = client.request(method.clone(), format!("{url}{path}")).body(body);
        let response = request.header("content-type", "application/json").send().await.unwrap();
        let status = response.status().as_u16().to_string();
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        let body: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        let operation = &document["paths"][&path][method.as_str().to_lowercase()];
        let documented = &operation["responses"][&status]["content"][&kind];
        assert!(documented.is_object(), "{what}: status {status} as {kind} is not documented");
        assert_fits(&document, &documented["schema"], &body, &what);
        seen.insert(format!("{path} {} {status}", method.as_str().to_lowercase()));
    }
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            for status in operation["responses"].as_object().unwrap().keys() {
                documented.insert(format!("{path} {method} {status}"));
            }
        }
    }
    assert_eq!(seen, documented);
}

#[tokio::test]
async fn other_methods_and_paths_are_refused() {
    let (url, client) = (reference().await, Client::new());
    for (method, path, status) in [
        (Method::POST, "/hookproof/v1/about", StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/hookproof/v1/run", StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/hookproof/v2/about", StatusCode::NOT_FOUND),
    ] {
        let response = client.request(method, format!("{url}{path}")).send().await.unwrap();
        assert_eq!(response.status(), status, "{path}");
    }
}

#[test]
fn the_examples_fit_their_schemas_and_the_script_runs() {
    let document = document();
    let content = |pointer: &str| document.pointer(pointer).unwrap()["application/json"].clone();
    for pointer in [
        "/paths/~1hookproof~1v1~1about/get/responses/200/content",
        "/paths/~1hookproof~1v1~1run/post/requestBody/content",
    ] {
        let content = content(pointer);
        for (name, example) in content["examples"].as_object().unwrap() {
            assert_fits(&document, &content["schema"], &example["value"], name);
        }
    }
    let script = serde_json::from_value(script(&document)).unwrap();
    let transcript =
        serde_json::to_value(hookproof_model::run(&script, &Readings::default()).unwrap()).unwrap();
    assert_eq!(transcript["steps"][2]["fired"]["outcome"], json!({ "denied": {} }));
}
