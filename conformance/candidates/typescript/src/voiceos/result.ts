import type { Json, JsonObject } from "../json/value.js";
import { isList, isObject, member } from "../json/value.js";
import type { Contribution } from "../kernel/chain.js";
import type { EventName } from "../script/voiceos.js";

export type Ending = "block" | "handled";

/** A HookResult, read for one event: only what belongs to that event is in it. */
export interface HookResult extends Contribution<Ending> {
  readonly additionalContext?: string | undefined;
  /** VO-CONF-2: the literal `true`, and nothing else. */
  readonly requireConfirmation: boolean;
  readonly responseText?: string | undefined;
  readonly view?: JsonObject | undefined;
  readonly reason?: string | undefined;
}

/** VO-FOLD-1: what an empty object, and nothing, mean. */
export const CONTINUE: HookResult = { requireConfirmation: false };

type Check = (value: Json) => boolean;

const isText: Check = (value) => typeof value === "string";
const isAny: Check = () => true;
const isView: Check = (value) => isObject(value) && isList(member(value, "blocks"));

// VO-WIRE-6b: an unknown decision is one of a wrong type.
const decisions: Check = (value) =>
  value === "continue" || value === "block" || value === "handled";

// VO-FOLD-18: what is shown beside a decision belongs to every event that a decision can end.
const shown = { responseText: isText, view: isView };

/** The members that belong to each event, and their types (VO-WIRE-8); `reason` belongs to all. */
const MEMBERS: Readonly<Record<EventName, Readonly<Record<string, Check>>>> = {
  transcript: { decision: decisions, updatedText: isText, additionalContext: isText, ...shown },
  dictation: { decision: decisions, updatedText: isText, ...shown },
  preToolUse: { decision: decisions, updatedArgs: isObject, ...shown },
  // VO-FOLD-8a: a decision there is ignored, whatever it is.
  postToolUse: { updatedResult: isAny },
  turnComplete: {},
};

const REWRITE_MEMBER: Readonly<Partial<Record<EventName, string>>> = {
  transcript: "updatedText",
  dictation: "updatedText",
  preToolUse: "updatedArgs",
  postToolUse: "updatedResult",
};

/** Reads a HookResult. `undefined` where a member that belongs to the event is of a wrong type. */
export function readHookResult(event: EventName, result: JsonObject): HookResult | undefined {
  const members = { ...MEMBERS[event], reason: isText };
  const given: Record<string, Json> = {};
  for (const [name, check] of Object.entries(members)) {
    const value = member(result, name);
    if (value !== undefined) {
      if (!check(value)) {
        return undefined;
      }
      given[name] = value;
    }
  }
  const decision = ending(event, given["decision"]);
  const rewrite = given[REWRITE_MEMBER[event] ?? ""];
  return {
    decision,
    // VO-FOLD-9: beside a decision that ends the event there is nothing left to rewrite.
    rewrite: rewrite === undefined || decision !== undefined ? undefined : { value: rewrite },
    additionalContext: given["additionalContext"] as string | undefined,
    requireConfirmation: event === "preToolUse" && member(result, "requireConfirmation") === true,
    responseText: given["responseText"] as string | undefined,
    view: given["view"] as JsonObject | undefined,
    reason: given["reason"] as string | undefined,
  };
}

/** The decision, where it ends this event: VO-FOLD-3, and for `handled` before a tool VO-FOLD-7. */
function ending(event: EventName, decision: Json | undefined): Ending | undefined {
  if (decision === "block" || (decision === "handled" && event !== "preToolUse")) {
    return decision;
  }
  return undefined;
}
