import { fail } from "../json/decode.js";
import { emptyObject } from "../json/value.js";
import type { Fire, MatricesScript, Resolve, Step } from "../script/matrices.js";
import { isControlStep } from "../script/matrices.js";
import { readBody } from "./answer.js";
import { Catalogue, SIX_DEFAULTS } from "./defaults.js";
import { Engine } from "./engine.js";
import type { Hook } from "./hook.js";
import type { HookSeen, Observation, PlatformError, WaitSeen } from "./observation.js";
import { readHook, readProfile } from "./profile.js";
import type { Profile } from "./thread.js";
import { Thread, waitSeen } from "./thread.js";

/** Runs a script on a fresh platform, and yields one observation a step. */
export function* runMatrices(script: MatricesScript): Generator<Observation> {
  const platform = new Platform(catalogueOf(script));
  for (const step of script.steps) {
    yield platform.carryOut(step);
  }
}

function catalogueOf(script: MatricesScript): Catalogue {
  const catalogue = new Catalogue();
  if (script.catalogue === undefined) {
    SIX_DEFAULTS.forEach((hook) => catalogue.add(hook));
    return catalogue;
  }
  script.catalogue.forEach((entry, i) => {
    const hook = readHook(entry);
    if (hook === undefined || catalogue.add(hook) !== "new") {
      fail(`/matrices/catalogue/${i}`, "is no default");
    }
  });
  return catalogue;
}

/** A step that refers to what is not there is refused, and changes nothing. */
class Refusal extends Error {
  constructor(readonly kind: PlatformError) {
    super(kind);
  }
}

class Platform {
  private readonly engine: Engine;
  private readonly profiles = new Map<string, Profile>();
  private readonly threads = new Map<string, Thread>();
  private readonly firings = new Set<string>();

  constructor(private readonly catalogue: Catalogue) {
    this.engine = new Engine({
      meanwhile: (step) =>
        isControlStep(step) ? this.carryOut(step) : { error: "not_a_control_step" },
      ofAgentRun: (step) => this.carryOut(step),
    });
  }

  carryOut(step: Step): Observation {
    try {
      const { observed, resumed } = this.engine.watching(() => this.step(step));
      return { ...observed, resumed };
    } catch (error) {
      if (error instanceof Refusal) {
        return { error: error.kind };
      }
      throw error;
    }
  }

  // Refusals: a thread is looked for before a label, a label before a profile, that before its text.
  private step(step: Step): Observation {
    switch (step.kind) {
      case "create_profile":
        if (this.profiles.has(step.body.profile)) {
          throw new Refusal("label_taken");
        }
        return this.createProfile(step.body.profile, step.body.text);
      case "update_profile":
        return this.updateProfile(this.profile(step.body.profile), step.body.text);
      case "get_profile":
        return { hooks: hooksSeen(this.profile(step.body.profile)) };
      case "add_default":
        return this.addDefault(readHook(step.body.hook));
      case "open_thread": {
        const { thread, profile } = step.body;
        if (this.threads.has(thread)) {
          throw new Refusal("label_taken");
        }
        this.threads.set(thread, new Thread(thread, this.profile(profile)));
        return {};
      }
      case "cancel_thread": {
        const thread = this.liveThread(step.body.thread);
        thread.isCancelled = true;
        this.engine.cancel(thread);
        return {};
      }
      case "advance":
        this.engine.settle(this.engine.now + step.body.by_ms);
        return {};
      case "waiting_threads":
        return { threads: this.waitingThreads() };
      case "resolve":
        return this.resolve(step.body);
      case "audit":
        return { audit: [...this.thread(step.body.thread).audit] };
      case "fire":
        return this.fire(step.body);
    }
  }

  private createProfile(label: string, text: string): Observation {
    const reading = readProfile(text);
    if (reading.faults !== undefined) {
      return { accepted: false, faults: reading.faults };
    }
    // MX-DEF-1 to MX-DEF-3.
    const profile = { hooks: reading.hooks ?? this.catalogue.hooks };
    this.profiles.set(label, profile);
    return { accepted: true, hooks: hooksSeen(profile) };
  }

  private updateProfile(profile: Profile, text: string): Observation {
    const reading = readProfile(text);
    if (reading.faults !== undefined) {
      return { accepted: false, faults: reading.faults }; // MX-VAL-15
    }
    profile.hooks = reading.hooks ?? profile.hooks; // MX-DEF-5
    return { accepted: true, hooks: hooksSeen(profile) };
  }

  private addDefault(hook: Hook | undefined): Observation {
    const added = hook === undefined ? "bad" : this.catalogue.add(hook);
    if (hook === undefined || added === "bad") {
      throw new Refusal("bad_default");
    }
    if (added === "new") {
      for (const profile of this.profiles.values()) {
        profile.hooks = this.catalogue.reach(profile.hooks, hook);
      }
    }
    return { accepted: true };
  }

  private fire(fire: Fire): Observation {
    const thread = this.liveThread(fire.thread);
    if (this.firings.has(fire.firing)) {
      throw new Refusal("label_taken");
    }
    this.firings.add(fire.firing);
    return this.engine.fire(fire, thread);
  }

  private resolve({ thread: label, wait: name, body }: Resolve): Observation {
    const thread = this.thread(label);
    const wait = thread.wait(name);
    if (wait === undefined) {
      throw new Refusal("unknown_wait"); // MX-WAIT-8
    }
    if (wait.state !== "pending") {
      throw new Refusal(wait.state); // MX-WAIT-5
    }
    const answer = readBody(wait.firing.point, Buffer.from(body));
    if (answer.kind !== "result") {
      throw new Refusal("not_a_result"); // MX-WAIT-6
    }
    this.engine.resolve(wait, answer.result);
    return {};
  }

  /** MX-WAIT-1, MX-WAIT-2. */
  private waitingThreads(): Readonly<Record<string, readonly WaitSeen[]>> {
    const waiting = emptyObject<readonly WaitSeen[]>();
    for (const { label, pending } of this.threads.values()) {
      if (pending.length > 0) {
        waiting[label] = pending.map(waitSeen);
      }
    }
    return waiting;
  }

  private profile(label: string): Profile {
    return this.profiles.get(label) ?? refuse("unknown_profile");
  }

  private thread(label: string): Thread {
    return this.threads.get(label) ?? refuse("unknown_thread");
  }

  private liveThread(label: string): Thread {
    const thread = this.thread(label);
    return thread.isCancelled ? refuse("thread_cancelled") : thread;
  }
}

function refuse(kind: PlatformError): never {
  throw new Refusal(kind);
}

function hooksSeen({ hooks }: Profile): readonly HookSeen[] {
  return hooks.map(({ id, point, processor, onFailure, asyncTimeoutMs }) => ({
    id,
    point,
    processor: processor.kind,
    on_failure: onFailure,
    async_timeout_ms: asyncTimeoutMs,
  }));
}
