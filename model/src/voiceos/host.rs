//! A VoiceOS host: what is installed, and the steps that change it. VO-LOAD, VO-HIDE, VO-CONSENT,
//! VO-LIFE, VO-ORDER-1.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::event::EventKind;
use super::loading::Standing;
use super::manifest::Manifest;
use super::rules::Rules;
use super::story::Turn;
use crate::kernel::Millis;
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::{ChainOrder, InitialAccess, StrippedUpdate};
use crate::script::voiceos::{
    App, FaultSeen, HostError, Install, Observation, Policy, Step, ToolRef, ToolStub,
};

/// A host with its user, on which a script runs.
pub struct Host<'r, R: Rules + ?Sized> {
    pub(super) rules: &'r R,
    pub(super) readings: VoiceosReadings,
    pub(super) integrations: Vec<Integration>,
    pub(super) frontmost: Option<App>,
    pub(super) turn: Option<Turn>,
    /// How many installations there have been.
    installs: usize,
}

/// An installed integration.
#[derive(Debug, Clone)]
pub(super) struct Integration {
    /// Which installation this is. A reinstall is another one (VO-LIFE-1), an update is not.
    pub(super) number: usize,
    pub(super) manifest: Manifest,
    offers: BTreeSet<EventKind>,
    tools: BTreeMap<String, ToolStub>,
    stripped: bool,
    access: bool,
    decided: Decided,
}

/// What the user has decided about the tools of an integration.
#[derive(Debug, Clone, Default)]
struct Decided {
    policies: BTreeMap<String, Policy>,
    locked: BTreeSet<String>,
}

impl Integration {
    fn new(number: usize, manifest: Manifest, install: &Install, access: bool) -> Self {
        let declared = || manifest.hooks.keys().copied().collect();
        let offers = install.offers.as_ref().map_or_else(declared, |offers| {
            offers.iter().filter_map(|name| EventKind::named(name)).collect()
        });
        let tools = install.tools.clone();
        Self { number, manifest, offers, tools, stripped: false, access, decided: Decided::default() }
    }

    /// The name that scripts and transcripts give it.
    pub(super) fn id(&self) -> &str {
        &self.manifest.id
    }

    /// How it stands to an event now.
    pub(super) fn standing(&self, kind: EventKind) -> Standing {
        Standing {
            declared: self.manifest.hooks.contains_key(&kind),
            offered: self.offers.contains(&kind),
            stripped: self.stripped,
            access: self.access,
            removed: false,
        }
    }

    pub(super) fn policy(&self, tool: &str) -> Policy {
        self.decided.policies.get(tool).copied().unwrap_or_default()
    }

    pub(super) fn is_locked(&self, tool: &str) -> bool {
        self.decided.locked.contains(tool)
    }

    /// What a tool does when it runs: its raw result, and whether it failed.
    pub(super) fn run(&self, tool: &str) -> (Value, bool) {
        match self.tools.get(tool) {
            None => (Value::Object(serde_json::Map::new()), false),
            Some(ToolStub::Result(result)) => (result.clone(), false),
            Some(ToolStub::Fails(result)) => (result.clone(), true),
        }
    }
}

impl<'r, R: Rules + ?Sized> Host<'r, R> {
    /// A fresh host: nothing installed, the frontmost app unknown.
    #[must_use]
    pub const fn new(rules: &'r R, readings: VoiceosReadings) -> Self {
        Self { rules, readings, integrations: Vec::new(), frontmost: None, turn: None, installs: 0 }
    }

    /// Carries out one step.
    pub fn step(&mut self, step: &Step) -> Observation {
        match step {
            Step::Fire(fire) => self.fire(fire, Millis::ZERO),
            Step::AgentCall(call) => self.agent_call(call),
            Step::BeginTurn(begin) => self.begin_turn(begin),
            Step::EndTurn(end) => self.end_turn(end),
            control => self.control(control).unwrap_or_else(refused),
        }
    }

