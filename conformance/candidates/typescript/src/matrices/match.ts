import type { Json, JsonObject } from "../json/value.js";
import { compareCodePoints, equal, isList, isObject, member } from "../json/value.js";
import type { Condition, Hook } from "./hook.js";

const INDEX = /^(?:0|[1-9][0-9]*)$/;

/** Whether a hook matches an event, of which `root` is what conditions see (MX-MATCH-2). */
export function matches(hook: Hook, tool: string | undefined, root: JsonObject): boolean {
  return matchesTool(hook, tool) && hook.where.every((condition) => holds(condition, root));
}

/** MX-MATCH-3 to MX-MATCH-5. */
function matchesTool({ tools }: Hook, tool: string | undefined): boolean {
  if (tools === null || tool === undefined) {
    return tools === null;
  }
  return tools.some((pattern) =>
    pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern,
  );
}

/**
 * MX-MATCH-6: on a path that leads nowhere, or a type that cannot be compared, every operator is
 * false but for the two that negate another.
 */
function holds({ path, operator, value }: Condition, root: JsonObject): boolean {
  const found = lookUp(root, path);
  switch (operator) {
    case "exists":
      return (found !== undefined) === value;
    case "eq":
      return isEqual(found, value);
    case "neq":
      return !isEqual(found, value);
    case "in":
      return isIn(found, value);
    case "not_in":
      return !isIn(found, value);
    case "gt":
      return compares(found, value, (order) => order > 0);
    case "gte":
      return compares(found, value, (order) => order >= 0);
    case "lt":
      return compares(found, value, (order) => order < 0);
    case "lte":
      return compares(found, value, (order) => order <= 0);
    case "contains":
      return contains(found, value);
    case "starts_with":
      return typeof found === "string" && typeof value === "string" && found.startsWith(value);
  }
}

/** MX-MATCH-8: a dotted path, whose steps are members' names or, in a list, decimal indices. */
function lookUp(root: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path.split(".")) {
    if (isObject(value)) {
      value = member(value, step);
    } else if (isList(value) && INDEX.test(step)) {
      value = value[Number(step)];
    } else {
      return undefined;
    }
  }
  return value;
}

function isEqual(found: Json | undefined, value: Json): boolean {
  return found !== undefined && equal(found, value);
}

function isIn(found: Json | undefined, list: Json): boolean {
  return isList(list) && list.some((item) => isEqual(found, item));
}

function contains(found: Json | undefined, value: Json): boolean {
  if (typeof found === "string") {
    return typeof value === "string" && found.includes(value);
  }
  return isList(found) && found.some((item) => equal(item, value));
}

function compares(
  found: Json | undefined,
  value: Json,
  holdsFor: (order: number) => boolean,
): boolean {
  if (typeof found === "number" && typeof value === "number") {
    return holdsFor(found - value);
  }
  return (
    typeof found === "string" &&
    typeof value === "string" &&
    holdsFor(compareCodePoints(found, value))
  );
}
