// The faults that --fault can plant, one at a time. Each wraps the sound product from outside.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type HookEvent, type HookHandlers, type JsonObject, type Tool, isObject, textResult } from "./types.js";

/** The points at which a fault can be planted. */
export interface Fault {
  description: string;
  /** Wraps the handlers: they see only payloads that could be read. */
  handlers?(handlers: HookHandlers): HookHandlers;
  /** Changes the tools that are offered. */
  tools?(tools: Tool[]): Tool[];
  /** Changes a server that has all its tools. */
  server?(server: McpServer, tools: Tool[]): void;
  /** Runs once, when the process starts. */
  start?(): void;
}

// Ways to plant a fault.

/** Runs before every handler; a fault throws or waits in it. */
function beforeHandler(act: (payload: JsonObject, event: HookEvent) => unknown): Partial<Fault> {
  return {
    handlers: (handlers) =>
      mapHandlers(handlers, (handler, event) => async (payload) => {
        await act(payload, event);
        return handler(payload);
      }),
  };
}

/** Changes what every handler answers. */
function changeAnswer(change: (answer: JsonObject, event: HookEvent) => unknown): Partial<Fault> {
  return {
    handlers: (handlers) =>
      mapHandlers(handlers, (handler, event) => async (payload) => {
        const answer = await handler(payload);
        return change(isObject(answer) ? answer : {}, event);
      }),
  };
}

/** Wraps the call of every hook tool, from its raw argument to its tool result. */
function wrapCall(wrap: (call: Tool["call"], args: JsonObject, tool: Tool) => ReturnType<Tool["call"]>): Partial<Fault> {
  return changeHooks((tool) => ({ ...tool, call: (args) => wrap(tool.call, args, tool) }));
}

/** Changes the finished text of every hook's answer. */
function changeText(change: (text: string) => CallToolResult): Partial<Fault> {
  return wrapCall(async (call, args) => change(textOf(await call(args))));
}

/** Changes every hook tool; undefined takes it away. */
function changeHooks(change: (tool: Tool) => Tool | undefined): Partial<Fault> {
  return {
    tools: (tools) => tools.map((tool) => (tool.event ? change(tool) : tool)).filter((tool) => tool !== undefined),
  };
}

/** Answers tools/list by hand: the SDK's own answer has neither pages nor two tools of one name. */
function changeList(list: (tools: object[], cursor: string | undefined) => { tools: object[]; nextCursor?: string }) {
  return {
    server(server: McpServer, tools: Tool[]) {
      const listed = tools.map(({ name, description, inputSchema }) => {
        return { name, description, inputSchema: z.toJSONSchema(z.object(inputSchema), { io: "input", target: "draft-7" }) };
      });
      server.server.setRequestHandler(ListToolsRequestSchema, ({ params }) => list(listed, params?.cursor));
    },
  };
}

function mapHandlers(
  handlers: HookHandlers,
  wrap: (handler: HookHandlers[HookEvent], event: HookEvent) => HookHandlers[HookEvent],
): HookHandlers {
  const entries = Object.entries(handlers) as [HookEvent, HookHandlers[HookEvent]][];
  return Object.fromEntries(entries.map(([event, handler]) => [event, wrap(handler, event)])) as HookHandlers;
}

function textOf(result: CallToolResult): string {
  const item = result.content[0];
  return item?.type === "text" ? item.text : "";
}

/** Runs in place of the hook if its payload is not JSON. */
function onMalformed(act: () => ReturnType<Tool["call"]>): Partial<Fault> {
  return wrapCall((call, args) => {
    try {
      JSON.parse(String(args.payload_json));
    } catch {
      return act();
    }
    return call(args);
  });
}

function rename(answer: JsonObject, names: Record<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [names[name] ?? name, value]));
}

/** The answer with the member changed, if it has it. */
function changeMember(answer: JsonObject, name: string, change: (value: unknown) => unknown): JsonObject {
  return name in answer ? { ...answer, [name]: change(answer[name]) } : answer;
}

const isTextEvent = (event: HookEvent) => event === "transcript" || event === "dictation";

const budgets: Partial<Record<HookEvent, number>> = {
  dictation: 250,
  transcript: 500,
  preToolUse: 2000,
  postToolUse: 2000,
};

const knownMembers: Record<HookEvent, string[]> = {
  transcript: ["transcript", "source", "detectedLanguage", "audioDurationMs", "sessionId", "frontmostApp"],
  dictation: ["text", "rawTranscript", "detectedLanguage", "targetApp"],
  preToolUse: ["toolName", "args", "frontmostApp"],
  postToolUse: ["toolName", "args", "result"],
  turnComplete: ["sessionId", "transcript", "responseText", "tools"],
};

