//! Matrices scripts.

mod answers;
mod stories;

use std::collections::BTreeMap;

use hookproof_model::kernel::Millis;
use hookproof_model::matrices::Point;
use hookproof_model::reading::Readings;
use hookproof_model::run;
use hookproof_model::script::matrices::{
    AddDefault, Advance, Answer, Event, Fire, Meanwhile, Nothing, OfProfile, OfThread, OpenThread,
    ProfileText, Resolve, Says, Script, Step,
};
use hookproof_model::script::{self, Transcript};
use serde_json::{Value, json};

use super::Random;
use super::values::{object, put, text, value};
use answers::{condition, result};

const IDS: [&str; 17] = [
    "guard",
    "redact",
    "route",
    "tag",
    "mask",
    "limit",
    "approve",
    "score",
    "trace",
    "translate",
    "budget",
    "consent",
    "scan",
    "quota",
    "locale",
    "freeze",
    "mirror",
];
const TOOLS: [&str; 7] = [
    "billing.charge",
    "billing.card.charge",
    "billing",
    "billings.x",
    "payments.transfer",
    "email.send",
    "billing.",
];
const PATTERNS: [&str; 10] = [
    "billing.*",
    "billing.charge",
    "*",
    "bill*",
    "billing",
    "billing.card.*",
    "Billing.*",
    "payments.transfer",
    "email.*",
    "billing.c",
];
const DAY: u64 = 86_400_000;

/// A script: most are of one profile, a thread, and what happens in it.
pub(super) fn script(random: &mut Random, size: usize) -> Script {
    match random.below(20) {
        0..2 => return stories::defaults(random),
        2..4 => return stories::waits(random),
        4 => return stories::agents(random),
        _ => {}
    }
    let place = random.weighted(&[(22, 0), (45, 1), (18, 2), (15, 3)]);
    let focus = Point::ALL.get(place).copied().unwrap_or(Point::BeforeToolCall);
    let mut drawn =
        Drawn { random, script: Script { catalogue: None, steps: Vec::new() }, hooks: Vec::new(), focus };
    drawn.profile(size);
    drawn.push(Step::OpenThread(OpenThread { thread: "thread".to_owned(), profile: "profile".to_owned() }));
    for round in 0..1 + drawn.random.below(2) {
        drawn.fire(round);
        drawn.wait();
        if drawn.random.chance(12) {
            let step = drawn.control();
            drawn.push(step);
        }
    }
    if drawn.random.chance(60) {
        drawn.push(Step::Audit(OfThread { thread: "thread".to_owned() }));
    }
    drawn.script
}

struct Drawn<'r> {
    random: &'r mut Random,
    script: Script,
    /// The listed hooks' ids with how long each may take.
    hooks: Vec<(String, Millis)>,
    focus: Point,
}

