//! Longer stories: defaults that come and go, several waits at once, agents within agents.

use std::collections::BTreeMap;

use hookproof_model::kernel::Millis;
use hookproof_model::matrices::Point;
use hookproof_model::matrices::defaults::convention_json;
use hookproof_model::matrices::profile::MAX_HOOKS;
use hookproof_model::script::matrices::{
    AddDefault, Advance, Answer, Event, Fire, Nothing, OfProfile, OfThread, OpenThread, ProfileText, Resolve,
    Says, Script, Step,
};
use serde_json::{Map, Value, json};

use super::answers::result;
use super::{DAY, IDS, any_point};
use crate::draw::Random;
use crate::draw::values::put;

const PROFILES: [&str; 3] = ["first", "second", "third"];
const THREADS: [&str; 2] = ["thread", "other"];

/// Profiles that are created, read, written back and updated, while defaults are introduced.
pub(super) fn defaults(random: &mut Random) -> Script {
    let catalogue: Vec<Value> = match random.below(3) {
        0 => convention_json(),
        few => convention_json().into_iter().take(few + 1).collect(),
    };
    let mut steps = Vec::new();
    let profiles = PROFILES.get(..1 + random.below(PROFILES.len())).unwrap_or(&PROFILES);
    let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for profile in profiles {
        let listed = match random.below(10) {
            0..3 => None,
            3 => Some(Vec::new()),
            4 => Some(own(random, 15)),
            5 => Some(full(random, &catalogue)),
            _ => Some(some_of(random, &catalogue)),
        };
        lists.insert(profile, listed.clone().unwrap_or_else(|| catalogue.clone()));
        steps.push(Step::CreateProfile(profile_text(profile, listed.as_deref())));
    }
    for _ in 0..1 + random.below(4) {
        let profile = random.pick(profiles);
        let step = match random.below(10) {
            0..4 => Step::AddDefault(AddDefault { hook: later(random) }),
            4..6 => Step::GetProfile(OfProfile { profile: profile.to_owned() }),
            6 => Step::UpdateProfile(profile_text(profile, None)),
            _ => {
                let mut list = lists.get(profile).cloned().unwrap_or_default();
                match random.below(5) {
                    0 => {}
                    1 => list.clear(),
                    2 => list.extend(own(random, 1)),
                    _ => {
                        let place = random.below(list.len().max(1));
                        list = list
                            .into_iter()
                            .enumerate()
                            .filter(|(at, _)| *at != place)
                            .map(|(_, hook)| hook)
                            .collect();
                    }
                }
                lists.insert(profile, list.clone());
                Step::UpdateProfile(profile_text(profile, Some(&list)))
            }
        };
        steps.push(step);
    }
    steps.push(Step::AddDefault(AddDefault { hook: later(random) }));
    steps.extend(
        profiles.iter().map(|profile| Step::GetProfile(OfProfile { profile: (*profile).to_owned() })),
    );
    let catalogue = (catalogue.len() < convention_json().len()).then_some(catalogue);
    Script { catalogue, steps }
}

/// As many hooks as a profile may have, the defaults before or among them.
fn full(random: &mut Random, catalogue: &[Value]) -> Vec<Value> {
    let defaults = if random.chance(80) { catalogue } else { &[] };
    let rest = own(random, MAX_HOOKS.saturating_sub(defaults.len()));
    defaults.iter().cloned().chain(rest).collect()
}

/// A list with some defaults and hooks of its own, one of which may stand under a reserved id.
fn some_of(random: &mut Random, catalogue: &[Value]) -> Vec<Value> {
    let mut list: Vec<_> = catalogue.iter().filter(|_| random.chance(60)).cloned().collect();
    if let Some(hook) = list.first_mut().filter(|_| random.chance(20)) {
        put(hook, "onFailure", json!("fail_open"));
    }
    let place = random.below(list.len() + 1);
    let count = random.below(3);
    list.splice(place..place, own(random, count));
    if random.chance(25) {
        let mut authored = later(random);
        put(&mut authored, "onFailure", json!("fail_open"));
        list.push(authored);
    }
    list
}

/// Hooks of a profile's own.
fn own(random: &mut Random, count: usize) -> Vec<Value> {
    let start = random.below(IDS.len());
    let ids = IDS.iter().cycle().skip(start).take(count);
    ids.map(|id| json!({ "id": id, "point": "after_output", "processor": { "kind": "client" } })).collect()
}

/// A default that is introduced later.
fn later(random: &mut Random) -> Value {
    let (id, tools) = random.pick(&[
        ("default-approve-travel", "travel.*"),
        ("default-approve-travel", "travel.*"),
        ("default-approve-calendar", "calendar.invite"),
        ("default-approve-billing", "billing.*"),
    ]);
    json!({ "id": id, "point": "before_tool_call", "match": { "tools": [tools] },
            "processor": { "kind": "client" }, "onFailure": "fail_closed", "asyncTimeoutMs": DAY })
}

fn profile_text(profile: &str, hooks: Option<&[Value]>) -> ProfileText {
    let configuration = hooks.map_or_else(|| json!({}), |hooks| json!({ "hooks": hooks }));
    let text = json!({ "configuration": configuration }).to_string();
    ProfileText { profile: profile.to_owned(), text }
}

