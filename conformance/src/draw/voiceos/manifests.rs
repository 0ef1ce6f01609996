//! Manifests, valid and now and then faulty.

use hookproof_model::voiceos::EventKind;
use serde_json::json;

use crate::draw::Random;
use crate::draw::values::{put, put_in};

/// The apps that hooks may be restricted to.
pub(super) const BUNDLES: [&str; 3] = ["com.acme.desktop", "com.apple.Mail", "org.mozilla.firefox"];

/// A manifest's text; now and then a faulty one.
pub(super) fn manifest(random: &mut Random, id: &str, tools: &[&str], hooks: &[EventKind]) -> String {
    let agent = hooks.iter().any(|kind| *kind != EventKind::Dictation);
    let dictation = hooks.contains(&EventKind::Dictation);
    let mut permissions = Vec::new();
    match (agent, dictation) {
        (true, true) if random.chance(60) => {
            permissions.push(json!({ "kind": "transcript", "scope": "all" }))
        }
        _ => {
            for scope in ["agent", "dictation"]
                .into_iter()
                .zip([agent, dictation])
                .filter_map(|(scope, has)| has.then_some(scope))
            {
                permissions.push(json!({ "kind": "transcript", "scope": scope }));
            }
        }
    }
    if random.chance(15) {
        permissions.push(json!({ "kind": "network", "domains": ["api.acme.example"] }));
    }
    let mut declared = json!({});
    for kind in hooks {
        let mut hook = json!({});
        if *kind == EventKind::Dictation || random.chance(15) {
            let apps: Vec<_> = BUNDLES.iter().filter(|_| random.chance(60)).collect();
            let apps = if apps.is_empty() {
                vec![random.pick(&BUNDLES)]
            } else {
                apps.into_iter().copied().collect()
            };
            put(&mut hook, "apps", json!(apps));
        }
        if kind.is_tool_tap() && random.chance(50) {
            put(&mut hook, "scope", json!("own"));
        }
        put(&mut declared, kind.name(), hook);
    }
    let tools: Vec<_> = tools.iter().map(|tool| json!({ "name": tool, "description": "does it" })).collect();
    let mut manifest = json!({
        "schemaVersion": 1, "id": id, "version": "1.2.0", "name": "Product", "summary": "It listens.",
        "publisher": { "id": "acme", "name": "Acme" }, "runtime": { "kind": "local-mcp", "command": "run" },
        "permissions": permissions, "tools": tools, "hooks": declared,
    });
    if random.chance(6) {
        match random.below(12) {
            0 => put(&mut manifest, "permissions", json!([])),
            1 => put(&mut manifest, "permissions", json!([{ "kind": "transcript", "scope": "everything" }])),
            2 => put_in(&mut manifest, "hooks", "dictation", json!({})),
            3 => put_in(&mut manifest, "hooks", "transcript", json!({ "apps": [] })),
            4 => put_in(&mut manifest, "hooks", "preToolUse", json!({ "scope": "all" })),
            5 => put_in(&mut manifest, "hooks", "beforeSend", json!({})),
            6 => put(&mut manifest, "tools", json!([{ "name": "voiceos_hook_transcript" }])),
            7 => put(&mut manifest, "tools", json!([])),
            8 => put(&mut manifest, "version", json!("one")),
            9 => put(&mut manifest, "icon", json!("bird.png")),
            10 => put(&mut manifest, "permissions", json!([{ "kind": "transcript", "scope": "dictation" }])),
            _ => put(&mut manifest, "id", json!("Acme")),
        }
    }
    let text = manifest.to_string();
    if random.chance(2) { text.replacen('{', r#"{"hooks":{},"#, 1) } else { text }
}