impl Drawn<'_> {
    fn push(&mut self, step: Step) {
        self.script.steps.push(step);
    }

    fn profile(&mut self, size: usize) {
        let form = self.random.weighted(&[(80, 0), (8, 1), (4, 2), (3, 3), (3, 4), (2, 5)]);
        let count = match form {
            4 => 16,
            5 => 17,
            _ => 1 + self.random.below(size + 1),
        };
        let mut configuration = json!({});
        match form {
            1 => {}
            2 => put(&mut configuration, "hooks", json!([])),
            3 => put(&mut configuration, "hooks", Value::Null),
            _ => put(&mut configuration, "hooks", Value::Array(self.list(count))),
        }
        let mut text = json!({ "name": "Profile", "configuration": configuration }).to_string();
        if self.random.chance(2) {
            text = text.replacen('{', r#"{"configuration":{},"#, 1);
        }
        self.push(Step::CreateProfile(ProfileText { profile: "profile".to_owned(), text }));
    }

    fn list(&mut self, count: usize) -> Vec<Value> {
        let start = self.random.below(IDS.len());
        let ids = (0..count).map(|place| IDS.get((start + place) % IDS.len()).copied().unwrap_or_default());
        let mut hooks: Vec<_> = ids.map(|id| self.hook(id, count > 12)).collect();
        if self.random.chance(2)
            && let Some(last) = hooks.last_mut()
        {
            put(last, "id", json!(IDS.get(start)));
        }
        hooks
    }

    /// A hook; now and then a faulty one.
    fn hook(&mut self, id: &str, long: bool) -> Value {
        let focus = self.focus;
        let random = &mut *self.random;
        let point = if random.chance(if long { 98 } else { 85 }) { focus } else { any_point(random) };
        let mut hook = json!({ "id": id, "point": point.name() });
        let mut matching = json!({});
        if point.is_tool_point() && random.chance(if long { 4 } else { 40 }) {
            let patterns: Vec<_> = (0..1 + random.below(2)).map(|_| random.pick(&PATTERNS)).collect();
            put(&mut matching, "tools", json!(patterns));
        }
        if random.chance(if long { 4 } else { 30 }) {
            let conditions: Vec<_> = (0..1 + random.below(3)).map(|_| condition(random, point)).collect();
            put(&mut matching, "where", json!(conditions));
        }
        if matching.as_object().is_some_and(|matching| !matching.is_empty()) || random.chance(4) {
            put(&mut hook, "match", matching);
        }
        put(
            &mut hook,
            "processor",
            match random.weighted(&[(62, 0), (if long { 2 } else { 20 }, 1), (18, 2)]) {
                0 => {
                    json!({ "kind": "url", "url": random.pick(&["https://hooks.acme.example/in", "http://localhost:3000/in"]) })
                }
                1 => json!({ "kind": "client" }),
                _ => json!({ "kind": "agent", "agent": "reviewer" }),
            },
        );
        match random.below(10) {
            0..4 => {}
            4..6 => put(&mut hook, "onFailure", json!("fail_closed")),
            _ => put(&mut hook, "onFailure", json!("fail_open")),
        }
        if random.chance(30) {
            put(&mut hook, "asyncTimeoutMs", json!(random.pick(&[1, 1000, 60_000, DAY])));
        }
        let mut deadline = 10_000;
        if random.chance(40) {
            deadline = random.pick(&[1_u64, 50, 250, 10_000]);
            put(&mut hook, "timeoutMs", json!(deadline));
        }
        if random.chance(if long { 0 } else { 2 }) {
            spoil(random, &mut hook);
        }
        self.hooks.push((id.to_owned(), Millis(deadline)));
        hook
    }

    fn event(&mut self) -> Event {
        let random = &mut *self.random;
        let tool = random.pick(&TOOLS).to_owned();
        match self.focus {
            Point::BeforeInput => Event::BeforeInput { text: text(random) },
            Point::BeforeToolCall => Event::BeforeToolCall { tool, input: object(random) },
            Point::AfterToolCall => Event::AfterToolCall { tool, output: value(random) },
            Point::AfterOutput => Event::AfterOutput { text: text(random) },
        }
    }

    fn fire(&mut self, round: usize) {
        let event = self.event();
        let mut answers = BTreeMap::new();
        let late_decider = self.random.chance(60);
        let last = self.hooks.len().saturating_sub(1);
        for (place, (id, deadline)) in self.hooks.clone().into_iter().enumerate() {
            // A long chain is only long if most of it defers.
            if self.random.chance(if last >= 12 { 85 } else { 15 }) {
                continue;
            }
            let decides = !late_decider || place == last;
            let says = self.says(decides);
            answers.insert(id, Answer { after_ms: self.random.after(deadline), says });
        }
        let mut meanwhile = Vec::new();
        if self.random.chance(8) {
            let at_ms = self.random.after(Millis(300));
            meanwhile.push(Meanwhile { at_ms, step: Box::new(self.control()) });
        }
        let thread = if self.random.chance(2) { "elsewhere" } else { "thread" }.to_owned();
        self.push(Step::Fire(Fire { firing: format!("firing-{round}"), thread, event, answers, meanwhile }));
    }

    fn says(&mut self, decides: bool) -> Says {
        let focus = self.focus;
        if self.random.chance(3) {
            let (firing, thread) = (format!("inner-{}", self.random.below(1000)), "thread".to_owned());
            let (event, answers, meanwhile) = (self.event(), BTreeMap::new(), Vec::new());
            return Says::AgentRun(vec![Step::Fire(Fire { firing, thread, event, answers, meanwhile })]);
        }
        let random = &mut *self.random;
        match random.below(97) {
            0..66 => Says::Result(result(random, focus, decides)),
            66..70 => Says::Never,
            70..73 => Says::Refused,
            73..76 => Says::Reset,
            76..80 => Says::Status(random.pick(&[204, 200, 202, 302, 403, 500])),
            80..82 => Says::Redirect("https://elsewhere.example/in".to_owned()),
            82..86 => Says::Pending,
            86..96 => Says::Body(match random.below(9) {
                0 => String::new(),
                1 => "busy".to_owned(),
                2 => random.pick(&["[]", "null", "true", "{}"]).to_owned(),
                3 => format!("\u{feff}{}", result(random, focus, decides)),
                4 => r#"{"decision":"allow","decision":"deny"}"#.to_owned(),
                5 => r#"{"decision":"defer"} {"decision":"deny"}"#.to_owned(),
                6 => r#"{"decision":"maybe"}"#.to_owned(),
                7 => format!("ready\n{}", result(random, focus, decides)),
                _ => r#"{"decision":"allow","reason":7}"#.to_owned(),
            }),
            _ => Says::BytesB64(random.pick(&["/w==", "eyJkZWNpc2lvbiI6ImFsbG93In0="]).to_owned()),
        }
    }

    /// While the last firing is parked: what people do about it.
    fn wait(&mut self) {
        for _ in 0..4 {
            let Some(wait) = self.parked() else { return };
            let thread = "thread".to_owned();
            match self.random.below(14) {
                0..6 => self.resolve(wait),
                6..9 => {
                    let by_ms =
                        Millis(self.random.pick(&[1, 999, 1000, 1001, 60_000, DAY - 1, DAY, DAY + 1]));
                    self.push(Step::Advance(Advance { by_ms }));
                    if self.random.chance(40) {
                        self.resolve(wait);
                    }
                }
                9 => self.push(Step::WaitingThreads(Nothing {})),
                10 => {
                    let wait = "firing-9/nobody".to_owned();
                    self.push(Step::Resolve(Resolve {
                        thread,
                        wait,
                        body: r#"{"decision":"allow"}"#.to_owned(),
                    }));
                }
                11 => self.push(Step::CancelThread(OfThread { thread })),
                12 => {
                    let step = self.control();
                    self.push(step);
                    if self.random.chance(60) {
                        self.resolve(wait);
                    }
                }
                _ => return,
            }
            if self.random.chance(15)
                && let Some(Step::Resolve(again)) = self.script.steps.last().cloned()
            {
                self.push(Step::Resolve(again));
            }
        }
    }

    fn resolve(&mut self, wait: String) {
        let body = match self.random.below(12) {
            0 => "yes".to_owned(),
            1 => "{}".to_owned(),
            _ => result(self.random, self.focus, true).to_string(),
        };
        self.push(Step::Resolve(Resolve { thread: "thread".to_owned(), wait, body }));
    }

    /// The wait that holds the last firing, found by running the script so far.
    fn parked(&self) -> Option<String> {
        let script = script::Script::Matrices(self.script.clone());
        let Ok(Transcript::Matrices(transcript)) = run(&script, &Readings::default()) else { return None };
        let mut observed = transcript.steps.iter().rev();
        observed.find_map(|step| {
            let fired = step.fired.as_ref().or_else(|| step.resumed.last().map(|resumed| &resumed.fired))?;
            Some(fired.parked.as_ref().map(|wait| wait.wait.clone()))
        })?
    }

    /// A step that neither fires nor resolves anything.
    fn control(&mut self) -> Step {
        let (profile, thread) = ("profile".to_owned(), "thread".to_owned());
        match self.random.below(10) {
            0..2 => Step::GetProfile(OfProfile { profile }),
            2..5 => {
                let hooks = match self.random.below(4) {
                    0 => Value::Array(Vec::new()),
                    _ => {
                        let count = 1 + self.random.below(2);
                        Value::Array(self.list(count))
                    }
                };
                let configuration =
                    if self.random.chance(25) { json!({}) } else { json!({ "hooks": hooks }) };
                Step::UpdateProfile(ProfileText {
                    profile,
                    text: json!({ "configuration": configuration }).to_string(),
                })
            }
            5..7 => Step::AddDefault(AddDefault {
                hook: json!({ "id": self.random.pick(&["default-approve-travel", "guard"]), "point": "before_tool_call",
                    "match": { "tools": ["travel.*"] }, "processor": { "kind": "client" },
                    "onFailure": "fail_closed", "asyncTimeoutMs": DAY }),
            }),
            7 => Step::WaitingThreads(Nothing {}),
            8 => Step::CancelThread(OfThread { thread }),
            _ => Step::Audit(OfThread { thread }),
        }
    }
}

