//! One firing: who is selected, what each is handed and when it is listened to.

use std::collections::BTreeMap;

use serde_json::Value;

use super::host::{Host, Installed, in_order};
use super::kind::{Kind, budget_of, kind_of, name_of, rewritten_member, tool_of};
use super::manifest::Declared;
use super::{Course, answer, payload, turn};
use crate::kernel::{Clock, FailurePolicy, Guard, Hook, Millis, Reply, Terms, Visit};
use crate::plain::{Given, Hearing, PlainAnswer, Told, fire};
use crate::reading::VoiceosReadings;
use crate::reading::shared::{Conditions, Incomparable, TimeoutFrom};
use crate::reading::voiceos::{BundleIds, EndingRewrite, FrontmostChecked, Once, UpdateInFlight};
use crate::script::voiceos::{Answer, App, Call, Event, LogEntry};

/// What is to be told of a firing.
pub(super) struct Fired {
    pub(super) told: Told,
    /// The value that it left.
    pub(super) value: Value,
    pub(super) calls: Vec<Call>,
    pub(super) logged: Vec<LogEntry>,
}

/// A hook that may be asked.
pub(super) struct Selected {
    /// Of which installation.
    number: usize,
    pub(super) id: String,
}

/// Fires an awaited event.
pub(super) fn fired(course: &Course, event: &Event, answers: &BTreeMap<String, Answer>) -> Fired {
    let host = &course.begins;
    let kind = kind_of(event);
    let chain = selected(host, event);
    let (payload, value) = payload::of(host, event);
    let hooks: Vec<_> = chain.iter().map(|hook| plain_hook(&hook.id)).collect();
    let answers: Vec<_> = chain.iter().map(|hook| plain_answer(host, kind, hook, answers)).collect();
    let hearings: Vec<_> = chain.iter().map(|hook| hearings(course, kind, hook)).collect();
    let told = fire(&Given {
        terms: &terms(&host.readings, kind),
        hooks: &hooks,
        event: &payload,
        member: rewritten_member(kind),
        value: &value,
        answers: &answers,
        hearings: &hearings,
    });
    let calls = told.calls.iter().filter_map(|call| {
        Some(called(kind, chain.get(call.slot)?, payload::with(&payload, kind, &call.sees), call.at))
    });
    let logged = told.visits.iter().filter_map(|visit| entry(chain.get(visit.slot)?, visit));
    let left = told.outcome.value.clone().unwrap_or(value);
    Fired { calls: calls.collect(), logged: logged.collect(), value: left, told }
}

/// VO-LOAD-1, VO-LOAD-2b, VO-SEL-4, VO-ORDER-1: the hooks of an event, in chain order, of whom some
/// may not be listened to.
pub(super) fn selected(host: &Host, event: &Event) -> Vec<Selected> {
    let kind = kind_of(event);
    let owner = match event {
        Event::PreToolUse(event) => Some(&event.integration),
        Event::PostToolUse(event) => Some(&event.integration),
        Event::Transcript(_) | Event::Dictation(_) | Event::TurnComplete(_) => None,
    };
    let all = in_order(host).into_iter();
    let owners = all.filter(|(it, _)| owner.is_none_or(|owner| *owner == it.manifest.id));
    let declared = owners.filter(|(_, hooks)| hooks.iter().any(|hook| hook.kind == kind));
    declared.map(|(it, _)| Selected { number: it.number, id: it.manifest.id.clone() }).collect()
}

/// How the recursion names it: it fails open (VO-FAIL-1), and has neither conditions nor a time of
/// its own (VO-DL-2).
fn plain_hook(id: &str) -> Hook {
    let (deadline, patience) = (Millis::ZERO, Millis::ZERO);
    Hook { name: id.to_owned(), guard: Guard::default(), policy: FailurePolicy::FailOpen, deadline, patience }
}

/// What a hook does once it is asked: unless the script says otherwise, `{}` at once.
fn plain_answer(
    host: &Host,
    kind: Kind,
    hook: &Selected,
    answers: &BTreeMap<String, Answer>,
) -> Option<PlainAnswer> {
    let at_once = |reply: Reply| Some(PlainAnswer { after: Millis::ZERO, reply, later: None });
    let Some(answer) = answers.get(&hook.id) else { return at_once(Reply::Answered(Box::default())) };
    let reply = answer::arrives(&host.readings, kind, &answer.says)?;
    Some(PlainAnswer { after: answer.after_ms, reply, later: None })
}

