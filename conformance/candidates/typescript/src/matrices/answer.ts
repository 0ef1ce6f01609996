import { tryReadJson } from "../json/read.js";
import type { Json } from "../json/value.js";
import { isObject, member } from "../json/value.js";
import type { Contribution } from "../kernel/chain.js";
import type { Point, Says } from "../script/matrices.js";

export type Decision = "allow" | "deny";

/** MX-AUD-5: how a hook failed, as the platform's sentence names it. */
export type Failure =
  | "timeout"
  | "refused"
  | "disconnect"
  | "status"
  | "redirect"
  | "unparsable"
  | "wrong_shape"
  | "too_large"
  | "expired";

export interface HookResult extends Contribution<Decision> {
  readonly reason?: string | undefined;
}

/** What came of asking a processor: its HookResult, none, or (with `pending`) none yet. */
export type Arrived =
  | { readonly kind: "result"; readonly result: HookResult }
  | { readonly kind: "failure"; readonly failure: Failure }
  | { readonly kind: "pending" };

/** HK-LIMIT-1. */
const MAX_BODY_BYTES = 1024 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];
const ACCEPTED = 202;
// With padding, and with nothing but the alphabet of RFC 4648.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** MX-FAIL-3. */
export function arrived(point: Point, says: Says): Arrived {
  switch (says.kind) {
    case "body":
      return readBody(point, Buffer.from(says.body));
    case "bytes":
      return readBase64(point, says.base64);
    case "status":
      return fromStatus(says.status);
    case "agent_run":
      // The run is over by now, and leaves a plain defer.
      return { kind: "result", result: {} };
    case "pending":
      return { kind: "pending" }; // MX-PROC-3
    case "never":
      return failed("timeout");
    case "redirect":
    case "refused":
      return failed(says.kind); // MX-FAIL-4
    case "reset":
      return failed("disconnect");
  }
}

/** A response without a body. */
function fromStatus(status: number): Arrived {
  if (status === ACCEPTED) {
    return { kind: "pending" };
  }
  if (REDIRECTS.includes(status)) {
    return failed("redirect");
  }
  // MX-WIRE-4: an empty body is no JSON document.
  return failed(status >= 200 && status <= 299 ? "unparsable" : "status");
}

function readBase64(point: Point, base64: string): Arrived {
  // Spare bits of the last character may be what they like (RFC 4648, 3.5).
  return BASE64.test(base64)
    ? readBody(point, Buffer.from(base64, "base64"))
    : failed("unparsable");
}

/** Reads a body: that of a processor's answer, or that of a resolve (MX-WAIT-3b). */
export function readBody(point: Point, bytes: Buffer): Exclude<Arrived, { kind: "pending" }> {
  if (bytes.byteLength > MAX_BODY_BYTES) {
    return failed("too_large");
  }
  const reading = tryReadJson(decode(bytes) ?? "");
  if (reading === undefined || reading.repeated.length > 0) {
    return failed("unparsable");
  }
  const result = readHookResult(point, reading.value);
  return result === undefined ? failed("wrong_shape") : { kind: "result", result };
}

/** The text of well-formed UTF-8. A BOM stays in it, and is no JSON. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** MX-FOLD-7. */
const REWRITE_MEMBER: Readonly<Record<Point, string>> = {
  before_input: "updatedText",
  before_tool_call: "updatedInput",
  after_tool_call: "updatedOutput",
  after_output: "updatedText",
};

const REWRITES: Readonly<Record<string, (value: Json) => boolean>> = {
  updatedText: (value) => typeof value === "string",
  updatedInput: isObject,
  updatedOutput: () => true,
};

/** Reads a HookResult for a point, or `undefined` for what is none (MX-WIRE-2, MX-WIRE-3). */
function readHookResult(point: Point, value: Json): HookResult | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const decision = member(value, "decision");
  const reason = member(value, "reason");
  if (decision === "deny") {
    // MX-FOLD-5: it stands whatever else is there.
    return { decision, reason: typeof reason === "string" ? reason : undefined };
  }
  const isGood = decision === "defer" || decision === "allow";
  if (!isGood || (reason !== undefined && typeof reason !== "string")) {
    return undefined;
  }
  const [name, ...others] = Object.keys(REWRITES).filter((each) => Object.hasOwn(value, each));
  const rewrite = name === undefined ? undefined : member(value, name);
  if (name !== undefined && rewrite !== undefined) {
    // MX-FOLD-8: one that does not fit is malformed, and so are two.
    const fits = name === REWRITE_MEMBER[point] && REWRITES[name]?.(rewrite) === true;
    if (!fits || others.length > 0) {
      return undefined;
    }
  }
  return {
    decision: decision === "allow" ? decision : undefined,
    rewrite: rewrite === undefined ? undefined : { value: rewrite }, // MX-FOLD-3, MX-FOLD-4
    reason,
  };
}

function failed(failure: Failure): { readonly kind: "failure"; readonly failure: Failure } {
  return { kind: "failure", failure };
}
