import type { Json, JsonObject } from "../json/value.js";
import type { Fault } from "../kernel/faults.js";
import type { Point } from "../script/matrices.js";
import type { Decision, Failure } from "./answer.js";
import type { OnFailure, Processor } from "./hook.js";

type Nothing = Readonly<Record<string, never>>;

export interface WaitSeen {
  readonly wait: string;
  readonly hook: string;
}

export interface Call {
  readonly hook: string;
  readonly payload: JsonObject;
  readonly at_ms: number;
}

export interface AgentRun {
  readonly hook: string;
  readonly steps: readonly Observation[];
}

export type Outcome =
  | { readonly went_on: { readonly value: Json } }
  | { readonly denied: Nothing }
  | { readonly withheld: { readonly place: "error" } }
  | { readonly cancelled: Nothing };

/** What is observed of a firing until it ends or parks; it is filled in as the firing goes. */
export interface Fired {
  readonly calls: Call[];
  readonly agent_runs: AgentRun[];
  ended_ms?: number;
  outcome?: Outcome;
  parked?: WaitSeen;
}

export interface Resumed {
  readonly firing: string;
  readonly fired: Fired;
}

/** MX-AUD-1, MX-AUD-2a. */
export interface AuditEntry {
  readonly hookId: string;
  readonly index: number;
  readonly point: Point;
  readonly processor: Processor["kind"];
  readonly decision: Decision | "defer";
  readonly latencyMs: number;
  readonly reason?: string | undefined;
  readonly rewrote?: true | undefined;
  readonly deliveryId?: string | undefined;
  readonly failure?: Failure | undefined;
}

export interface HookSeen {
  readonly id: string;
  readonly point: Point;
  readonly processor: Processor["kind"];
  readonly on_failure: OnFailure;
  readonly async_timeout_ms: number;
}

export type PlatformError =
  | "unknown_profile"
  | "unknown_thread"
  | "thread_cancelled"
  | "label_taken"
  | "unknown_wait"
  | "already_resolved"
  | "expired"
  | "cancelled"
  | "not_a_result"
  | "bad_default"
  | "not_a_control_step";

/** What is observed of one step; what does not apply is absent. */
export interface Observation {
  readonly accepted?: boolean | undefined;
  readonly hooks?: readonly HookSeen[] | undefined;
  readonly faults?: readonly Fault[] | undefined;
  readonly error?: PlatformError | undefined;
  readonly threads?: Readonly<Record<string, readonly WaitSeen[]>> | undefined;
  readonly audit?: readonly AuditEntry[] | undefined;
  readonly fired?: Fired | undefined;
  readonly resumed?: readonly Resumed[] | undefined;
  readonly meanwhile?: readonly Observation[] | undefined;
}
