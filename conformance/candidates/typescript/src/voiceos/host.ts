import { compareCodePoints } from "../json/value.js";
import { ControlQueue } from "../kernel/control.js";
import type {
  AgentCall,
  App,
  ControlStep,
  Fire,
  Install,
  Step,
  VoiceosScript,
} from "../script/voiceos.js";
import { isControlStep, PLAIN_ANSWER } from "../script/voiceos.js";
import { EVENT_NAMES } from "./events.js";
import type { Scene } from "./firing.js";
import {
  fireDictation,
  firePostToolUse,
  firePreToolUse,
  fireTranscript,
  fireTurnComplete,
  uninterrupted,
} from "./firing.js";
import { Installation } from "./installation.js";
import type { Manifest } from "./manifest.js";
import { readManifest } from "./manifest.js";
import type { FiringSeen, HostError, Observation, ToolRef } from "./observation.js";
import { Turn } from "./turn.js";

/** Runs a script on a fresh host, and yields one observation a step. */
export function* runVoiceos(script: VoiceosScript): Generator<Observation> {
  const host = new Host();
  for (const step of script.steps) {
    yield host.carryOut(step);
  }
}

/** A step that refers to what is not there is refused, and changes nothing. */
class Refusal extends Error {
  constructor(readonly kind: HostError) {
    super(kind);
  }
}

class Host {
  /** In the order of installation (VO-ORDER-1). */
  private installations: readonly Installation[] = [];
  private frontmost: App | undefined;
  private turn: Turn | undefined;

  carryOut(step: Step): Observation {
    try {
      return isControlStep(step) ? this.control(step) : this.event(step);
    } catch (error) {
      if (error instanceof Refusal) {
        return { error: error.kind };
      }
      throw error;
    }
  }

  private event(step: Exclude<Step, ControlStep>): Observation {
    switch (step.kind) {
      case "agent_call":
        return this.agentCall(step.body);
      case "fire":
        return this.fire(step.body);
      case "begin_turn":
        if (this.turn !== undefined) {
          throw new Refusal("turn_open");
        }
        this.turn = new Turn(step.body.session_id);
        return {};
      case "end_turn": {
        if (this.turn === undefined) {
          throw new Refusal("no_turn");
        }
        const receipt = this.turn.receipt(step.body.response_text);
        this.turn = undefined;
        return fireTurnComplete(this.scene(), receipt); // VO-FOLD-13: whoever ended the turn
      }
    }
  }

  private control(step: ControlStep): Observation {
    switch (step.kind) {
      case "install":
        return this.install(step.body);
      case "update":
        return this.update(step.body);
      case "uninstall": {
        const gone = this.find(step.body.integration);
        gone.uninstall();
        this.installations = this.installations.filter((each) => each !== gone);
        return {};
      }
      case "strip_permission":
        this.find(step.body.integration).isStripped = true;
        return {};
      case "set_transcript_access":
        this.find(step.body.integration).access = step.body.on;
        return {};
      case "set_policy":
        this.findTool(step.body).setPolicy(step.body.tool, step.body.policy);
        return {};
      case "set_lock":
        this.findTool(step.body).setLock(step.body.tool, step.body.locked);
        return {};
      case "frontmost":
        this.frontmost = step.body.app;
        return {};
      case "agent_tools":
        return { tools: this.agentTools() };
    }
  }

  private install(install: Install): Observation {
    const reading = readManifest(install.manifest);
    if (reading.manifest === undefined) {
      return { accepted: false, faults: reading.faults };
    }
    const { manifest } = reading;
    if (this.installations.some(({ id }) => id === manifest.id)) {
      throw new Refusal("already_installed");
    }
    this.installations = [...this.installations, new Installation(manifest, install)];
    return sheet(manifest);
  }

  private update(install: Install): Observation {
    const reading = readManifest(install.manifest);
    if (reading.manifest === undefined) {
      return { accepted: false, faults: reading.faults };
    }
    this.find(reading.manifest.id).update(reading.manifest, install);
    return sheet(reading.manifest);
  }

  private fire({ event, answers, meanwhile, user }: Fire): Observation {
    const control = new ControlQueue(meanwhile, (step) => this.meanwhile(step));
    const seen = this.fired(event, answers, user, control);
    control.carryOutRest();
    return { ...seen, meanwhile: control.observed };
  }

