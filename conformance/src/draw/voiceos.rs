//! VoiceOS scripts.

mod answers;
mod manifests;

use std::collections::BTreeMap;

use super::Random;
use super::values::{object, text, value};
use answers::says;
use hookproof_model::kernel::Millis;
use hookproof_model::script::voiceos::{
    AgentCall, Answer, App, BeginTurn, DictationEvent, EndTurn, Event, Fire, Frontmost, InputSource, Install,
    Meanwhile, Nothing, Of, Policy, PostToolUseEvent, PreToolUseEvent, Receipt, Says, Script, SetLock,
    SetPolicy, Step, ToolStub, TranscriptAccess, TranscriptEvent, User,
};
use hookproof_model::voiceos::EventKind;
use manifests::{BUNDLES, manifest};

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
            12 => {
                // What is stripped matters most if it is updated behind that.
                if self.random.chance(50) {
                    self.steps.push(Step::StripPermission(Of { integration }));
                    return self.update(id);
                }
                Step::StripPermission(Of { integration })
            }
            13 => Step::Uninstall(Of { integration }),
            14..17 => self.frontmost_step(),
            17 => Step::AgentTools(Nothing {}),
            _ => self.update(id),
        }
    }

    fn update(&mut self, id: &'static str) -> Step {
        self.install(id, EventKind::Transcript, true);
        // The step that was just written is the one to carry out.
        self.steps.pop().unwrap_or(Step::AgentTools(Nothing {}))
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
                let step = if self.random.chance(20) { self.frontmost_step() } else { self.control() };
                meanwhile.push(Meanwhile { at_ms, step: Box::new(step) });
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
            EventKind::TurnComplete if random.chance(30) => Event::TurnComplete(Receipt {
                session_id: random.chance(30).then(|| "session-7".to_owned()),
                transcript: text(random),
                response_text: text(random),
                tools: Vec::new(),
            }),
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
