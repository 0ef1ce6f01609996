// The MCP tools of the order desk: the ordinary ones, and the hooks as tools with reserved names.

import { z } from "zod";
import { type Desk, defaultCurrency } from "./desk.js";
import { type HookEvent, type HookHandlers, type JsonObject, type Tool, isObject, textResult } from "./types.js";

const hookNames: Record<HookEvent, string> = {
  transcript: "voiceos_hook_transcript",
  dictation: "voiceos_hook_dictation",
  preToolUse: "voiceos_hook_pre_tool_use",
  postToolUse: "voiceos_hook_post_tool_use",
  turnComplete: "voiceos_hook_turn_complete",
};

export function deskTools(desk: Desk): Tool[] {
  return [
    tool(
      "create_order",
      "Creates an order for a customer.",
      {
        customer: z.string(),
        items: z.array(z.string()),
        currency: z.string().optional(),
        note: z.string().optional(),
      },
      ({ customer, items, currency = defaultCurrency, note }) => {
        desk.create({ customer, items, currency, ...(note !== undefined && { note }) });
        return `Order for ${customer}: ${items.join(", ")} (${currency})`;
      },
    ),
    tool("delete_orders", "Deletes the newest orders.", { count: z.number().int().min(0) }, ({ count }) => {
      return `Orders deleted: ${desk.deleteNewest(count)}`;
    }),
    tool("list_orders", "Lists all orders.", {}, () => JSON.stringify(desk.orders)),
  ];
}

export function hookTools(handlers: HookHandlers): Tool[] {
  return Object.entries(hookNames).map(([key, name]) => {
    const event = key as HookEvent;
    return {
      name,
      event,
      description: `VoiceOS ${event} hook. Called by VoiceOS, not by the agent.`,
      inputSchema: { payload_json: z.string() },
      async call({ payload_json }) {
        const payload = parsePayload(payload_json);
        const result = payload === undefined ? undefined : await handlers[event](payload);
        return textResult(JSON.stringify(result ?? {}));
      },
    };
  });
}

/** An unreadable payload is no reason to fail: the hook then has nothing to say. */
function parsePayload(text: unknown): JsonObject | undefined {
  try {
    const payload: unknown = JSON.parse(String(text));
    return isObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Ties the arguments' type to the schema that the SDK has checked them against. */
function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  inputSchema: Shape,
  answer: (args: z.infer<z.ZodObject<Shape>>) => string,
): Tool {
  return {
    name,
    description,
    inputSchema,
    call: (args) => textResult(answer(args as z.infer<z.ZodObject<Shape>>)),
  };
}
