// The shapes that the parts of the order desk share: hook events, hook handlers and tools.

import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";

export type JsonObject = Record<string, unknown>;

export type HookEvent = "transcript" | "dictation" | "preToolUse" | "postToolUse" | "turnComplete";

export interface HookResult {
  decision?: "continue" | "block" | "handled";
  updatedText?: string;
  updatedArgs?: JsonObject;
  updatedResult?: unknown;
  additionalContext?: string;
  requireConfirmation?: true;
  responseText?: string;
  view?: { blocks: unknown[] };
  reason?: string;
}

/** A payload comes from outside, so a handler gets it as plain JSON and trusts no member of it. */
export type Handler<Result> = (payload: JsonObject) => Result | Promise<Result>;

export type HookHandlers<Result = unknown> = Record<HookEvent, Handler<Result>>;

export interface Tool {
  name: string;
  description: string;
  inputSchema: z.ZodRawShape;
  /** Set if the tool is a hook. */
  event?: HookEvent;
  call(args: JsonObject): CallToolResult | Promise<CallToolResult>;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}
