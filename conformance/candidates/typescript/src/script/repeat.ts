import type { Json } from "../json/value.js";
import { emptyObject, isList, isObject, member } from "../json/value.js";
import { fail } from "../json/decode.js";

/** The most that the large texts of one script may come to together. */
const MOST = 64 * 1024 * 1024;

/** Writes out every `{"$repeat": ["x", n]}`, which stands for a large text. */
export function writtenOut(script: Json): Json {
  let left = MOST;

  function walk(value: Json): Json {
    if (isList(value)) {
      const list = value.map(walk);
      return list.every((each, i) => each === value[i]) ? value : list;
    }
    if (!isObject(value)) {
      return value;
    }
    const repeated = repetition(value);
    if (repeated !== undefined) {
      const [piece, times] = repeated;
      left -= piece.length * times;
      return left >= 0 ? piece.repeat(times) : fail("$repeat", "comes to more than can be held");
    }
    // Most objects hold no large text, and stay as they are.
    let copy: Record<string, Json> | undefined;
    for (const name of Object.keys(value)) {
      const each = value[name] ?? null;
      const walked = walk(each);
      if (walked !== each) {
        copy ??= Object.assign(emptyObject(), value);
        copy[name] = walked;
      }
    }
    return copy ?? value;
  }

  return walk(script);
}

/** The piece and the count, where this stands for a large text. */
function repetition(value: Json): readonly [string, number] | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) {
    return undefined;
  }
  const pair = member(value, "$repeat");
  if (pair === undefined) {
    return undefined;
  }
  const [piece, times, ...others] = isList(pair) ? pair : [];
  const isCount = typeof times === "number" && Number.isSafeInteger(times) && times >= 0;
  return typeof piece === "string" && isCount && others.length === 0
    ? [piece, times]
    : fail("$repeat", "takes a text and a count");
}
