import type { Json, JsonObject } from "../json/value.js";
import type { Fault } from "../kernel/faults.js";
import type { EventName } from "../script/voiceos.js";
import type { Failure } from "./answer.js";

export interface Call {
  readonly hook: string;
  readonly tool: string;
  readonly payload: JsonObject;
  readonly at_ms: number;
}

export interface LogEntry {
  readonly hook: string;
  readonly failure?: Failure | undefined;
  readonly reason?: string | undefined;
}

export interface Card {
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Shown {
  readonly text?: string | undefined;
  readonly view?: JsonObject | undefined;
}

export interface ToolRef {
  readonly integration: string;
  readonly tool: string;
}

type Nothing = Readonly<Record<string, never>>;

export type Outcome =
  | { readonly went_on: { readonly value: Json; readonly context?: readonly string[] | undefined } }
  | { readonly pasted: { readonly text: Json } }
  | { readonly executed: { readonly args: JsonObject } }
  | { readonly blocked: Nothing }
  | { readonly handled: Nothing }
  | { readonly consumed: Nothing }
  | { readonly declined: Nothing }
  | { readonly not_run: Nothing }
  | { readonly sent: Nothing };

export type HostError =
  | "unknown_integration"
  | "unknown_tool"
  | "already_installed"
  | "no_turn"
  | "turn_open"
  | "not_a_control_step";

/** What is observed of a firing. */
export interface FiringSeen {
  readonly calls?: readonly Call[] | undefined;
  readonly logged?: readonly LogEntry[] | undefined;
  readonly cards?: readonly Card[] | undefined;
  readonly ended_ms?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly user_sees?: Shown | undefined;
}

/** What is observed of one step; what does not apply is absent. */
export interface Observation extends FiringSeen {
  readonly accepted?: boolean | undefined;
  readonly hooks?: readonly EventName[] | undefined;
  readonly callout?: boolean | undefined;
  readonly faults?: readonly Fault[] | undefined;
  readonly error?: HostError | undefined;
  readonly tools?: readonly ToolRef[] | undefined;
  readonly contacted?: boolean | undefined;
  readonly model_sees?: Json | undefined;
  readonly meanwhile?: readonly Observation[] | undefined;
}
