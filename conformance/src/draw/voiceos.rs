//! VoiceOS scripts.

use std::collections::BTreeMap;

use hookproof_model::kernel::Millis;
use hookproof_model::script::voiceos::{
    AgentCall, Answer, App, BeginTurn, DictationEvent, EndTurn, Event, Fire, Frontmost, InputSource, Install,
    Meanwhile, Nothing, Of, Policy, PostToolUseEvent, PreToolUseEvent, Says, Script, SetLock, SetPolicy,
    Step, ToolStub, TranscriptAccess, TranscriptEvent, User,
};
use hookproof_model::voiceos::EventKind;
use serde_json::{Value, json};

use super::Random;
use super::values::{object, put, put_in, text, value};

const IDS: [&str; 16] = [
    "com.acme.orders",
    "org.tern.notes",
    "io.heron.rides",
    "dev.lark.chat",
    "app.finch.scores",
    "net.wren.mail",
    "com.swift.tasks",
    "org.robin.music",
    "io.crane.deploys",
    "dev.stork.builds",
    "app.egret.maps",
    "net.ibis.travel",
    "com.kite.weather",
    "org.raven.search",
    "io.dove.forms",
    "dev.jay.files",
];
const TOOLS: [&str; 4] = ["delete_records", "send_message", "book_ride", "add_note"];
const BUNDLES: [&str; 3] = ["com.acme.desktop", "com.apple.Mail", "org.mozilla.firefox"];

/// What a script has installed so far.
struct Drawn<'r> {
    random: &'r mut Random,
    steps: Vec<Step>,
    /// Ids with the events that they hook and the tools that they own.
    integrations: Vec<(&'static str, Vec<EventKind>, Vec<&'static str>)>,
}

/// A script of one or more integrations, what the user decides, and what happens.
pub(super) fn script(random: &mut Random, size: usize) -> Script {
    let mut drawn = Drawn { random, steps: Vec::new(), integrations: Vec::new() };
    let crowd = if drawn.random.chance(3) { 16 } else { 1 + drawn.random.below(size + 1) };
    let focus = drawn.random.weighted(&[(30, 0), (20, 1), (30, 2), (10, 3), (6, 4)]);
    let focus = EventKind::ALL.get(focus).copied().unwrap_or(EventKind::Transcript);
    let start = drawn.random.below(IDS.len());
    for place in 0..crowd {
        let id = IDS.get((start + place * 5) % IDS.len()).copied().unwrap_or_default();
        drawn.install(id, focus, false);
    }
    if drawn.random.chance(if focus == EventKind::Dictation { 85 } else { 40 }) {
        drawn.frontmost();
    }
    for _ in 0..drawn.random.weighted(&[(55, 0), (30, 1), (15, 2)]) {
        let step = drawn.control();
        drawn.steps.push(step);
    }
    let in_turn = focus == EventKind::TurnComplete || drawn.random.chance(12);
    if in_turn {
        let session_id = drawn.random.chance(50).then(|| "session-7".to_owned());
        drawn.steps.push(Step::BeginTurn(BeginTurn { session_id }));
    }
    for round in 0..1 + drawn.random.below(2) {
        let kind = if round == 0 || drawn.random.chance(70) { focus } else { EventKind::Transcript };
        drawn.happen(kind, in_turn);
    }
    if in_turn {
        let response_text = text(drawn.random);
        drawn.steps.push(Step::EndTurn(EndTurn { response_text, answers: BTreeMap::new() }));
    }
    Script { steps: drawn.steps }
}

