//! What a profile's text says of its hooks, or what is wrong with it: MX-VAL-1 to 17.
//!
//! MX-VAL-T: every fault is noted, with the pointer of the member, or of the parent of a missing one.
//! Where a member has another type than it should and no clause speaks of that, the fault is laid to
//! the clause that says what the member is for.

use serde_json::{Map, Value};

use super::hook::{MatricesHook, Point, Processor};
use super::{address, document, matching};
use crate::kernel::{FailurePolicy, Millis};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{
    AboveCap, Accepted, DuplicateId, EmptyId, NullHooks, OmittedTimeout, ProfileDuplicates, ZeroTimeout,
};
use crate::reading::shared::Unknown;
use crate::script::matrices::FaultSeen;

/// MX-VAL-1: the most hooks of a profile, defaults included.
pub(super) const MOST_HOOKS: usize = 16;

/// MX-VAL-8a: 24 hours.
const DAY: Millis = Millis(86_400_000);

/// MX-DL-1: 10 seconds.
const TEN_SECONDS: Millis = Millis(10_000);

/// What came of reading something: `None` where it was faulty or is passed over.
pub(super) type Read<T> = Option<T>;

/// The faults found so far, and how to judge.
pub(super) struct Judge<'a> {
    pub(super) readings: &'a MatricesReadings,
    pub(super) faults: Vec<FaultSeen>,
}

impl Judge<'_> {
    pub(super) fn fault(&mut self, pointer: &str, clause: &str) {
        self.faults.push(FaultSeen { pointer: pointer.to_owned(), clause: clause.to_owned() });
    }
}

/// The hooks that a profile's text lists; `None` where it does not mention them.
pub(super) fn read(
    text: &str,
    reserved: &[MatricesHook],
    readings: &MatricesReadings,
) -> Result<Option<Vec<MatricesHook>>, Vec<FaultSeen>> {
    let mut judge = Judge { readings, faults: vec![] };
    let mentioned = mentioned(text, reserved, &mut judge);
    if judge.faults.is_empty() { Ok(mentioned) } else { Err(judge.faults) }
}

/// The hooks of a catalogue of defaults, which is a list as a profile would have it.
pub(super) fn catalogue(
    list: &[Value],
    readings: &MatricesReadings,
) -> Result<Vec<MatricesHook>, Vec<FaultSeen>> {
    let mut judge = Judge { readings, faults: vec![] };
    let hooks = hooks(list, "", &[], &mut judge);
    if judge.faults.is_empty() { Ok(hooks) } else { Err(judge.faults) }
}

fn mentioned(text: &str, reserved: &[MatricesHook], judge: &mut Judge<'_>) -> Option<Vec<MatricesHook>> {
    let Some(document) = document::read(text) else {
        judge.fault("", "MX-VAL-1");
        return None;
    };
    // MX-VAL-17.
    if judge.readings.profile_duplicates == ProfileDuplicates::Reject {
        document.doubled.iter().for_each(|pointer| judge.fault(pointer, "MX-VAL-17"));
    }
    // MX-VAL-1: where hooks live.
    let Value::Object(profile) = &document.value else {
        judge.fault("", "MX-VAL-1");
        return None;
    };
    let Value::Object(configuration) = profile.get("configuration")? else {
        judge.fault("/configuration", "MX-VAL-1");
        return None;
    };
    match (configuration.get("hooks")?, judge.readings.null_hooks) {
        (Value::Array(list), _) => Some(hooks(list, "/configuration/hooks", reserved, judge)),
        // MX-VAL-14.
        (Value::Null, NullHooks::AsOmitted) => None,
        (Value::Null, NullHooks::AsEmpty) => Some(vec![]),
        (Value::Null, NullHooks::Reject) => {
            judge.fault("/configuration/hooks", "MX-VAL-14");
            None
        }
        _ => {
            judge.fault("/configuration/hooks", "MX-VAL-1");
            None
        }
    }
}

