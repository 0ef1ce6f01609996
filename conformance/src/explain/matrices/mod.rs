//! A Matrices script, told step by step.
//!
//! Beside what a step shows, the platform is asked after each for the audit trails: they say what
//! every hook decided, and how long it took. Reading them changes nothing.

mod step;
mod story;

use std::collections::BTreeMap;

use hookproof_model::RunError;
use hookproof_model::kernel::Millis;
use hookproof_model::matrices::Platform;
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::{
    AuditEntry, Fired, HookSeen, Meanwhile, Observation, OfProfile, OfThread, Says, Script, Step,
};

use self::story::{Step as Around, Story};
use super::witness::Witness;
use super::{Telling, words};
use crate::mutant::AnyRules;

/// Tells every step of a script, as these rules carry it out.
pub(super) fn tell(
    rules: &AnyRules,
    readings: MatricesReadings,
    script: &Script,
) -> Result<Vec<(Telling, Observation)>, RunError> {
    let witness = Witness::of(rules);
    let platform = Platform::new(&witness, readings, script.catalogue.as_deref());
    let mut platform = platform.map_err(RunError::Catalogue)?;
    let mut teller = Teller::default();
    teller.note_threads(&script.steps);
    let mut told = Vec::new();
    for step in &script.steps {
        let chain = match step {
            Step::Fire(fire) => teller.chain(&mut platform, &fire.thread),
            _ => Vec::new(),
        };
        witness.take();
        let observed = platform.step(step);
        let around =
            Around { rules, readings, said: witness.take(), step, audited: teller.audit(&mut platform) };
        told.push((teller.step(step, &observed, around, chain), observed));
    }
    Ok(told)
}

/// What is remembered from step to step.
#[derive(Default)]
struct Teller {
    /// The profile of each thread that the script opens anywhere.
    threads: BTreeMap<String, String>,
    /// How many audit entries of each thread have been told.
    audited: BTreeMap<String, usize>,
    stories: BTreeMap<String, Story>,
}

