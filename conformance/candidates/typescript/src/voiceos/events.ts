import type { Json, JsonObject } from "../json/value.js";
import type { App, EventName } from "../script/voiceos.js";

/** In the order in which hooks are listed. */
export const EVENT_NAMES = [
  "transcript",
  "dictation",
  "preToolUse",
  "postToolUse",
  "turnComplete",
] as const satisfies readonly EventName[];

export function isEventName(name: string): name is EventName {
  return (EVENT_NAMES as readonly string[]).includes(name);
}

/** VO-HIDE-1, VO-MAN-8: names with this prefix are reserved for hooks. */
export const RESERVED_PREFIX = "voiceos_hook_";

/** VO-WIRE-1. */
export const HOOK_TOOL: Readonly<Record<EventName, string>> = {
  transcript: "voiceos_hook_transcript",
  dictation: "voiceos_hook_dictation",
  preToolUse: "voiceos_hook_pre_tool_use",
  postToolUse: "voiceos_hook_post_tool_use",
  turnComplete: "voiceos_hook_turn_complete",
};

export type AwaitedEvent = Exclude<EventName, "turnComplete">;

/** VO-DL-1. One budget a firing, whoever subscribes to it (VO-DL-2). */
export const BUDGET_MS: Readonly<Record<AwaitedEvent, number>> = {
  transcript: 500,
  dictation: 250,
  preToolUse: 2000,
  postToolUse: 2000,
};

/** The payload of an event: what is absent is left out, not `null` (VO-WIRE-1, VO-WIRE-2). */
export function payload(
  event: EventName,
  members: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return { hookApiVersion: 1, event, ...Object.fromEntries(given) };
}

/** An app as payloads carry it. */
export function appMember(app: App | undefined): JsonObject | undefined {
  if (app === undefined) {
    return undefined;
  }
  return {
    ...(app.bundleId === undefined ? {} : { bundleId: app.bundleId }),
    ...(app.name === undefined ? {} : { name: app.name }),
  };
}