impl Drawn<'_> {
    /// Installs an integration, or updates it.
    fn install(&mut self, id: &'static str, focus: EventKind, update: bool) {
        let random = &mut *self.random;
        let mut tools: Vec<&'static str> = TOOLS.iter().copied().filter(|_| random.chance(45)).collect();
        if tools.is_empty() {
            tools.push(random.pick(&TOOLS));
        }
        let hooks: Vec<EventKind> = EventKind::ALL
            .into_iter()
            .filter(|kind| random.chance(if *kind == focus { 92 } else { 25 }))
            .collect();
        let manifest = manifest(random, id, &tools, &hooks);
        let offers = random.chance(8).then(|| {
            let offered = EventKind::ALL
                .into_iter()
                .filter(|kind| random.chance(if hooks.contains(kind) { 60 } else { 15 }));
            offered.map(|kind| kind.name().to_owned()).collect()
        });
        let mut stubs = BTreeMap::new();
        for tool in &tools {
            if random.chance(60) {
                continue;
            }
            let result = value(random);
            let stub = if random.chance(25) { ToolStub::Fails(result) } else { ToolStub::Result(result) };
            stubs.insert((*tool).to_owned(), stub);
        }
        let install = Install { manifest, offers, tools: stubs };
        self.steps.push(if update { Step::Update(install) } else { Step::Install(install) });
        self.integrations.push((id, hooks, tools));
    }

    fn frontmost(&mut self) {
        let step = self.frontmost_step();
        self.steps.push(step);
    }

    fn frontmost_step(&mut self) -> Step {
        let mut bundle = self.random.pick(&BUNDLES).to_owned();
        if self.random.chance(8) {
            bundle.make_ascii_uppercase();
        }
        let name = self.random.chance(40).then(|| "Front".to_owned());
        let bundle_id = self.random.chance(92).then_some(bundle);
        let app = self.random.chance(93).then_some(App { bundle_id, name });
        Step::Frontmost(Frontmost { app })
    }

    /// One of the integrations, with its hooks and tools.
    fn one(&mut self) -> (&'static str, Vec<EventKind>, Vec<&'static str>) {
        let place = self.random.below(self.integrations.len());
        self.integrations.get(place).cloned().unwrap_or_default()
    }

    /// A step that fires nothing.
    fn control(&mut self) -> Step {
        let (id, _, tools) = self.one();
        let integration = id.to_owned();
        let tool = self.random.pick(&tools).to_owned();
        match self.random.below(20) {
            0..5 => Step::SetTranscriptAccess(TranscriptAccess { integration, on: self.random.chance(30) }),
            5..9 => {
                let policy =
                    self.random.weighted(&[(45, Policy::Ask), (45, Policy::Never), (10, Policy::Unset)]);
                Step::SetPolicy(SetPolicy { integration, tool, policy })
            }
            9..12 => Step::SetLock(SetLock { integration, tool, locked: self.random.chance(80) }),
            12 => Step::StripPermission(Of { integration }),
            13 => Step::Uninstall(Of { integration }),
            14..17 => self.frontmost_step(),
            17 => Step::AgentTools(Nothing {}),
            _ => {
                self.install(id, EventKind::Transcript, true);
                // The step that was just written is the one to carry out.
                self.steps.pop().unwrap_or(Step::AgentTools(Nothing {}))
            }
        }
    }

    /// Something happens: an event, or a tool call as a story.
    fn happen(&mut self, kind: EventKind, in_turn: bool) {
        let (id, _, tools) = self.one();
        let tool = self.random.pick(&tools);
        if kind.is_tool_tap() && self.random.chance(if in_turn { 90 } else { 25 })
            || kind == EventKind::TurnComplete
        {
            let hidden =
                self.random.chance(6).then(|| self.random.pick(&[kind.tool(), "voiceos_hook_transcript"]));
            let (pre, post) = (self.answer_to(EventKind::PreToolUse), self.answer_to(EventKind::PostToolUse));
            let call = AgentCall {
                integration: id.to_owned(),
                tool: hidden.unwrap_or(tool).to_owned(),
                args: object(self.random),
                pre: self.random.chance(60).then_some(pre),
                post: self.random.chance(50).then_some(post),
                user: self.user(),
            };
            self.steps.push(Step::AgentCall(call));
            if kind != EventKind::TurnComplete {
                return;
            }
        }
        let event = self.event(kind, id, tool);
        let answers = self.answers(kind);
        let mut meanwhile = Vec::new();
        if self.random.chance(14) {
            for _ in 0..1 + self.random.below(2) {
                let at_ms = self.random.after(kind.budget().unwrap_or_default());
                meanwhile.push(Meanwhile { at_ms, step: Box::new(self.control()) });
            }
        }
        let user = if kind == EventKind::PreToolUse { self.user() } else { User::Approve };
        self.steps.push(Step::Fire(Fire { event, answers, user, meanwhile }));
    }

    fn event(&mut self, kind: EventKind, id: &str, tool: &str) -> Event {
        let random = &mut *self.random;
        let detected_language = random.chance(15).then(|| "en".to_owned());
        let (integration, tool_name) = (id.to_owned(), tool.to_owned());
        match kind {
            EventKind::Dictation => Event::Dictation(DictationEvent {
                text: text(random),
                raw_transcript: random.chance(20).then(|| text(random)),
                detected_language,
            }),
            EventKind::PreToolUse => {
                Event::PreToolUse(PreToolUseEvent { integration, tool_name, args: object(random) })
            }
            EventKind::PostToolUse => {
                let (args, result) = (object(random), value(random));
                Event::PostToolUse(PostToolUseEvent { integration, tool_name, args, result })
            }
            EventKind::Transcript | EventKind::TurnComplete => Event::Transcript(TranscriptEvent {
                transcript: text(random),
                source: if random.chance(70) { InputSource::Voice } else { InputSource::Text },
                detected_language,
                audio_duration_ms: random.chance(15).then_some(1840),
                session_id: random.chance(15).then(|| "session-7".to_owned()),
            }),
        }
    }

    fn user(&mut self) -> User {
        match self.random.below(10) {
            0..6 => User::Approve,
            6 => User::Decline,
            7 => User::Edit(object(self.random)),
            _ => User::Absent,
        }
    }

    /// What every integration answers, each with an eye on what is left of the budget.
    fn answers(&mut self, kind: EventKind) -> BTreeMap<String, Answer> {
        let kind = if kind == EventKind::TurnComplete { EventKind::Transcript } else { kind };
        let mut left = kind.budget().unwrap_or_default();
        let mut answers = BTreeMap::new();
        let decided_only_at_the_end = self.random.chance(50);
        let ids: Vec<_> = self.integrations.iter().map(|(id, ..)| *id).collect();
        let last = ids.len().saturating_sub(1);
        for (place, id) in ids.into_iter().enumerate() {
            if self.random.chance(12) {
                continue;
            }
            let decides = !decided_only_at_the_end || place == last;
            let says = says(self.random, kind, decides);
            let after_ms = self.random.after(left);
            left = if says == Says::Never { Millis::ZERO } else { left.since(after_ms) };
            answers.insert(id.to_owned(), Answer { after_ms, says });
        }
        answers
    }

    fn answer_to(&mut self, kind: EventKind) -> Answer {
        let says = says(self.random, kind, true);
        Answer { after_ms: self.random.after(kind.budget().unwrap_or_default()), says }
    }
}

