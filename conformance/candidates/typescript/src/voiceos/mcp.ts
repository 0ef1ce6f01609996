import type { Json, JsonObject } from "../json/value.js";
import { isList, isObject, member } from "../json/value.js";

/** A CallToolResult of MCP, as far as it is looked at (VO-WIRE-13). */
export interface CallToolResult {
  readonly content: readonly JsonObject[];
  readonly isError: boolean;
}

/**
 * The result, or `undefined` where what is looked at is outside MCP's schema: an absent `content` is
 * taken for an empty one, and an error is a failure whatever else is in it (VO-WIRE-3).
 */
export function readCallToolResult(result: JsonObject): CallToolResult | undefined {
  const isError = member(result, "isError") ?? false;
  if (isError === true) {
    return { content: [], isError };
  }
  const content = "content" in result ? member(result, "content") : [];
  const structured = member(result, "structuredContent");
  const isAllowed =
    member(result, "isError") !== null &&
    isError === false &&
    (structured === undefined || isObject(structured)) &&
    isList(content) &&
    content.every(isItem);
  return isAllowed ? { content: content as readonly JsonObject[], isError } : undefined;
}

function isItem(item: Json): boolean {
  const type = isObject(item) ? member(item, "type") : undefined;
  return type === "text"
    ? typeof member(item as JsonObject, "text") === "string"
    : typeof type === "string";
}