    /// Carries out a step that fires nothing.
    pub(super) fn control(&mut self, step: &Step) -> Result<Observation, HostError> {
        match step {
            Step::Install(install) => self.install(install, false),
            Step::Update(install) => self.install(install, true),
            Step::Uninstall(of) => {
                self.named(&of.integration)?;
                self.integrations.retain(|integration| integration.id() != of.integration);
                Ok(Observation::default())
            }
            Step::StripPermission(of) => {
                self.change(&of.integration, |integration| integration.stripped = true)
            }
            Step::SetTranscriptAccess(set) => {
                let rules = self.rules;
                self.change(&set.integration, |integration| {
                    integration.access = rules.access(integration.access, set.on);
                })
            }
            Step::SetPolicy(set) => {
                self.owns(&set.integration, &set.tool)?;
                self.change(&set.integration, |integration| {
                    integration.decided.policies.insert(set.tool.clone(), set.policy);
                })
            }
            Step::SetLock(set) => {
                self.owns(&set.integration, &set.tool)?;
                self.change(&set.integration, |integration| {
                    let locked = &mut integration.decided.locked;
                    if set.locked {
                        locked.insert(set.tool.clone())
                    } else {
                        locked.remove(&set.tool)
                    };
                })
            }
            Step::Frontmost(frontmost) => {
                self.frontmost.clone_from(&frontmost.app);
                Ok(Observation::default())
            }
            Step::AgentTools(_) => Ok(self.agent_tools()),
            Step::Fire(_) | Step::AgentCall(_) | Step::BeginTurn(_) | Step::EndTurn(_) => {
                Err(HostError::NotAControlStep)
            }
        }
    }

    fn install(&mut self, install: &Install, update: bool) -> Result<Observation, HostError> {
        let manifest = match self.rules.manifest(&self.readings, &install.manifest) {
            Ok(manifest) => manifest,
            Err(faults) => {
                let seen = |fault: crate::Fault| FaultSeen {
                    pointer: fault.pointer,
                    clause: fault.clause.to_owned(),
                };
                let faults = faults.into_iter().map(seen).collect();
                return Ok(Observation { accepted: Some(false), faults, ..Observation::default() });
            }
        };
        let place = self.integrations.iter().position(|integration| integration.id() == manifest.id);
        let access = self.readings.initial_access == InitialAccess::On;
        let fresh = Integration::new(self.installs, manifest, install, access);
        let callout = self.rules.calls_out(&fresh.manifest);
        let hooks = fresh.manifest.hooks.keys().map(|event| event.name().to_owned()).collect();
        match (update, place.and_then(|place| self.integrations.get_mut(place))) {
            (false, None) => {
                self.installs += 1;
                self.integrations.push(fresh);
            }
            (false, Some(_)) => return Err(HostError::AlreadyInstalled),
            (true, None) => return Err(HostError::UnknownIntegration),
            // VO-CONSENT-4, VO-CONF-9, VO-LOAD-3, VO-ORDER-1: an update keeps all that the user has decided.
            (true, Some(old)) => {
                let stripped = old.stripped && self.readings.stripped_update == StrippedUpdate::StaysStripped;
                let decided = std::mem::take(&mut old.decided);
                let decided = if self.rules.keeps_decisions() { decided } else { Decided::default() };
                let (number, access) = (old.number, old.access);
                *old = Integration { number, access, stripped, decided, ..fresh };
            }
        }
        Ok(Observation {
            accepted: Some(true),
            hooks: Some(hooks),
            callout: Some(callout),
            ..Observation::default()
        })
    }

    /// VO-HIDE-1: what the agent can call.
    fn agent_tools(&self) -> Observation {
        let mut tools: Vec<_> =
            self.integrations
                .iter()
                .flat_map(|integration| {
                    let offered = integration.offers.iter().map(|kind| kind.tool());
                    integration.manifest.tools.iter().map(String::as_str).chain(offered).map(|tool| ToolRef {
                        integration: integration.id().to_owned(),
                        tool: tool.to_owned(),
                    })
                })
                .filter(|seen| self.rules.visible(&seen.tool))
                .collect();
        tools.sort();
        Observation { tools: Some(tools), ..Observation::default() }
    }

    /// VO-ORDER-1: the integrations in chain order.
    pub(super) fn chain(&self) -> Vec<&Integration> {
        let mut chain: Vec<_> = self.integrations.iter().collect();
        if self.readings.chain_order == ChainOrder::ById {
            chain.sort_by(|a, b| a.id().cmp(b.id()));
        }
        chain
    }

    pub(super) fn named(&self, id: &str) -> Result<&Integration, HostError> {
        self.integrations
            .iter()
            .find(|integration| integration.id() == id)
            .ok_or(HostError::UnknownIntegration)
    }

    /// The integration, if it owns a tool of this name.
    pub(super) fn owns(&self, id: &str, tool: &str) -> Result<&Integration, HostError> {
        let integration = self.named(id)?;
        if integration.manifest.tools.contains(tool) { Ok(integration) } else { Err(HostError::UnknownTool) }
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut Integration)) -> Result<Observation, HostError> {
        let integration = self.integrations.iter_mut().find(|integration| integration.id() == id);
        change(integration.ok_or(HostError::UnknownIntegration)?);
        Ok(Observation::default())
    }
}

/// What is observed of a step that the host refused.
pub(super) fn refused(error: HostError) -> Observation {
    Observation { error: Some(error), ..Observation::default() }
}
