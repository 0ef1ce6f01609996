import { tryReadJson } from "../json/read.js";
import type { JsonObject } from "../json/value.js";
import { isObject, member } from "../json/value.js";
import type { EventName, Says } from "../script/voiceos.js";
import { readCallToolResult } from "./mcp.js";
import type { HookResult } from "./result.js";
import { CONTINUE, readHookResult } from "./result.js";

/** VO-FAIL-1. `silenced` is VO-CONSENT-2's. */
export type Failure =
  | "timeout"
  | "disconnect"
  | "tool_error"
  | "protocol_error"
  | "unparsable"
  | "wrong_shape"
  | "unregistered"
  | "silenced";

/** What arrived: a HookResult, or a failure. */
export type Arrived =
  { readonly result: HookResult } | { readonly result?: undefined; readonly failure: Failure };

export function arrived(event: EventName, says: Says): Arrived {
  switch (says.kind) {
    case "result":
    case "mutates":
      // The SDK sends `{}` for a handler that returned nothing. HK-ISOLATE-1: one that mutates its
      // input does so to a copy, so only what it returns counts.
      return fromText(event, says.value === null ? "{}" : JSON.stringify(says.value));
    case "text":
      return fromText(event, says.text);
    case "call_result":
      return fromCallResult(event, says.result);
    case "never":
      return { failure: "timeout" };
    case "tool_error":
    case "disconnect":
    case "unregistered":
      return { failure: says.kind };
  }
}

function fromCallResult(event: EventName, given: JsonObject): Arrived {
  const result = readCallToolResult(given);
  if (result === undefined) {
    return { failure: "protocol_error" }; // VO-WIRE-13
  }
  if (result.isError) {
    return { failure: "tool_error" }; // VO-WIRE-3
  }
  // VO-WIRE-9, VO-WIRE-12: the first text item counts, and `structuredContent` never does.
  const item = result.content.find((each) => member(each, "type") === "text");
  const text = item === undefined ? "" : member(item, "text");
  return fromText(event, typeof text === "string" ? text : "");
}

function fromText(event: EventName, text: string): Arrived {
  if (text === "") {
    return { result: CONTINUE }; // VO-WIRE-5
  }
  // VO-WIRE-11: of a member given twice the last one counts, so repetitions are not looked at.
  const value = tryReadJson(text)?.value;
  if (value === undefined) {
    return { failure: "unparsable" }; // VO-WIRE-4, VO-WIRE-10b
  }
  if (value === null) {
    return { result: CONTINUE }; // VO-WIRE-5
  }
  const result = isObject(value) ? readHookResult(event, value) : undefined;
  return result === undefined ? { failure: "wrong_shape" } : { result };
}