impl Teller {
    fn note_threads(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::OpenThread(open) => {
                    self.threads.entry(open.thread.clone()).or_insert_with(|| open.profile.clone());
                }
                Step::Fire(fire) => {
                    for meanwhile in &fire.meanwhile {
                        self.note_threads(std::slice::from_ref(&meanwhile.step));
                    }
                    for answer in fire.answers.values() {
                        if let Says::AgentRun(steps) = &answer.says {
                            self.note_threads(steps);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The hooks that the profile of a thread has now.
    fn chain(&self, platform: &mut Platform<'_, Witness<'_>>, thread: &str) -> Vec<HookSeen> {
        let Some(profile) = self.threads.get(thread).cloned() else { return Vec::new() };
        platform.step(&Step::GetProfile(OfProfile { profile })).hooks.unwrap_or_default()
    }

    /// The audit entries that have been written since this was last asked, with their threads.
    fn audit(&mut self, platform: &mut Platform<'_, Witness<'_>>) -> Vec<(String, AuditEntry)> {
        let mut fresh = Vec::new();
        for thread in self.threads.keys() {
            let of = OfThread { thread: thread.clone() };
            let entries = platform.step(&Step::Audit(of)).audit.unwrap_or_default();
            let told = self.audited.insert(thread.clone(), entries.len()).unwrap_or_default();
            fresh.extend(entries.into_iter().skip(told).map(|entry| (thread.clone(), entry)));
        }
        fresh
    }

    fn step(
        &mut self,
        step: &Step,
        observed: &Observation,
        mut around: Around<'_>,
        chain: Vec<HookSeen>,
    ) -> Telling {
        let mut telling = Telling { does: step::does(step), ..Telling::default() };
        let mut going: Vec<(&str, &Fired)> = Vec::new();
        if let (Step::Fire(fire), Some(fired)) = (step, &observed.fired) {
            self.stories.insert(fire.firing.clone(), Story::of(fire, chain));
            going.push((&fire.firing, fired));
        }
        going.extend(observed.resumed.iter().map(|resumed| (resumed.firing.as_str(), &resumed.fired)));
        // What the rules said can be told apart only while one firing goes on by itself.
        if going.len() != 1 || going.iter().any(|(_, fired)| !fired.agent_runs.is_empty()) {
            around.said.clear();
        }
        for (label, fired) in &going {
            self.stories.entry((*label).to_owned()).or_default().observe(fired);
        }
        for (thread, entry) in std::mem::take(&mut around.audited) {
            let claims = going.iter().filter_map(|(label, _)| {
                let story = self.stories.get(*label).filter(|story| story.thread() == thread)?;
                Some((story.claims(&entry)?, *label))
            });
            let whose = claims.min_by_key(|(claim, _)| *claim).map(|(_, label)| label);
            if let Some(story) = whose.and_then(|label| self.stories.get_mut(label)) {
                story.audit(&entry);
            }
        }
        for (place, (label, fired)) in going.iter().enumerate() {
            let Some(story) = self.stories.get_mut(*label) else { continue };
            let resumed = place > 0 || !matches!(step, Step::Fire(_));
            if resumed {
                telling
                    .sentences
                    .push(format!("Firing {label} goes on; its times count from its beginning:"));
            }
            if let (Step::Fire(fire), false) = (step, resumed) {
                story.told.meanwhile = meanwhile(&fire.meanwhile, observed);
            }
            story.conclude(fired, &around);
            telling.add(label, &story.told);
            for run in &fired.agent_runs {
                telling
                    .sentences
                    .push(format!("Within its own run, the agent of {} took these steps:", run.hook));
                let steps = story.agent_run(&run.hook);
                for (step, observed) in steps.iter().zip(&run.steps) {
                    telling.sentences.push(format!("  {}.", step::does(step)));
                    telling.sentences.extend(briefly(observed).into_iter().map(|line| format!("    {line}")));
                }
            }
        }
        telling.sentences.extend(step::shown(observed));
        telling
    }
}

/// What was observed of a step within an agent's run: who was called and what came of it.
fn briefly(observed: &Observation) -> Vec<String> {
    let mut lines = Vec::new();
    let resumed = observed.resumed.iter().map(|resumed| &resumed.fired);
    for fired in observed.fired.iter().chain(resumed) {
        let hooks: Vec<_> = fired.calls.iter().map(|call| call.hook.as_str()).collect();
        lines.push(format!("Asked: {}.", words::list(&hooks)));
        lines.extend(fired.parked.as_ref().map(|wait| format!("The work is parked on {}.", wait.wait)));
        let ended = fired.ended_ms.unwrap_or_default();
        lines.extend(fired.outcome.as_ref().map(|outcome| step::outcome(outcome, ended)));
    }
    lines.extend(step::shown(observed));
    lines
}

/// The control steps carried out while a firing ran.
fn meanwhile(steps: &[Meanwhile], observed: &Observation) -> Vec<(Millis, String)> {
    let mut steps: Vec<_> = steps.iter().collect();
    steps.sort_by_key(|step| step.at_ms);
    let ended = observed.fired.as_ref().and_then(|fired| fired.ended_ms);
    let (end, known) = (ended.unwrap_or(Millis::MAX), ended.unwrap_or_default());
    steps
        .into_iter()
        .zip(&observed.meanwhile)
        .map(|(meanwhile, observed)| {
            let shown: String =
                briefly(observed).into_iter().map(|sentence| format!(" {sentence}")).collect();
            // Behind the end of its firing it waits for its time as long as anything else is on its way.
            let when = if meanwhile.at_ms > end { "Behind the end, at " } else { "At " };
            let latest = if meanwhile.at_ms > known { " at the latest" } else { "" };
            let (at, does) = (words::time(meanwhile.at_ms), step::does(&meanwhile.step));
            (meanwhile.at_ms.min(end), format!("{when}{at}{latest}, meanwhile: {does}.{shown}"))
        })
        .collect()
}
