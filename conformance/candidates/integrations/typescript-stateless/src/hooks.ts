// The three hooks, by the names of their tools: small checks that answer with a HookResult.

export type JsonObject = Record<string, unknown>;

export interface HookResult {
  decision?: "block" | "handled";
  updatedArgs?: JsonObject;
  additionalContext?: string;
  responseText?: string;
  reason?: string;
}

/** A payload comes from outside, so a handler trusts no member of it. */
export type Handler = (payload: JsonObject) => HookResult;

export const hooks: Record<string, Handler> = {
  voiceos_hook_transcript({ transcript }) {
    const said = asText(transcript);
    if (/^\s*note that\s/i.test(said)) return { decision: "handled", responseText: "Noted." };
    if (/\bforget all notes\b/i.test(said)) {
      return { decision: "block", responseText: "Notes are never forgotten.", reason: "Asks to forget all notes." };
    }
    return /\bnotes?\b/i.test(said) ? { additionalContext: "Order notes — short remarks on open orders." } : {};
  },

  voiceos_hook_pre_tool_use({ toolName, args }) {
    if (toolName !== "add_note" || !isObject(args)) return {};
    const note = asText(args.note);
    // The arguments are replaced as a whole, so the others have to go along.
    return note === note.trim() ? {} : { updatedArgs: { ...args, note: note.trim() } };
  },

  voiceos_hook_turn_complete({ transcript }) {
    console.error(`order notes: a turn of ${asText(transcript).length} characters is complete`);
    return {};
  },
};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
