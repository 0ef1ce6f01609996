import type { Json, JsonObject } from "../json/value.js";
import { Chain } from "../kernel/chain.js";
import type { ControlQueue } from "../kernel/control.js";
import type { Answer, Step } from "../script/voiceos.js";
import type { Arrived } from "./answer.js";
import { arrived } from "./answer.js";
import type { AwaitedEvent } from "./events.js";
import { BUDGET_MS, HOOK_TOOL } from "./events.js";
import type { Hook } from "./installation.js";
import type { Call, LogEntry, Observation } from "./observation.js";
import type { Ending, HookResult } from "./result.js";

/** An awaited firing. */
export interface Firing {
  readonly event: AwaitedEvent;
  /** The hooks that were selected when it fired, in chain order. */
  readonly hooks: readonly Hook[];
  /** The text, arguments or result that hooks may rewrite. */
  readonly value: Json;
  readonly payload: (value: Json) => JsonObject;
  readonly answer: (hook: Hook) => Answer;
  readonly control: ControlQueue<Step, Observation>;
}

/** What came of it. */
export interface Dispatched {
  readonly calls: readonly Call[];
  readonly logged: readonly LogEntry[];
  readonly value: Json;
  readonly contexts: readonly string[];
  readonly wantsConfirmation: boolean;
  /** The decision that ended the event, with the answer it came in. */
  readonly ending?: { readonly decision: Ending; readonly result: HookResult } | undefined;
  readonly endedMs: number;
}

/**
 * Asks the hooks of an awaited firing one after the other, each with what the ones before it left of
 * the budget (VO-ORDER-2, VO-DL-2). Whatever fails is passed over (VO-FAIL-1, VO-FAIL-2).
 */
export function dispatch(firing: Firing): Dispatched {
  const budget = BUDGET_MS[firing.event];
  const chain = new Chain<Hook, Ending>(firing.hooks, firing.value);
  const calls: Call[] = [];
  const logged: LogEntry[] = [];
  const contexts: string[] = [];
  let wantsConfirmation = false;
  let last: HookResult | undefined;
  let now = 0;

  function log(hook: Hook, about: Arrived): void {
    const failure = about.result === undefined ? about.failure : undefined;
    const reason = about.result?.reason;
    if (failure !== undefined || reason !== undefined) {
      logged.push({ hook: hook.integration, failure, reason });
    }
  }

  /** Waits for the answer of a hook that was just called. */
  function waitFor(hook: Hook): Arrived {
    const { afterMs, says } = firing.answer(hook);
    const arrives = says.kind === "never" ? Infinity : now + afterMs;
    now = Math.min(arrives, budget);
    // VO-CONSENT-2: access that is back on by the time of the answer was off all the same.
    const hadConsent = firing.control.carryOutUntil(now, () => hook.hasConsent);
    if (arrives > budget) {
      return { failure: "timeout" }; // VO-DL-3, VO-DL-4, VO-DL-6
    }
    return hadConsent ? arrived(firing.event, says) : { failure: "silenced" };
  }

  // VO-DL-9: with nothing left of the budget nobody is asked.
  while (now < budget) {
    // VO-CONSENT-1: consent is looked at when a hook's turn comes.
    const hook = chain.next((each) => each.hasConsent);
    if (hook === undefined) {
      break;
    }
    if (!hook.isOffered) {
      log(hook, { failure: "unregistered" }); // VO-LOAD-2a
      continue;
    }
    calls.push({
      hook: hook.integration,
      tool: HOOK_TOOL[firing.event],
      payload: firing.payload(chain.value),
      at_ms: now,
    });
    const answer = waitFor(hook);
    log(hook, answer);
    if (answer.result !== undefined) {
      last = answer.result;
      chain.take(last);
      wantsConfirmation ||= last.requireConfirmation;
      if (last.additionalContext !== undefined) {
        contexts.push(last.additionalContext); // VO-FOLD-10
      }
    }
  }

  const decision = chain.decision;
  return {
    calls,
    logged,
    value: chain.value,
    contexts,
    wantsConfirmation,
    ending: decision === undefined || last === undefined ? undefined : { decision, result: last },
    endedMs: now,
  };
}