fn any_point(random: &mut Random) -> Point {
    Point::ALL.get(random.below(4)).copied().unwrap_or(Point::BeforeInput)
}

/// Makes a hook faulty.
fn spoil(random: &mut Random, hook: &mut Value) {
    match random.below(13) {
        11 => put(hook, "match", json!({ "tools": ["billing.*"] })),
        0 => put(hook, "match", json!({ "tools": ["*.charge"] })),
        1 => put(hook, "match", json!({ "tools": [] })),
        2 => put(hook, "match", json!({ "where": [] })),
        3 => put(hook, "processor", json!({ "kind": "url", "url": "http://127.0.0.1/in" })),
        4 => put(hook, "asyncTimeoutMs", json!(DAY + 1)),
        5 => put(hook, "asyncTimeoutMs", json!(0)),
        6 => put(hook, "onFailure", json!("fail_soft")),
        7 => put(hook, "point", json!("before_everything")),
        8 => put(hook, "id", json!("")),
        9 => put(hook, "processor", json!({ "kind": "oracle" })),
        10 => put(hook, "processor", json!({ "kind": "url", "url": "HTTPS://Hooks.Acme.example/in" })),
        _ => {
            let condition = json!({ "path": "tool", "operator": "exists", "value": true });
            put(hook, "match", json!({ "where": vec![condition; 9] }));
        }
    }
}