fn hooks(list: &[Value], at: &str, reserved: &[MatricesHook], judge: &mut Judge<'_>) -> Vec<MatricesHook> {
    if list.len() > MOST_HOOKS {
        judge.fault(at, "MX-VAL-1");
    }
    let (mut hooks, mut ids) = (vec![], vec![]);
    for (index, given) in list.iter().enumerate() {
        let at = document::item(at, index);
        let Value::Object(members) = given else {
            judge.fault(&at, "MX-VAL-1");
            continue;
        };
        let id = id(members, index, &at, judge);
        // MX-VAL-12b.
        if id.is_some() && ids.contains(&id) && judge.readings.duplicate_id == DuplicateId::Reject {
            judge.fault(&document::member(&at, "id"), "MX-VAL-12b");
        }
        ids.push(id.clone());
        let Some(hook) = hook(members, id, &at, judge) else { continue };
        // MX-DEF-10.
        let differs = reserved.iter().any(|default| default.id == hook.id && *default != hook);
        if differs && judge.readings.reserved_id == Accepted::Reject {
            judge.fault(&document::member(&at, "id"), "MX-DEF-10");
        }
        hooks.push(hook);
    }
    hooks
}

/// A hook, all of whose members are read before any lack of one ends it, so that no fault is missed.
fn hook(
    members: &Map<String, Value>,
    id: Read<String>,
    at: &str,
    judge: &mut Judge<'_>,
) -> Read<MatricesHook> {
    let point = point(members, at, judge);
    let matching = matching::read(members, point, at, judge);
    let processor = processor(members, at, judge);
    let policy = policy(members, at, judge);
    let async_timeout = async_timeout(members, processor.as_ref(), at, judge);
    let timeout = timeout(members, at, judge);
    let (tools, conditions) = matching?;
    Some(MatricesHook {
        id: id?,
        point: point?,
        tools,
        conditions,
        processor: processor?,
        policy: policy?,
        timeout: timeout?,
        async_timeout: async_timeout?,
    })
}

/// MX-VAL-12a.
fn id(members: &Map<String, Value>, index: usize, at: &str, judge: &mut Judge<'_>) -> Read<String> {
    let is_empty = |id: &Value| id == "";
    let generated = judge.readings.empty_id == EmptyId::Generated;
    match members.get("id") {
        Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
        given if generated && given.is_none_or(is_empty) => Some(format!("hook-{index}")),
        Some(_) => {
            judge.fault(&document::member(at, "id"), "MX-VAL-12a");
            None
        }
        None => {
            judge.fault(at, "MX-VAL-12a");
            None
        }
    }
}

/// MX-VAL-2, MX-VAL-16.
fn point(members: &Map<String, Value>, at: &str, judge: &mut Judge<'_>) -> Read<Point> {
    let known = |name: &str| Point::ALL.into_iter().find(|point| point.name() == name);
    named(members, "point", at, known, judge)
}

/// MX-VAL-16: what a member names, one of a few. What it does not know, it passes over or rejects.
fn named<T>(
    members: &Map<String, Value>,
    member: &str,
    at: &str,
    known: impl Fn(&str) -> Option<T>,
    judge: &mut Judge<'_>,
) -> Read<T> {
    match members.get(member) {
        None => judge.fault(at, "MX-VAL-16"),
        Some(Value::String(name)) => match known(name) {
            Some(known) => return Some(known),
            None if judge.readings.unknown_values == Unknown::Ignore => {}
            None => judge.fault(&document::member(at, member), "MX-VAL-16"),
        },
        Some(_) => judge.fault(&document::member(at, member), "MX-VAL-16"),
    }
    None
}

