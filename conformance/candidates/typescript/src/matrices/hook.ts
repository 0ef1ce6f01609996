import type { Json } from "../json/value.js";
import { equal } from "../json/value.js";
import type { Point } from "../script/matrices.js";

export const POINTS = [
  "before_input",
  "before_tool_call",
  "after_tool_call",
  "after_output",
] as const satisfies readonly Point[];

/** MX-VAL-2. */
export function isToolPoint(point: Point): boolean {
  return point === "before_tool_call" || point === "after_tool_call";
}

/** At these something has run already, and only its output is left to withhold (MX-FOLD-9a). */
export function isAfterPoint(point: Point): boolean {
  return point === "after_tool_call" || point === "after_output";
}

/** MX-MATCH-8. */
export const OPERATORS = [
  "eq",
  "neq",
  "in",
  "not_in",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "starts_with",
  "exists",
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  readonly path: string;
  readonly operator: Operator;
  readonly value: Json;
}

export type Processor =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "agent"; readonly agent: string }
  | { readonly kind: "client" };

/** MX-VAL-11. */
export type OnFailure = "fail_closed" | "fail_open";

/** A hook with everything filled in that its profile left out. */
export interface Hook {
  readonly id: string;
  readonly point: Point;
  /** `null` where any tool will do. */
  readonly tools: readonly string[] | null;
  readonly where: readonly Condition[];
  readonly processor: Processor;
  readonly onFailure: OnFailure;
  readonly asyncTimeoutMs: number;
  readonly timeoutMs: number;
}

/** MX-VAL-8a, MX-DL-2. */
export const DAY_MS = 86_400_000;
/** MX-DL-1. */
export const CALL_TIMEOUT_MS = 10_000;
/** MX-VAL-1. */
export const MAX_HOOKS = 16;

/**
 * Whether two hooks are the same. What one of them leaves out and the other spells out makes no
 * difference: reading and writing back changes nothing (MX-DEF-9).
 */
export function sameHook(left: Hook, right: Hook): boolean {
  return equal(left as unknown as Json, right as unknown as Json);
}
