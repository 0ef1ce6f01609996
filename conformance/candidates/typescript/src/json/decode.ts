import type { Json, JsonObject } from "./value.js";
import { emptyObject, isList, isObject, member } from "./value.js";

/** Something that does not have the shape of a script. */
export class ShapeFault extends Error {}

/** Turns JSON into what it stands for, or throws a {@link ShapeFault}. */
export type Decoder<T> = (value: Json, at: string) => T;

/** A member of a record: `absent` is what stands for it where it is not given. */
interface Field<T> {
  readonly decode: Decoder<T>;
  readonly absent: (at: string) => T;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type RecordOf<F extends Fields> = { readonly [K in keyof F]: ReturnType<F[K]["decode"]> };
type Tags = Readonly<Record<string, Decoder<unknown>>>;
type Tagged<T extends Tags> = {
  [K in keyof T & string]: { readonly kind: K; readonly body: ReturnType<T[K]> };
}[keyof T & string];

export function fail(at: string, why: string): never {
  throw new ShapeFault(`${at === "" ? "the script" : at}: ${why}`);
}

export const json: Decoder<Json> = (value) => value;

export const text: Decoder<string> = (value, at) =>
  typeof value === "string" ? value : fail(at, "is no text");

export const flag: Decoder<boolean> = (value, at) =>
  typeof value === "boolean" ? value : fail(at, "is no boolean");

export const object: Decoder<JsonObject> = (value, at) =>
  isObject(value) ? value : fail(at, "is no object");

export const values: Decoder<readonly Json[]> = (value, at) =>
  isList(value) ? value : fail(at, "is no list");

export function integer(max: number): Decoder<number> {
  return (value, at) =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max
      ? value
      : fail(at, `is no whole number up to ${max}`);
}

/** Whole milliseconds. */
export const millis = integer(2 ** 53);

export function oneOf<const T extends string>(...words: readonly T[]): Decoder<T> {
  return (value, at) => words.find((word) => word === value) ?? fail(at, "is none of its values");
}

export function listOf<T>(item: Decoder<T>): Decoder<readonly T[]> {
  return (value, at) => values(value, at).map((each, i) => item(each, `${at}/${i}`));
}

export function mapOf<T>(item: Decoder<T>): Decoder<Readonly<Record<string, T>>> {
  return (value, at) => {
    const map = emptyObject<T>();
    for (const [name, each] of Object.entries(object(value, at))) {
      map[name] = item(each, `${at}/${name}`);
    }
    return map;
  };
}

export function required<T>(decode: Decoder<T>): Field<T> {
  return { decode, absent: (at) => fail(at, "is missing") };
}

/** A member that may be left out; `null` leaves it out, too. */
export function optional<T>(decode: Decoder<T>): Field<T | undefined> {
  return {
    decode: (value, at) => (value === null ? undefined : decode(value, at)),
    absent: () => undefined,
  };
}

/** A member with a value of its own where it is left out. */
export function otherwise<T>(decode: Decoder<T>, absent: T): Field<T> {
  return { decode, absent: () => absent };
}

/** An object of these members and no others. */
export function record<F extends Fields>(fields: F): Decoder<RecordOf<F>> {
  return (value, at) => {
    const given = object(value, at);
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(fields, name)) {
        fail(`${at}/${name}`, "is not known");
      }
    }
    const decoded = Object.entries(fields).map(([name, field]): [string, unknown] => {
      const each = member(given, name);
      const there = `${at}/${name}`;
      return [name, each === undefined ? field.absent(there) : field.decode(each, there)];
    });
    return Object.fromEntries(decoded) as RecordOf<F>;
  };
}

/** An object of exactly one of these members, whose name tells what it is. */
export function tagged<T extends Tags>(tags: T): Decoder<Tagged<T>> {
  return (value, at) => {
    const [entry, ...others] = Object.entries(object(value, at));
    const decode =
      entry !== undefined && Object.hasOwn(tags, entry[0]) ? tags[entry[0]] : undefined;
    if (entry === undefined || decode === undefined || others.length > 0) {
      fail(at, `is none of ${Object.keys(tags).join(", ")}`);
    }
    const [kind, body] = entry;
    return { kind, body: decode(body, `${at}/${kind}`) } as Tagged<T>;
  };
}