/// VO-CONSENT-1, VO-CONSENT-2, VO-LIFE-1, VO-SEL-7: when a hook is listened to.
fn hearings(course: &Course, kind: Kind, hook: &Selected) -> Vec<Hearing> {
    let hearing = |from: Millis, host: &Host| {
        // Looked at again is looked at twice.
        let still_in_front = match host.readings.frontmost_checked {
            FrontmostChecked::AtFiring => true,
            FrontmostChecked::AtCall => in_front(host, kind, hook),
        };
        // VO-LIFE-2.
        let declaring = match course.begins.readings.update_in_flight {
            UpdateInFlight::AtOnce => host,
            UpdateInFlight::NextFiring => &course.begins,
        };
        Hearing {
            from,
            consent: consents(host, declaring, kind, hook),
            in_front: in_front(&course.begins, kind, hook) && still_in_front,
            offered: offers(declaring, kind, hook),
        }
    };
    let mut hearings = vec![hearing(Millis::ZERO, &course.begins)];
    let mut taken_away = false;
    for moment in &course.later {
        // VO-LIFE-2: what is taken away comes back with the next firing.
        taken_away |= course.begins.readings.update_in_flight == UpdateInFlight::AtOnce
            && declared(&moment.host, kind, hook.number).is_none();
        let hearing = hearing(moment.at, &moment.host);
        hearings.push(Hearing { consent: hearing.consent && !taken_away, ..hearing });
    }
    hearings
}

/// An installation and its hook for an event. An update that no longer declares the hook takes back
/// what had been agreed to (VO-LOAD-2b), and so does who uninstalls (VO-LIFE-1).
fn declared(host: &Host, kind: Kind, number: usize) -> Option<(&Installed, &Declared)> {
    let integration = host.installed.iter().find(|integration| integration.number == number)?;
    Some((integration, integration.manifest.hooks.iter().find(|hook| hook.kind == kind)?))
}

/// Whether the user consents to a hook at the moment: it has the permission, and access is on.
pub(super) fn consents(host: &Host, declaring: &Host, kind: Kind, hook: &Selected) -> bool {
    let now = host.installed.iter().find(|it| it.number == hook.number);
    let declared = declared(declaring, kind, hook.number).is_some();
    declared && now.is_some_and(|it| it.access && !it.stripped)
}

/// VO-LOAD-2a: whether the server has the hook's tool. It offers what the manifest declares, unless
/// the script says otherwise.
pub(super) fn offers(host: &Host, kind: Kind, hook: &Selected) -> bool {
    let offers = declared(host, kind, hook.number).and_then(|(it, _)| it.install.offers.as_ref());
    offers.is_none_or(|events| events.iter().any(|event| event == name_of(kind)))
}

/// VO-SEL-1, VO-SEL-2, VO-SEL-3: whether an app that the hook names is in front.
pub(super) fn in_front(host: &Host, kind: Kind, hook: &Selected) -> bool {
    let Some((_, Declared { apps: Some(apps), .. })) = declared(host, kind, hook.number) else { return true };
    let front = turn::front_for(host, kind).and_then(|app: &App| app.bundle_id.as_ref());
    let same = |app: &String, front: &String| match host.readings.bundle_ids {
        BundleIds::Exact => app == front,
        BundleIds::IgnoreCase => app.to_lowercase() == front.to_lowercase(),
    };
    front.is_some_and(|front| apps.iter().any(|app| same(app, front)))
}

/// What the readings come to.
fn terms(readings: &VoiceosReadings, kind: Kind) -> Terms {
    Terms {
        dispatch: readings.dispatch,
        clock: Clock::Shared(budget_of(kind)),
        retries: readings.once == Once::Retries,
        boundary: readings.boundary,
        nothing_left: readings.nothing_left,
        exhaustion: readings.exhaustion,
        sight: readings.sight,
        guard_sight: readings.sight,
        conditions: Conditions::All,
        incomparable: Incomparable::NegationTrue,
        choice: readings.choice,
        rewrite_mode: readings.rewrite_mode,
        rewriters: readings.rewriters,
        allow_rewrites: true,
        ending_rewrites: readings.ending_rewrite == EndingRewrite::Apply,
        contexts: readings.contexts,
        consent_check: readings.consent_check,
        timeout_from: TimeoutFrom::Parked,
    }
}

/// VO-WIRE-1: a call.
pub(super) fn called(kind: Kind, hook: &Selected, payload: Value, at_ms: Millis) -> Call {
    Call { hook: hook.id.clone(), tool: tool_of(kind).to_owned(), payload, at_ms }
}

/// VO-FAIL-1, VO-FOLD-11: what is logged of a hook whose turn came, if anything.
fn entry(hook: &Selected, visit: &Visit) -> Option<LogEntry> {
    let entry = LogEntry { hook: hook.id.clone(), failure: visit.failure, reason: visit.reason.clone() };
    (entry.failure.is_some() || entry.reason.is_some()).then_some(entry)
}
