import type { Json } from "./value.js";
import { emptyObject, pointer } from "./value.js";

/** How deep manifests, profiles and answers may be nested. */
export const TEXT_DEPTH = 127;

/** What was read, and where a member was given again. The last of its values is in `value`. */
export interface Reading {
  readonly value: Json;
  readonly repeated: readonly string[];
}

export class JsonFault extends Error {}

/**
 * Reads one JSON document (RFC 8259) and nothing beside it.
 *
 * `JSON.parse` will not do: it keeps silent about members given twice (MX-FAIL-3, MX-VAL-17), lets
 * lone surrogates pass (VO-WIRE-10b), and knows no bound on nesting.
 */
export function readJson(text: string, maxDepth = TEXT_DEPTH): Reading {
  const reader = new Reader(text, maxDepth);
  const value = reader.document();
  return { value, repeated: reader.repeated };
}

/** As {@link readJson}, with `undefined` for what is no JSON. */
export function tryReadJson(text: string): Reading | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonFault) {
      return undefined;
    }
    throw error;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
// A run of characters that stand for themselves.
// eslint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX = /^[0-9a-fA-F]{4}$/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  private readonly repeatedAt = new Set<string>();
  private at = 0;
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  get repeated(): readonly string[] {
    return [...this.repeatedAt];
  }

  document(): Json {
    this.space();
    const value = this.value();
    this.space();
    if (this.at < this.text.length) {
      this.fail("something follows the document");
    }
    return value;
  }

  // Recursion is bounded by `maxDepth`: the path has one step for each level.
  private value(): Json {
    switch (this.text[this.at]) {
      case "{":
        return this.object();
      case "[":
        return this.list();
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(): Json {
    const object = emptyObject();
    this.enter();
    if (this.skips("}")) {
      return object;
    }
    do {
      this.space();
      if (this.text[this.at] !== '"') {
        this.fail("a member's name is missing");
      }
      const name = this.string();
      this.space();
      if (!this.skips(":")) {
        this.fail("a colon is missing");
      }
      this.path.push(name);
      if (name in object) {
        this.repeatedAt.add(pointer(this.path));
      }
      this.space();
      object[name] = this.value();
      this.path.pop();
      this.space();
    } while (this.skips(","));
    if (!this.skips("}")) {
      this.fail("an object does not end");
    }
    return object;
  }

  private list(): Json {
    const list: Json[] = [];
    this.enter();
    if (this.skips("]")) {
      return list;
    }
    do {
      this.space();
      this.path.push(list.length);
      list.push(this.value());
      this.path.pop();
      this.space();
    } while (this.skips(","));
    if (!this.skips("]")) {
      this.fail("a list does not end");
    }
    return list;
  }

  private string(): string {
    let string = "";
    this.at += 1;
    for (;;) {
      string += this.match(PLAIN);
      const next = this.text[this.at];
      if (next === '"') {
        break;
      }
      if (next !== "\\") {
        this.fail("a text does not end, or has a control character in it");
      }
      string += this.escape();
    }
    this.at += 1;
    if (!string.isWellFormed()) {
      this.fail("a text has a lone surrogate in it");
    }
    return string;
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? "";
    if (letter === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!HEX.test(digits)) {
        this.fail("an escape is none");
      }
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = ESCAPES[letter];
    if (character === undefined) {
      this.fail("an escape is none");
    }
    this.at += 2;
    return character;
  }

  private number(): number {
    const digits = this.match(NUMBER);
    const number = Number(digits);
    if (digits === "" || !Number.isFinite(number)) {
      this.fail("a value is none, or too large a number");
    }
    return number;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) {
      this.fail("a value is none");
    }
    this.at += word.length;
    return value;
  }

  private enter(): void {
    if (this.path.length >= this.maxDepth) {
      this.fail("it is nested too deep");
    }
    this.at += 1;
    this.space();
  }

  private skips(character: string): boolean {
    const there = this.text[this.at] === character;
    this.at += there ? 1 : 0;
    return there;
  }

  private space(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private fail(why: string): never {
    throw new JsonFault(`${why} (at ${this.at})`);
  }
}