// What calls share under slow-together and swapped-answers.
let queue: Promise<unknown> = Promise.resolve();
let latestAnswer: unknown;

const table: Record<string, Fault> = {
  "stdout-banner": {
    description: "prints a line that is not protocol to stdout at start",
    start: () => process.stdout.write("Order desk 1.0.0 is ready\n"),
  },
  "stdout-log": {
    description: "prints a log line to stdout at each hook call",
    ...wrapCall((call, args, { name }) => {
      process.stdout.write(`order desk: ${name} called\n`);
      return call(args);
    }),
  },
  "confirm-string": {
    description: 'requireConfirmation is the string "true"',
    ...changeAnswer((answer) => changeMember(answer, "requireConfirmation", String)),
  },
  "misspelt-member": {
    description: "answers have updated_text and updated_args in place of updatedText and updatedArgs",
    ...changeAnswer((answer) => rename(answer, { updatedText: "updated_text", updatedArgs: "updated_args" })),
  },
  "foreign-member": {
    description: "preToolUse and turnComplete answers also have updatedText",
    ...changeAnswer((answer, event) => {
      const foreign = event === "preToolUse" || event === "turnComplete";
      return foreign ? { ...answer, updatedText: "Order noted." } : answer;
    }),
  },
  "unknown-decision": {
    description: 'the decision is "deny" in place of "block"',
    ...changeAnswer((answer) => (answer.decision === "block" ? { ...answer, decision: "deny" } : answer)),
  },
  "handled-in-pre-tool-use": {
    description: 'every preToolUse answer has the decision "handled"',
    ...changeAnswer((answer, event) => {
      return event === "preToolUse" ? { ...answer, decision: "handled", responseText: "Done." } : answer;
    }),
  },
  "handled-without-text": {
    description: "a handled answer has no responseText",
    ...changeAnswer((answer) => (answer.decision === "handled" ? { ...answer, responseText: undefined } : answer)),
  },
  "block-without-text": {
    description: "a block answer has no responseText",
    ...changeAnswer((answer) => (answer.decision === "block" ? { ...answer, responseText: undefined } : answer)),
  },
  "long-context": {
    description: "additionalContext has 2500 characters",
    ...changeAnswer((answer) => changeMember(answer, "additionalContext", (note) => String(note).padEnd(2500, " —"))),
  },
  "wrong-type": {
    description: "updatedText is an object, updatedArgs a string",
    ...changeAnswer((answer) => {
      const changed = changeMember(answer, "updatedText", (text) => ({ text }));
      return changeMember(changed, "updatedArgs", () => "currency=EUR");
    }),
  },
  "strict-payload": {
    description: "throws if the payload has a member that it does not know",
    ...beforeHandler((payload, event) => {
      const known = ["hookApiVersion", "event", ...knownMembers[event]];
      const stranger = Object.keys(payload).find((name) => !known.includes(name));
      if (stranger !== undefined) throw new Error(`unknown member ${stranger}`);
    }),
  },
  "needs-optional": {
    description: "throws if transcript or preToolUse lacks frontmostApp, or dictation targetApp",
    ...beforeHandler((payload, event) => {
      const name = event === "dictation" ? "targetApp" : "frontmostApp";
      const needed = isTextEvent(event) || event === "preToolUse";
      if (needed && !isObject(payload[name])) throw new TypeError(`${name} is undefined`);
    }),
  },
  "crash-on-malformed": {
    description: "the process exits with code 1 if payload_json is not JSON",
    ...onMalformed(() => process.exit(1)),
  },
  "hang-on-malformed": {
    description: "never answers if payload_json is not JSON",
    ...onMalformed(() => new Promise(() => {})),
  },
  slow: {
    description: "answers 120 ms after the budget of the hook (turnComplete has none and stays quick)",
    ...beforeHandler(async (_payload, event) => {
      const budget = budgets[event];
      if (budget !== undefined) await sleep(budget + 120);
    }),
  },
  "slow-together": {
    description: "calls queue up: one at a time, each takes 40 ms",
    ...beforeHandler(() => (queue = queue.then(() => sleep(40)))),
  },
  "missing-hook": {
    description: "voiceos_hook_post_tool_use is not offered",
    ...changeHooks((tool) => (tool.event === "postToolUse" ? undefined : tool)),
  },
  "misnamed-hook": {
    description: "offers voiceos_hook_preToolUse in place of voiceos_hook_pre_tool_use",
    ...changeHooks((tool) => (tool.event === "preToolUse" ? { ...tool, name: "voiceos_hook_preToolUse" } : tool)),
  },
  "two-arguments": {
    description: "a hook requires a second argument, version, and works only with it",
    ...changeHooks((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, version: z.string() } })),
  },
  "object-argument": {
    description: "payload_json is declared as an object, and works only as one",
    ...changeHooks((tool) => ({
      ...tool,
      inputSchema: { payload_json: z.looseObject({}) },
      call: ({ payload_json }) => tool.call({ payload_json: JSON.stringify(payload_json) }),
    })),
  },
  "optional-argument": {
    description: "payload_json is not required; without it a hook answers {}",
    ...changeHooks((tool) => ({ ...tool, inputSchema: { payload_json: z.string().optional() } })),
  },
  "two-texts": {
    description: "another text item comes before the answer",
    ...changeText((text) => ({ content: [...textResult("Order desk:").content, ...textResult(text).content] })),
  },
  "not-json": {
    description: "the text is ok",
    ...changeText(() => textResult("ok")),
  },
  "not-object": {
    description: "the text is true",
    ...changeText(() => textResult("true")),
  },
  throws: {
    description: "every hook throws",
    ...beforeHandler(() => {
      throw new Error("the order desk is closed");
    }),
  },
  "ascii-only": {
    description: "throws if anything in the payload is not ASCII",
    // Looks at the payload as read, where no escape hides a character.
    ...beforeHandler((payload) => {
      if (/[^\x00-\x7f]/.test(JSON.stringify(payload))) throw new Error("not ASCII");
    }),
  },
  "size-limit": {
    description: "throws if payload_json has more than 64 KiB",
    ...wrapCall((call, args) => {
      if (Buffer.byteLength(String(args.payload_json)) > 65536) throw new Error("payload too large");
      return call(args);
    }),
  },
  "swapped-answers": {
    description: "concurrent calls get each other's answers; calls in turn get their own",
    handlers: (handlers) =>
      mapHandlers(handlers, (handler) => async (payload) => {
        latestAnswer = await handler(payload);
        await sleep(20);
        return latestAnswer;
      }),
  },
  "random-answers": {
    description: "the same call gets another answer each time",
    ...changeAnswer((answer, event) => {
      const text = event === "transcript" ? "additionalContext" : "reason";
      const member = "responseText" in answer ? "responseText" : text;
      return { ...answer, [member]: `${answer[member] ?? "Noted."} (${randomUUID()})` };
    }),
  },
  structured: {
    description: "the HookResult is in structuredContent, while the text is {}",
    ...changeText((text) => ({ ...textResult("{}"), structuredContent: JSON.parse(text) as JsonObject })),
  },
  "endless-pages": {
    description: "tools/list gives a nextCursor for ever",
    ...changeList((tools, cursor) => ({
      tools: cursor === undefined ? tools : [],
      nextCursor: String(Number(cursor ?? 0) + 1),
    })),
  },
  "duplicate-tool": {
    description: "the last hook is listed twice",
    ...changeList((tools) => ({ tools: [...tools, ...tools.slice(-1)] })),
  },
  "stays-after-stdin": {
    description: "does not end when stdin ends (SIGTERM ends it)",
    start: () => void setInterval(() => {}, 60_000),
  },
  "stays-after-sigterm": {
    description: "ignores SIGTERM (the end of stdin ends it)",
    start: () => void process.removeAllListeners("SIGTERM").on("SIGTERM", () => {}),
  },
  "leaves-a-child": {
    description: "starts a detached process, sleep 600, that outlives it",
    start: () => spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref(),
  },
  "exit-code": {
    description: "exits with code 3 when stdin ends",
    start: () => void process.stdin.once("end", () => (process.exitCode = 3)),
  },
  "duplicate-member": {
    description: "the answer's text has the member reason twice",
    ...changeText((text) => {
      const { reason: _, ...others } = JSON.parse(text) as JsonObject;
      const twice = '{"reason":"a","reason":"b"';
      const rest = JSON.stringify(others).slice(1);
      return textResult(rest === "}" ? `${twice}}` : `${twice},${rest}`);
    }),
  },
  "lone-surrogate": {
    description: "every answer's reason ends with an escaped lone surrogate, \\ud800",
    ...changeAnswer((answer) => ({ ...answer, reason: `${answer.reason ?? "Noted."}\ud800` })),
  },
  "big-answer": {
    description: "the text of every answer has over 1 MiB",
    ...changeAnswer((answer) => ({ ...answer, reason: "order ".repeat(180_000) })),
  },
  "null-rewrite": {
    description: "transcript and dictation answers that continue have updatedText: null",
    ...changeAnswer((answer, event) => {
      const continues = isTextEvent(event) && answer.decision === undefined;
      return continues ? { ...answer, updatedText: null } : answer;
    }),
  },
};

// A map, so that a name such as "toString" is unknown.
export const faults: ReadonlyMap<string, Fault> = new Map(Object.entries(table));