/// Two threads of one profile, whose hooks park the work; and what people do about the waits.
pub(super) fn waits(random: &mut Random) -> Script {
    let point = any_point(random);
    let hooks: Vec<_> = (0..1 + random.below(3)).map(|place| parking(random, point, place)).collect();
    let mut steps = vec![Step::CreateProfile(profile_text("first", Some(&hooks)))];
    steps.extend(THREADS.map(|thread| {
        Step::OpenThread(OpenThread { thread: thread.to_owned(), profile: "first".to_owned() })
    }));
    let mut firings = 0;
    for _ in 0..3 + random.below(6) {
        let thread = random.pick(&THREADS).to_owned();
        steps.push(match random.below(14) {
            0..4 => {
                firings += 1;
                let answers =
                    (0..hooks.len()).filter_map(|place| Some((hook_id(place), parks(random, point)?)));
                let (firing, meanwhile) = (format!("firing-{firings}"), Vec::new());
                let answers = answers.collect();
                Step::Fire(Fire { firing, thread, event: event(random, point), answers, meanwhile })
            }
            4..9 => {
                let wait = format!(
                    "firing-{}/{}",
                    1 + random.below(firings + 1),
                    hook_id(random.below(hooks.len()))
                );
                let body =
                    if random.chance(8) { "yes".to_owned() } else { result(random, point, true).to_string() };
                Step::Resolve(Resolve { thread, wait, body })
            }
            9..11 => {
                Step::Advance(Advance { by_ms: Millis(random.pick(&[1, 999, 1000, 1001, 59_000, DAY])) })
            }
            11 => Step::WaitingThreads(Nothing {}),
            12 => Step::CancelThread(OfThread { thread }),
            _ => {
                let list: Vec<_> = hooks.iter().filter(|_| random.chance(60)).cloned().collect();
                Step::UpdateProfile(profile_text("first", Some(&list)))
            }
        });
    }
    steps.push(Step::WaitingThreads(Nothing {}));
    steps.extend(THREADS.map(|thread| Step::Audit(OfThread { thread: thread.to_owned() })));
    Script { catalogue: None, steps }
}

fn hook_id(place: usize) -> String {
    IDS.get(place).copied().unwrap_or("hook").to_owned()
}

fn parking(random: &mut Random, point: Point, place: usize) -> Value {
    let processor = match random.below(3) {
        0 => json!({ "kind": "url", "url": "https://hooks.acme.example/in" }),
        _ => json!({ "kind": "client" }),
    };
    json!({ "id": hook_id(place), "point": point.name(), "processor": processor,
            "onFailure": random.pick(&["fail_closed", "fail_open"]),
            "asyncTimeoutMs": random.pick(&[1000_u64, 1000, 60_000, DAY]) })
}

/// What a url hook answers: most park the work, and those of clients do anyway.
fn parks(random: &mut Random, point: Point) -> Option<Answer> {
    let says = match random.below(4) {
        0 => return None,
        1 => Says::Result(result(random, point, false)),
        _ => Says::Pending,
    };
    Some(Answer { after_ms: Millis(random.pick(&[0, 1, 50])), says })
}

fn event(random: &mut Random, point: Point) -> Event {
    let (tool, text) = ("billing.charge".to_owned(), random.pick(&["ok", "send the invoice"]).to_owned());
    match point {
        Point::BeforeInput => Event::BeforeInput { text },
        Point::BeforeToolCall => Event::BeforeToolCall { tool, input: Map::new() },
        Point::AfterToolCall => Event::AfterToolCall { tool, output: json!(text) },
        Point::AfterOutput => Event::AfterOutput { text },
    }
}

/// An agent processor whose own run fires events at the same profile, down to three runs deep.
pub(super) fn agents(random: &mut Random) -> Script {
    let point = any_point(random);
    let processors = [
        json!({ "kind": "agent", "agent": "reviewer" }),
        json!({ "kind": "url", "url": "https://hooks.acme.example/in" }),
        json!({ "kind": "client" }),
        json!({ "kind": "agent", "agent": "editor" }),
    ];
    let first = random.below(2);
    let hooks: Vec<_> = (0..1 + random.below(3))
        .map(|place| {
            json!({ "id": hook_id(place), "point": point.name(),
                    "processor": processors.get((first + place) % processors.len()),
                    "onFailure": random.pick(&["fail_closed", "fail_open"]) })
        })
        .collect();
    let thread = || "thread".to_owned();
    let mut firings = 0;
    let steps = vec![
        Step::CreateProfile(profile_text("first", Some(&hooks))),
        Step::OpenThread(OpenThread { thread: thread(), profile: "first".to_owned() }),
        run(random, point, hooks.len(), 3, &mut firings),
        Step::Resolve(Resolve {
            thread: thread(),
            wait: format!("firing-{firings}/{}", hook_id(1)),
            body: result(random, point, true).to_string(),
        }),
        Step::Audit(OfThread { thread: thread() }),
    ];
    Script { catalogue: None, steps }
}

fn run(random: &mut Random, point: Point, hooks: usize, depth: usize, firings: &mut usize) -> Step {
    *firings += 1;
    let firing = format!("firing-{firings}");
    let mut answers = BTreeMap::new();
    for place in 0..hooks {
        let says = if depth > 0 && random.chance(70) {
            Says::AgentRun(vec![run(random, point, hooks, depth - 1, firings)])
        } else {
            Says::Result(result(random, point, false))
        };
        answers.insert(hook_id(place), Answer { after_ms: Millis(random.pick(&[0, 1, 50])), says });
    }
    let (thread, event) = ("thread".to_owned(), event(random, point));
    Step::Fire(Fire { firing, thread, event, answers, meanwhile: Vec::new() })
}
