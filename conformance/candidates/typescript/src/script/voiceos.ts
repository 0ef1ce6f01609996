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
  oneOf,
  optional,
  otherwise,
  record,
  required,
  tagged,
  text,
  values,
} from "../json/decode.js";
import type { Json, JsonObject } from "../json/value.js";

/** What a hook does when it is called. */
export type Says =
  | { readonly kind: "result" | "mutates"; readonly value: Json }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call_result"; readonly result: JsonObject }
  | { readonly kind: "tool_error" | "never" | "disconnect" | "unregistered" };

export interface Answer {
  readonly afterMs: number;
  readonly says: Says;
}

/** A hook without an entry in `answers`. */
export const PLAIN_ANSWER: Answer = { afterMs: 0, says: { kind: "result", value: {} } };

const answerMembers = record({
  after_ms: otherwise(millis, 0),
  result: otherwise<Json | undefined>(json, undefined),
  text: optional(text),
  content: optional(values),
  call_result: optional(object),
  tool_error: optional(text),
  never: otherwise(flag, false),
  disconnect: otherwise(flag, false),
  unregistered: otherwise(flag, false),
  mutates: otherwise<Json | undefined>(json, undefined),
});

const answer: Decoder<Answer> = (value, at) => {
  const given = answerMembers(value, at);
  const said: Says[] = [];
  if (given.result !== undefined) {
    said.push({ kind: "result", value: given.result });
  }
  if (given.text !== undefined) {
    said.push({ kind: "text", text: given.text });
  }
  if (given.content !== undefined) {
    said.push({ kind: "call_result", result: { content: given.content } });
  }
  if (given.call_result !== undefined) {
    said.push({ kind: "call_result", result: given.call_result });
  }
  if (given.mutates !== undefined) {
    said.push({ kind: "mutates", value: given.mutates });
  }
  for (const kind of ["tool_error", "never", "disconnect", "unregistered"] as const) {
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

const answers = otherwise(mapOf(answer), {});

const app = record({ bundleId: optional(text), name: optional(text) });
export type App = ReturnType<typeof app>;

const user: Decoder<"approve" | "decline" | "absent" | { readonly edit: JsonObject }> = (
  value,
  at,
) =>
  typeof value === "string"
    ? oneOf("approve", "decline", "absent")(value, at)
    : record({ edit: required(object) })(value, at);
export type User = ReturnType<typeof user>;

const receipt = record({
  sessionId: optional(text),
  transcript: required(text),
  responseText: required(text),
  tools: required(
    listOf(record({ tool: required(text), status: required(oneOf("done", "failed")) })),
  ),
});
export type Receipt = ReturnType<typeof receipt>;

const event = tagged({
  transcript: record({
    transcript: required(text),
    source: required(oneOf("voice", "text")),
    detectedLanguage: optional(text),
    audioDurationMs: optional(integer(2 ** 64)),
    sessionId: optional(text),
  }),
  dictation: record({
    text: required(text),
    rawTranscript: optional(text),
    detectedLanguage: optional(text),
  }),
  preToolUse: record({
    integration: required(text),
    toolName: required(text),
    args: required(object),
  }),
  postToolUse: record({
    integration: required(text),
    toolName: required(text),
    args: required(object),
    result: required(json),
  }),
  turnComplete: receipt,
});
export type Event = ReturnType<typeof event>;
export type EventName = Event["kind"];

const install = record({
  manifest: required(text),
  offers: optional(listOf(text)),
  tools: otherwise(mapOf(tagged({ result: json, fails: json })), {}),
});
export type Install = ReturnType<typeof install>;

const agentCall = record({
  integration: required(text),
  tool: required(text),
  args: required(object),
  pre: optional(answer),
  post: optional(answer),
  // The schema names no default. Somebody is there, and content.
  user: otherwise<User>(user, "approve"),
});
export type AgentCall = ReturnType<typeof agentCall>;

/** A control step carried out while a firing runs. */
export interface Meanwhile {
  readonly at_ms: number;
  readonly step: Step;
}

const meanwhile: Decoder<readonly Meanwhile[]> = (value, at) =>
  listOf<Meanwhile>(record({ at_ms: required(millis), step: required(lazyStep) }))(value, at);

const fire = record({
  event: required(event),
  answers,
  meanwhile: otherwise(meanwhile, []),
  user: otherwise<User>(user, "approve"),
});
export type Fire = ReturnType<typeof fire>;

const ofIntegration = record({ integration: required(text) });

const controlSteps = {
  install,
  update: install,
  uninstall: ofIntegration,
  strip_permission: ofIntegration,
  set_transcript_access: record({ integration: required(text), on: required(flag) }),
  set_policy: record({
    integration: required(text),
    tool: required(text),
    policy: required(oneOf("unset", "ask", "never")),
  }),
  set_lock: record({ integration: required(text), tool: required(text), locked: required(flag) }),
  frontmost: record({ app: optional(app) }),
  agent_tools: record({}),
};

const step = tagged({
  ...controlSteps,
  agent_call: agentCall,
  fire,
  begin_turn: record({ session_id: optional(text) }),
  end_turn: record({ answers, response_text: otherwise(text, "") }),
});
export type Step = ReturnType<typeof step>;

/** A step that people take, and that can be taken while a firing runs. */
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
  return taken.kind === "fire" ? taken.body.meanwhile.map((each) => each.step) : [];
}

export interface VoiceosScript {
  readonly steps: readonly Step[];
}

export const voiceosScript: Decoder<VoiceosScript> = record({ steps: required(listOf(lazyStep)) });