/// MX-PROC-1, MX-VAL-10a.
fn processor(members: &Map<String, Value>, at: &str, judge: &mut Judge<'_>) -> Read<Processor> {
    let place = document::member(at, "processor");
    let Some(given) = members.get("processor") else {
        judge.fault(at, "MX-VAL-16");
        return None;
    };
    let Value::Object(given) = given else {
        judge.fault(&place, "MX-VAL-16");
        return None;
    };
    let known = |name: &str| ["url", "agent", "client"].into_iter().find(|kind| *kind == name);
    match named(given, "kind", &place, known, judge)? {
        "url" => {
            let address = text(given, "url", &place, "MX-VAL-10a", judge)?;
            if !address::is_allowed(&address, judge.readings.url_parsing) {
                judge.fault(&document::member(&place, "url"), "MX-VAL-10a");
            }
            Some(Processor::Url(address))
        }
        "agent" => text(given, "agent", &place, "MX-PROC-1", judge).map(Processor::Agent),
        _ => Some(Processor::Client),
    }
}

/// A member that is a string.
pub(super) fn text(
    members: &Map<String, Value>,
    member: &str,
    at: &str,
    clause: &str,
    judge: &mut Judge<'_>,
) -> Read<String> {
    match members.get(member) {
        Some(Value::String(text)) => return Some(text.clone()),
        Some(_) => judge.fault(&document::member(at, member), clause),
        None => judge.fault(at, clause),
    }
    None
}

/// MX-VAL-11, MX-VAL-16: an unknown policy that is passed over leaves the default.
fn policy(members: &Map<String, Value>, at: &str, judge: &mut Judge<'_>) -> Read<FailurePolicy> {
    match members.get("onFailure") {
        None => return Some(FailurePolicy::FailClosed),
        Some(Value::String(name)) if name == "fail_closed" => return Some(FailurePolicy::FailClosed),
        Some(Value::String(name)) if name == "fail_open" => return Some(FailurePolicy::FailOpen),
        Some(Value::String(_)) if judge.readings.unknown_values == Unknown::Ignore => {
            return Some(FailurePolicy::FailClosed);
        }
        Some(_) => judge.fault(&document::member(at, "onFailure"), "MX-VAL-16"),
    }
    None
}

/// MX-VAL-8a, MX-VAL-8b, MX-VAL-9, MX-DL-2. Where it is required, it is required of whoever always
/// parks the work.
fn async_timeout(
    members: &Map<String, Value>,
    processor: Option<&Processor>,
    at: &str,
    judge: &mut Judge<'_>,
) -> Read<Millis> {
    let place = document::member(at, "asyncTimeoutMs");
    let Some(given) = members.get("asyncTimeoutMs") else {
        if judge.readings.omitted_timeout == OmittedTimeout::Required && processor == Some(&Processor::Client)
        {
            judge.fault(at, "MX-DL-2");
        }
        return Some(DAY);
    };
    match whole(given) {
        Some(0) if judge.readings.zero_timeout == ZeroTimeout::ZeroIsNone => return Some(DAY),
        None | Some(0) => judge.fault(&place, "MX-VAL-8b"),
        Some(millis) if millis <= DAY.0 => return Some(Millis(millis)),
        Some(_) if judge.readings.above_cap == AboveCap::Clamp => return Some(DAY),
        Some(_) => judge.fault(&place, "MX-VAL-9"),
    }
    None
}

/// MX-DL-1.
fn timeout(members: &Map<String, Value>, at: &str, judge: &mut Judge<'_>) -> Read<Millis> {
    let Some(given) = members.get("timeoutMs") else { return Some(TEN_SECONDS) };
    match whole(given) {
        Some(millis) if (1..=DAY.0).contains(&millis) => Some(Millis(millis)),
        _ => {
            judge.fault(&document::member(at, "timeoutMs"), "MX-DL-1");
            None
        }
    }
}

/// A whole number that is not negative; by HK-EQ-1, 1.0 is one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is above the cap stays above it"
)]
fn whole(number: &Value) -> Option<u64> {
    let is_whole = |number: &f64| number.fract() == 0.0 && *number >= 0.0;
    number.as_u64().or_else(|| number.as_f64().filter(is_whole).map(|number| number as u64))
}
