import type { Json, JsonObject } from "../json/value.js";
import { isList, isObject, member } from "../json/value.js";

/**
 * MCP's schema of a CallToolResult, as far as VO-WIRE-13 looks at it: every member that the schema
 * knows has the type that it gives; members that it does not know are no matter.
 */
export interface CallToolResult {
  readonly content: readonly JsonObject[];
  readonly isError: boolean;
}

type Check = (value: Json) => boolean;

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const whole: Check = (value) => typeof value === "number" && Number.isInteger(value);
const share: Check = (value) => typeof value === "number" && value >= 0 && value <= 1;
const object: Check = (value) => isObject(value);

function word(...words: string[]): Check {
  return (value) => typeof value === "string" && words.includes(value);
}

function list(item: Check): Check {
  return (value) => isList(value) && value.every(item);
}

/** An object with these members; a name that ends in `?` may be left out. */
function shape(members: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isObject(value) &&
    Object.entries(members).every(([name, check]) => {
      const given = member(value, name.replace("?", ""));
      return given === undefined ? name.endsWith("?") : check(given);
    });
}

const annotations = shape({
  "audience?": list(word("user", "assistant")),
  "priority?": share,
  "lastModified?": text,
});

const common = { "annotations?": annotations, "_meta?": object };

const icon = shape({
  src: text,
  "mimeType?": text,
  "sizes?": list(text),
  "theme?": word("light", "dark"),
});

const textContents = shape({ uri: text, text, "mimeType?": text, "_meta?": object });
const blobContents = shape({ uri: text, blob: text, "mimeType?": text, "_meta?": object });

const media = shape({ data: text, mimeType: text, ...common });

const contentByType: Readonly<Record<string, Check>> = {
  text: shape({ text, ...common }),
  image: media,
  audio: media,
  resource_link: shape({
    uri: text,
    name: text,
    "title?": text,
    "description?": text,
    "mimeType?": text,
    "size?": whole,
    "icons?": list(icon),
    ...common,
  }),
  resource: shape({
    resource: (value) => textContents(value) || blobContents(value),
    ...common,
  }),
};

const content: Check = (value) => {
  const type = isObject(value) ? member(value, "type") : undefined;
  const check =
    typeof type === "string" && Object.hasOwn(contentByType, type)
      ? contentByType[type]
      : undefined;
  return check?.(value) ?? false;
};

// MCP requires `content`; its SDKs read a result without it as one with none, and so does VO-WIRE-12.
const callToolResult = shape({
  "content?": list(content),
  "structuredContent?": object,
  "isError?": flag,
  "_meta?": object,
});

/** The result, or `undefined` for one that MCP's schema does not allow. */
export function readCallToolResult(result: JsonObject): CallToolResult | undefined {
  if (!callToolResult(result)) {
    return undefined;
  }
  return {
    content: (member(result, "content") ?? []) as readonly JsonObject[],
    isError: member(result, "isError") === true,
  };
}
