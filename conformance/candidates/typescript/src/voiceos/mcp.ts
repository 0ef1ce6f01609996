import type { Json, JsonObject } from "../json/value.js";
import { isList, isObject, member } from "../json/value.js";

/** What counts of a CallToolResult. */
export interface CallToolResult {
  readonly content: readonly JsonObject[];
  readonly isError: boolean;
}

/** The result, or `undefined` for one that MCP's schema does not allow, as far as VO-WIRE-13 looks. */
export function readCallToolResult(result: JsonObject): CallToolResult | undefined {
  const isError = memberOr(result, "isError", false);
  const structuredContent = memberOr(result, "structuredContent", {});
  const content = memberOr(result, "content", []);
  if (isError === true) {
    return { content: [], isError }; // VO-WIRE-3, whatever else is in it
  }
  if (isError !== false || !isObject(structuredContent) || !isList(content)) {
    return undefined;
  }
  const items = content.filter(isContent);
  return items.length === content.length ? { content: items, isError } : undefined;
}

function memberOr(object: JsonObject, name: string, absent: Json): Json {
  const given = member(object, name);
  return given === undefined ? absent : given;
}

function isContent(item: Json): item is JsonObject {
  const type = isObject(item) ? member(item, "type") : undefined;
  return (
    isObject(item) &&
    typeof type === "string" &&
    (type !== "text" || typeof member(item, "text") === "string")
  );
}