/// What a hook does; decisions only if it may decide.
fn says(random: &mut Random, kind: EventKind, decides: bool) -> Says {
    match random.below(100) {
        0..72 => Says::Result(result(random, kind, decides)),
        72..76 => Says::Never,
        76..80 => Says::Disconnect,
        80..82 => Says::Unregistered,
        82..86 => Says::ToolError(result(random, kind, true).to_string()),
        86..88 => Says::Mutates(result(random, kind, decides)),
        88..96 => Says::Text(match random.below(8) {
            0 => String::new(),
            1 => "sorry, not today".to_owned(),
            2 => random.pick(&["false", "\"x\"", "[1]", "null", "{} {}"]).to_owned(),
            3 => format!("\u{feff}{}", result(random, kind, decides)),
            4 => r#"{"updatedText":"one","updatedText":"two"}"#.to_owned(),
            5 => r#"{"updatedText":"\ud800!","reason":"\udc00"}"#.to_owned(),
            6 => r#"{"updatedText":"caf\u00e9 \ud83d\ude80"}"#.to_owned(),
            _ => format!("log line\n{}", result(random, kind, decides)),
        }),
        _ => {
            let first = json!({ "type": "text", "text": result(random, kind, decides).to_string() });
            Says::Content(match random.below(5) {
                0 => vec![],
                1 => vec![json!({ "type": "image", "data": "AA==", "mimeType": "image/png" }), first],
                2 => vec![first, json!({ "type": "text", "text": "{}" })],
                3 => vec![json!({ "text": "no type" })],
                _ => vec![first],
            })
        }
    }
}

/// A HookResult, with members that belong to the event and, now and then, others.
fn result(random: &mut Random, kind: EventKind, decides: bool) -> Value {
    if random.chance(3) {
        return Value::Null;
    }
    let mut result = json!({});
    let mut set = |name: &str, value: Value| {
        if let Value::Object(members) = &mut result {
            members.insert(name.to_owned(), value);
        }
    };
    if random.chance(if decides { 45 } else { 8 }) {
        let decision = if decides {
            random.weighted(&[(8, "continue"), (14, "block"), (14, "handled"), (2, "stop"), (1, "Block")])
        } else {
            random.weighted(&[(8, "continue"), (1, "stop")])
        };
        set("decision", json!(decision));
    }
    if random.chance(45) {
        let (name, rewrite) = match kind {
            EventKind::PreToolUse => ("updatedArgs", Value::Object(object(random))),
            EventKind::PostToolUse => ("updatedResult", value(random)),
            _ => ("updatedText", json!(text(random))),
        };
        let rewrite = if random.chance(5) {
            random.pick(&[Some(0), None]).map_or(Value::Null, |n| json!(n))
        } else {
            rewrite
        };
        set(name, rewrite);
    }
    if random.chance(if kind == EventKind::PreToolUse { 40 } else { 3 }) {
        let asks = match random.below(10) {
            0 => json!(false),
            1 => json!("true"),
            2 => json!(1),
            3 => Value::Null,
            _ => json!(true),
        };
        set("requireConfirmation", asks);
    }
    if random.chance(if kind == EventKind::Transcript { 25 } else { 3 }) {
        set("additionalContext", json!(text(random)));
    }
    if random.chance(if decides { 25 } else { 5 }) {
        set("responseText", json!(text(random)));
    }
    if random.chance(8) {
        set(
            "view",
            if random.chance(85) { json!({ "blocks": [{ "text": text(random) }] }) } else { json!("card") },
        );
    }
    if random.chance(15) {
        set("reason", if random.chance(93) { json!(text(random)) } else { json!(7) });
    }
    if random.chance(4) {
        set("updatedText", json!("not for this event"));
    }
    if random.chance(5) {
        set("futureMember", json!({ "a": 1 }));
    }
    result
}

/// A manifest's text; now and then a faulty one.
fn manifest(random: &mut Random, id: &str, tools: &[&str], hooks: &[EventKind]) -> String {
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
    manifest.to_string()
}