  private fired(
    event: Fire["event"],
    answers: Fire["answers"],
    user: Fire["user"],
    control: ControlQueue<Step, Observation>,
  ): FiringSeen {
    const scene = this.scene();
    switch (event.kind) {
      case "transcript":
        return fireTranscript(scene, event.body, answers, control);
      case "dictation":
        return fireDictation(scene, event.body, answers, control);
      case "preToolUse": {
        const call = this.toolCall(event.body);
        const answer = answerOf(answers, event.body.integration);
        return firePreToolUse(scene, call, answer, user, control);
      }
      case "postToolUse": {
        const call = this.toolCall(event.body);
        const answer = answerOf(answers, event.body.integration);
        return firePostToolUse(scene, call, event.body.result, answer, control).seen;
      }
      case "turnComplete":
        return fireTurnComplete(scene, event.body);
    }
  }

  private meanwhile(step: Step): Observation {
    return isControlStep(step) ? this.carryOut(step) : { error: "not_a_control_step" };
  }

  /** A tool call by the agent: the firing before it, the card, the tool, the firing behind it. */
  private agentCall({ integration, tool, args, pre, post, user }: AgentCall): Observation {
    const owner = this.installations.find(({ id }) => id === integration);
    if (owner === undefined) {
      return { error: "unknown_integration", contacted: false };
    }
    if (!owner.hasTool(tool)) {
      // VO-HIDE-2: a hook's tool is as unknown to the agent as one that is not there.
      return { error: "unknown_tool", contacted: false };
    }
    const scene = this.scene();
    const call = { owner, toolName: tool, args };
    const before = firePreToolUse(scene, call, pre ?? PLAIN_ANSWER, user, uninterrupted());
    const outcome = before.outcome;
    if (outcome === undefined || !("executed" in outcome)) {
      return { ...before, contacted: false }; // VO-CONF-7b
    }
    const { failed, result } = owner.run(tool);
    this.turn?.used(tool, failed);
    // VO-FOLD-17b: the arguments are those that were executed. VO-DL-8: the budget is a new one.
    const executed = { ...call, args: outcome.executed.args };
    const after = firePostToolUse(scene, executed, result, post ?? PLAIN_ANSWER, uninterrupted());
    return {
      ...before,
      calls: [...(before.calls ?? []), ...(after.seen.calls ?? [])],
      logged: [...(before.logged ?? []), ...(after.seen.logged ?? [])],
      contacted: true,
      model_sees: after.modelSees,
    };
  }

  /** VO-HIDE-1: what a manifest lists as tools is what the agent sees; no hook is among them. */
  private agentTools(): readonly ToolRef[] {
    return this.installations
      .flatMap(({ id, toolNames }) =>
        [...new Set(toolNames)].map((tool) => ({ integration: id, tool })),
      )
      .sort(
        (a, b) =>
          compareCodePoints(a.integration, b.integration) || compareCodePoints(a.tool, b.tool),
      );
  }

  private scene(): Scene {
    return {
      installations: this.installations,
      frontmost: this.frontmost,
      turn: this.turn,
    };
  }

  private toolCall(event: {
    readonly integration: string;
    readonly toolName: string;
    readonly args: AgentCall["args"];
  }) {
    const owner = this.findTool({ integration: event.integration, tool: event.toolName });
    return { owner, toolName: event.toolName, args: event.args };
  }

  private find(integration: string): Installation {
    const found = this.installations.find(({ id }) => id === integration);
    if (found === undefined) {
      throw new Refusal("unknown_integration");
    }
    return found;
  }

  private findTool({ integration, tool }: ToolRef): Installation {
    const owner = this.find(integration);
    if (!owner.hasTool(tool)) {
      throw new Refusal("unknown_tool");
    }
    return owner;
  }
}

/** VO-MAN-11. */
function sheet({ hooks }: Manifest): Observation {
  return {
    accepted: true,
    hooks: EVENT_NAMES.filter((event) => hooks.has(event)),
    callout: hooks.size > 0,
  };
}

function answerOf(answers: Fire["answers"], integration: string) {
  return (Object.hasOwn(answers, integration) ? answers[integration] : undefined) ?? PLAIN_ANSWER;
}
