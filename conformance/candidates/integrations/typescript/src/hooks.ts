// What the order desk does at each hook: small, quick checks that answer with a HookResult.

import { type Desk, defaultCurrency } from "./desk.js";
import { type HookHandlers, type HookResult, isObject } from "./types.js";

const orderIntent = /^\s*(?:please\s+)?order\s+(\S.*)/i;
const cancelAllIntent = /\b(?:cancel|delete)\s+(?:everything|all orders)\b/i;
const shipCommand = /^\s*ship it now[.!]?\s*$/i;
const cardNumber = /\b\d(?:[ -]?\d){14,15}\b/g;
const confirmDeletesOver = 100;

const snippets: ReadonlyMap<string, string> = new Map([
  [";sig", "Kind regards,\nThe order desk — we deliver"],
  [";hours", "Monday to Friday, 8:00–17:00"],
]);

export function deskHooks(desk: Desk): HookHandlers<HookResult> {
  return {
    transcript({ transcript }) {
      const said = asText(transcript);
      if (cancelAllIntent.test(said)) {
        return {
          decision: "block",
          responseText: "I never cancel everything at once. Please name the orders.",
          reason: "The transcript asks to cancel every order.",
        };
      }
      const request = orderIntent.exec(said)?.[1];
      if (request !== undefined) {
        desk.draft(request);
        return {
          decision: "handled",
          responseText: "Draft order created.",
          view: { blocks: [{ type: "text", text: `Draft: ${request}` }] },
        };
      }
      const note = desk.noteOnMentionedCustomer(said);
      return note === undefined ? {} : { additionalContext: note };
    },

    dictation({ text }) {
      const dictated = asText(text);
      if (shipCommand.test(dictated)) {
        return { decision: "handled", responseText: "Open orders go out today." };
      }
      let expanded = dictated;
      for (const [snippet, full] of snippets) expanded = expanded.replaceAll(snippet, full);
      return expanded === dictated ? {} : { updatedText: expanded };
    },

    preToolUse({ toolName, args }) {
      if (!isObject(args)) return {};
      if (toolName === "delete_orders" && typeof args.count === "number" && args.count > confirmDeletesOver) {
        return { requireConfirmation: true, reason: `Deletes over ${confirmDeletesOver} orders.` };
      }
      if (toolName === "create_order") {
        if (desk.isBlocked(asText(args.customer))) {
          return {
            decision: "block",
            responseText: "This customer cannot order at the moment.",
            reason: "The customer is blocked.",
          };
        }
        // The arguments are replaced as a whole, so the old ones have to go along.
        if (args.currency === undefined) return { updatedArgs: { ...args, currency: defaultCurrency } };
      }
      return {};
    },

    postToolUse({ result }) {
      const holder = { result };
      return redactCards(holder) ? { updatedResult: holder.result } : {};
    },

    turnComplete({ transcript, tools }) {
      desk.lastReceipt = { transcript: asText(transcript), tools: Array.isArray(tools) ? tools.length : 0 };
      return {};
    },
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Redacts in place, and says whether there was anything to redact. */
function redactCards(root: object): boolean {
  let found = false;
  // A list of its own rather than recursion: results may be nested deeper than the call stack.
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === "string") {
        const redacted = value.replace(cardNumber, (digits) => `[card ending ${digits.slice(-4)}]`);
        if (redacted !== value) {
          found = true;
          (node as Record<string, unknown>)[key] = redacted;
        }
      } else if (typeof value === "object" && value !== null) {
        open.push(value);
      }
    }
  }
  return found;
}
