/** JSON values as the whole program holds them. They are never changed once they are made. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Read members by {@link member} where the name comes from outside: `constructor` is a name too. */
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of this name, or `undefined` where the object has none: `null` is a value. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object without a prototype, so that no name means anything but a member. */
export function emptyObject<T = Json>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** HK-EQ-1: members are unordered, and numbers count by value. */
export function equal(left: Json, right: Json): boolean {
  if (left === right) {
    return true;
  }
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((item, i) => equal(item, right[i] ?? null))
    );
  }
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => {
        const other = member(right, name);
        return other !== undefined && equal(left[name] ?? null, other);
      })
    );
  }
  return false;
}

/** Orders texts by code points. JavaScript's own `<` goes by UTF-16 units, which is another order. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) {
      // Surrogates stand for code points above all other units.
      const aIsHigh = a >= 0xd800 && a <= 0xdfff;
      const bIsHigh = b >= 0xd800 && b <= 0xdfff;
      return aIsHigh === bIsHigh ? a - b : aIsHigh ? 1 : -1;
    }
  }
  return left.length - right.length;
}

/** Characters as the sources count them: Unicode scalar values. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    count += unit >= 0xdc00 && unit <= 0xdfff ? 0 : 1;
  }
  return count;
}

/** RFC 6901. */
export function pointer(path: readonly (string | number)[]): string {
  return path
    .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
