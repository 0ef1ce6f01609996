import type { Decoder } from "../json/decode.js";
import {
  fail,
  flag,
  integer,
  json,
  listOf,
  mapOf,
  millis,
  object,
  optional,
  otherwise,
  record,
  required,
  tagged,
  text,
  values,
} from "../json/decode.js";
import type { Json } from "../json/value.js";

/** What a processor does when a HookInput is delivered to it. */
export type Says =
  | { readonly kind: "body"; readonly body: string }
  | { readonly kind: "bytes"; readonly base64: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "agent_run"; readonly steps: readonly Step[] }
  | { readonly kind: "never" | "pending" | "redirect" | "refused" | "reset" };

export interface Answer {
  readonly afterMs: number;
  readonly says: Says;
}

/** A hook without an entry in `answers`. */
export const PLAIN_ANSWER: Answer = {
  afterMs: 0,
  says: { kind: "body", body: '{"decision":"defer"}' },
};

const answerMembers = record({
  after_ms: otherwise(millis, 0),
  result: otherwise<Json | undefined>(json, undefined),
  body: optional(text),
  bytes_b64: optional(text),
  status: optional(integer(65535)),
  agent_run: optional((value, at) => listOf(lazyStep)(value, at)),
  redirect: optional(text),
  never: otherwise(flag, false),
  pending: otherwise(flag, false),
  refused: otherwise(flag, false),
  reset: otherwise(flag, false),
});

const answer: Decoder<Answer> = (value, at) => {
  const given = answerMembers(value, at);
  const said: Says[] = [];
  if (given.result !== undefined) {
    said.push({ kind: "body", body: JSON.stringify(given.result) });
  }
  if (given.body !== undefined) {
    said.push({ kind: "body", body: given.body });
  }
  if (given.bytes_b64 !== undefined) {
    said.push({ kind: "bytes", base64: given.bytes_b64 });
  }
  if (given.status !== undefined) {
    said.push({ kind: "status", status: given.status });
  }
  if (given.agent_run !== undefined) {
    said.push({ kind: "agent_run", steps: given.agent_run });
  }
  for (const kind of ["never", "pending", "redirect", "refused", "reset"] as const) {
    if (given[kind] !== undefined && given[kind] !== false) {
      said.push({ kind });
    }
  }
  const [says, ...others] = said;
  if (says === undefined || others.length > 0) {
    fail(at, "does not say exactly one thing");
  }
  return { afterMs: given.after_ms, says };
};

const event = tagged({
  before_input: record({ text: required(text) }),
  before_tool_call: record({ tool: required(text), input: required(object) }),
  after_tool_call: record({ tool: required(text), output: required(json) }),
  after_output: record({ text: required(text) }),
});
export type Event = ReturnType<typeof event>;
export type Point = Event["kind"];

/** A control step carried out while a firing runs. */
export interface Meanwhile {
  readonly at_ms: number;
  readonly step: Step;
}

const meanwhile: Decoder<readonly Meanwhile[]> = (value, at) =>
  listOf<Meanwhile>(record({ at_ms: required(millis), step: required(lazyStep) }))(value, at);

/** Something happens at a point. */
export interface Fire {
  readonly firing: string;
  readonly thread: string;
  readonly event: Event;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly meanwhile: readonly Meanwhile[];
}

const fire: Decoder<Fire> = record({
  firing: required(text),
  thread: required(text),
  event: required(event),
  answers: otherwise(mapOf(answer), {}),
  meanwhile: otherwise(meanwhile, []),
});

const profileText = record({ profile: required(text), text: required(text) });
const ofThread = record({ thread: required(text) });
const resolve = record({ thread: required(text), wait: required(text), body: required(text) });
export type Resolve = ReturnType<typeof resolve>;

const controlSteps = {
  create_profile: profileText,
  update_profile: profileText,
  get_profile: record({ profile: required(text) }),
  add_default: record({ hook: required(json) }),
  open_thread: record({ thread: required(text), profile: required(text) }),
  cancel_thread: ofThread,
  waiting_threads: record({}),
  audit: ofThread,
};

const step = tagged({
  ...controlSteps,
  advance: record({ by_ms: required(millis) }),
  resolve,
  fire,
});
export type Step = ReturnType<typeof step>;

/** A step that can be taken while a firing runs. */
export type ControlStep = Extract<Step, { kind: keyof typeof controlSteps }>;

export function isControlStep(taken: Step): taken is ControlStep {
  return Object.hasOwn(controlSteps, taken.kind);
}

// Steps hold steps, so their decoder is looked up only when it runs.
function lazyStep(value: Json, at: string): Step {
  return step(value, at);
}

/** The steps that a step holds. */
export function stepsWithin(taken: Step): readonly Step[] {
  if (taken.kind !== "fire") {
    return [];
  }
  const { meanwhile: control, answers } = taken.body;
  const runs = Object.values(answers).flatMap(({ says }) =>
    says.kind === "agent_run" ? says.steps : [],
  );
  return [...control.map((each) => each.step), ...runs];
}

export interface MatricesScript {
  readonly catalogue: readonly Json[] | undefined;
  readonly steps: readonly Step[];
}

export const matricesScript: Decoder<MatricesScript> = record({
  catalogue: optional(values),
  steps: required(listOf(lazyStep)),
});
