//! What people do to a host: the steps that can be carried out while a firing goes on, too.

use super::kind::name_of;
use super::manifest::{self, Declared, Manifest};
use super::turn::Turn;
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::{ChainOrder, InitialAccess, StrippedUpdate};
use crate::script::voiceos::{App, HostError, Install, Observation, Policy, Step, ToolRef};

/// A host.
#[derive(Clone)]
pub(super) struct Host {
    pub(super) readings: VoiceosReadings,
    /// In the order in which they were installed.
    pub(super) installed: Vec<Installed>,
    /// The frontmost app, where it is known.
    pub(super) front: Option<App>,
    pub(super) turn: Option<Turn>,
    /// How many installations there have been.
    pub(super) installs: usize,
}

/// An integration that is installed.
#[derive(Clone)]
pub(super) struct Installed {
    /// Which installation this is. A reinstall is another one (VO-LIFE-1).
    pub(super) number: usize,
    pub(super) manifest: Manifest,
    pub(super) install: Install,
    /// VO-CONSENT-1: where its Transcript access toggle stands.
    pub(super) access: bool,
    /// VO-LOAD-1: whether the permission was taken from it.
    pub(super) stripped: bool,
    pub(super) decided: Vec<Decided>,
}

/// What the user decided about a tool.
#[derive(Clone, Default)]
pub(super) struct Decided {
    tool: String,
    pub(super) policy: Policy,
    pub(super) locked: bool,
}

/// A control step.
pub(super) fn controlled(host: &mut Host, step: &Step) -> Observation {
    let done = match step {
        Step::Install(install) => return installs(host, install),
        Step::Update(install) => return updates(host, install),
        Step::AgentTools(_) => return lists_tools(host),
        Step::Fire(_) | Step::AgentCall(_) | Step::BeginTurn(_) | Step::EndTurn(_) => {
            Err(HostError::NotAControlStep)
        }
        Step::Uninstall(of) => find(host, &of.integration).map(|number| {
            host.installed.retain(|integration| integration.number != number);
        }),
        Step::StripPermission(of) => change(host, &of.integration, |it| it.stripped = true),
        Step::SetTranscriptAccess(access) => change(host, &access.integration, |it| it.access = access.on),
        Step::SetPolicy(set) => decide(host, &set.integration, &set.tool, |it| it.policy = set.policy),
        Step::SetLock(set) => decide(host, &set.integration, &set.tool, |it| it.locked = set.locked),
        Step::Frontmost(frontmost) => {
            host.front.clone_from(&frontmost.app);
            Ok(())
        }
    };
    Observation { error: done.err(), ..Observation::default() }
}

fn installs(host: &mut Host, install: &Install) -> Observation {
    let manifest = match manifest::manifest(&host.readings, &install.manifest) {
        Ok(manifest) => manifest,
        Err(faults) => return Observation { accepted: Some(false), faults, ..Observation::default() },
    };
    if find(host, &manifest.id).is_ok() {
        return Observation { error: Some(HostError::AlreadyInstalled), ..Observation::default() };
    }
    host.installs += 1;
    let new = Installed {
        number: host.installs,
        manifest,
        install: install.clone(),
        // VO-CONSENT-4.
        access: host.readings.initial_access == InitialAccess::On,
        stripped: false,
        decided: vec![],
    };
    let observation = accepted(&new);
    host.installed.push(new);
    observation
}

/// VO-ORDER-1, VO-CONSENT-4, VO-CONF-9: an update keeps the place, the toggle and the decisions.
fn updates(host: &mut Host, install: &Install) -> Observation {
    let manifest = match manifest::manifest(&host.readings, &install.manifest) {
        Ok(manifest) => manifest,
        Err(faults) => return Observation { accepted: Some(false), faults, ..Observation::default() },
    };
    let restored = host.readings.stripped_update == StrippedUpdate::Restored;
    let Some(old) = host.installed.iter_mut().find(|it| it.manifest.id == manifest.id) else {
        return Observation { error: Some(HostError::UnknownIntegration), ..Observation::default() };
    };
    // VO-LOAD-3.
    let stripped = old.stripped && !restored;
    *old = Installed { manifest, install: install.clone(), stripped, ..old.clone() };
    accepted(old)
}

/// VO-MAN-11. What is declared is listed, loaded or not.
fn accepted(integration: &Installed) -> Observation {
    let declared = &integration.manifest.hooks;
    Observation {
        accepted: Some(true),
        hooks: Some(declared.iter().map(|hook| name_of(hook.kind).to_owned()).collect()),
        callout: Some(!declared.is_empty()),
        ..Observation::default()
    }
}

/// VO-HIDE-1: the tools of the manifests, none of which has a reserved name (VO-MAN-8).
fn lists_tools(host: &Host) -> Observation {
    let of = |it: &Installed| {
        let integration = it.manifest.id.clone();
        let tools = it.manifest.tools.clone().into_iter();
        tools.map(move |tool| ToolRef { integration: integration.clone(), tool })
    };
    let mut tools: Vec<_> = host.installed.iter().flat_map(of).collect();
    tools.sort();
    Observation { tools: Some(tools), ..Observation::default() }
}

/// The number of the installation of this id.
pub(super) fn find(host: &Host, id: &str) -> Result<usize, HostError> {
    let found = host.installed.iter().find(|integration| integration.manifest.id == id);
    found.map(|integration| integration.number).ok_or(HostError::UnknownIntegration)
}

fn change(host: &mut Host, id: &str, how: impl FnOnce(&mut Installed)) -> Result<(), HostError> {
    let found = host.installed.iter_mut().find(|integration| integration.manifest.id == id);
    found.map(how).ok_or(HostError::UnknownIntegration)
}

/// The user decides something about a tool.
fn decide(host: &mut Host, id: &str, tool: &str, how: impl FnOnce(&mut Decided)) -> Result<(), HostError> {
    let found = host.installed.iter_mut().find(|integration| integration.manifest.id == id);
    let integration = found.ok_or(HostError::UnknownIntegration)?;
    if !integration.manifest.tools.iter().any(|name| name == tool) {
        return Err(HostError::UnknownTool);
    }
    let mut decided = decided_about(integration, tool);
    how(&mut decided);
    integration.decided.retain(|other| other.tool != tool);
    integration.decided.push(decided);
    Ok(())
}

/// What the user has decided about a tool so far.
pub(super) fn decided_about(integration: &Installed, tool: &str) -> Decided {
    let found = integration.decided.iter().find(|decided| decided.tool == tool);
    found.cloned().unwrap_or_else(|| Decided { tool: tool.to_owned(), ..Decided::default() })
}

/// VO-ORDER-1: the integrations as they stand, each with its loaded hooks (VO-LOAD-1).
pub(super) fn in_order(host: &Host) -> Vec<(&Installed, &[Declared])> {
    let mut all: Vec<_> = host.installed.iter().collect();
    if host.readings.chain_order == ChainOrder::ById {
        all.sort_by_key(|integration| &integration.manifest.id);
    }
    let loaded = |it: &Installed| !it.stripped;
    all.into_iter().filter(|it| loaded(it)).map(|it| (it, it.manifest.hooks.as_slice())).collect()
}
