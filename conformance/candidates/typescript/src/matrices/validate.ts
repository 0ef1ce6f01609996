import type { Json, JsonObject } from "../json/value.js";
import { isList, isObject, member } from "../json/value.js";
import type { Faults, Path } from "../kernel/faults.js";
import type { Point } from "../script/matrices.js";
import type { Condition, Hook, OnFailure, Operator, Processor } from "./hook.js";
import { CALL_TIMEOUT_MS, DAY_MS, isToolPoint, OPERATORS, POINTS } from "./hook.js";
import { isProcessorUrl } from "./url.js";

const MAX_CONDITIONS = 8;

/** Goes through the hooks of one list and collects their faults. */
export class HookCheck {
  private readonly ids = new Set<string>();

  constructor(private readonly faults: Faults) {}

  /** The hook, with its defaults filled in; it is good for use only where no fault was found. */
  hook(value: Json, path: Path): Hook | undefined {
    if (!isObject(value)) {
      this.faults.add("MX-VAL-1", path);
      return undefined;
    }
    const id = this.id(value, path);
    const point = this.point(value, path);
    const match = this.match(value, point, path);
    const processor = this.processor(value, path);
    const onFailure = this.onFailure(value, path);
    const asyncTimeoutMs = this.millis(value, "asyncTimeoutMs", path, DAY_MS, {
      notPositive: "MX-VAL-8b",
      aboveCap: "MX-VAL-9",
    });
    const timeoutMs = this.millis(value, "timeoutMs", path, CALL_TIMEOUT_MS, {
      notPositive: "MX-DL-1",
      aboveCap: "MX-DL-1",
    });
    if (id === undefined || point === undefined || processor === undefined) {
      return undefined;
    }
    return { id, point, ...match, processor, onFailure, asyncTimeoutMs, timeoutMs };
  }

  private id(hook: JsonObject, path: Path): string | undefined {
    const id = this.present(hook, "id", "MX-VAL-12a", path);
    if (id === undefined) {
      return undefined;
    }
    if (typeof id !== "string" || id === "") {
      this.faults.add("MX-VAL-12a", [...path, "id"]);
      return undefined;
    }
    if (this.ids.has(id)) {
      this.faults.add("MX-VAL-12b", [...path, "id"]);
    }
    this.ids.add(id);
    return id;
  }

  private point(hook: JsonObject, path: Path): Point | undefined {
    const point = this.present(hook, "point", "MX-VAL-16", path);
    return point === undefined ? undefined : this.word(point, POINTS, [...path, "point"]);
  }

  private match(
    hook: JsonObject,
    point: Point | undefined,
    path: Path,
  ): Pick<Hook, "tools" | "where"> {
    const match = member(hook, "match");
    const there = [...path, "match"];
    if (match === undefined) {
      return { tools: null, where: [] };
    }
    if (!isObject(match)) {
      this.faults.add("MX-MATCH-1", there);
      return { tools: null, where: [] };
    }
    return {
      tools: this.tools(match, point, there),
      where: this.where(match, there),
    };
  }

  private tools(match: JsonObject, point: Point | undefined, path: Path): Hook["tools"] {
    const tools = member(match, "tools");
    const there = [...path, "tools"];
    if (tools === undefined) {
      return null;
    }
    if (point !== undefined && !isToolPoint(point)) {
      this.faults.add("MX-VAL-3", there);
    }
    if (!isList(tools)) {
      this.faults.add("MX-VAL-4", there);
      return null;
    }
    if (tools.length === 0) {
      this.faults.add("MX-VAL-13a", there);
    }
    return tools.flatMap((pattern, i) => {
      // MX-VAL-4 to MX-VAL-6: one `*` at most, at the very end, behind whatever prefix.
      if (typeof pattern === "string" && !pattern.slice(0, -1).includes("*")) {
        return [pattern];
      }
      this.faults.add("MX-VAL-4", [...there, i]);
      return [];
    });
  }

  private where(match: JsonObject, path: Path): readonly Condition[] {
    const where = member(match, "where");
    const there = [...path, "where"];
    if (where === undefined) {
      return [];
    }
    if (!isList(where)) {
      this.faults.add("MX-VAL-7", there);
      return [];
    }
    if (where.length > MAX_CONDITIONS) {
      this.faults.add("MX-VAL-7", there);
    }
    return where.flatMap((condition, i) => this.condition(condition, [...there, i]) ?? []);
  }

  private condition(condition: Json, at: Path): Condition | undefined {
    if (!isObject(condition)) {
      this.faults.add("MX-MATCH-8", at);
      return undefined;
    }
    const path = this.present(condition, "path", "MX-MATCH-8", at);
    if (path !== undefined && typeof path !== "string") {
      this.faults.add("MX-MATCH-8", [...at, "path"]);
    }
    const operator = this.operator(condition, at);
    const value =
      operator === "exists"
        ? this.existsValue(condition, at)
        : this.present(condition, "value", "MX-MATCH-8", at);
    return typeof path === "string" && operator !== undefined && value !== undefined
      ? { path, operator, value }
      : undefined;
  }

  private operator(condition: JsonObject, at: Path): Operator | undefined {
    const operator = this.present(condition, "operator", "MX-MATCH-8", at);
    if (operator === undefined) {
      return undefined;
    }
    if (typeof operator !== "string") {
      this.faults.add("MX-MATCH-8", [...at, "operator"]);
      return undefined;
    }
    return this.word(operator, OPERATORS, [...at, "operator"]);
  }

  private existsValue(condition: JsonObject, at: Path): Json {
    const value = member(condition, "value");
    if (value === undefined) {
      return true;
    }
    if (typeof value !== "boolean") {
      this.faults.add("MX-MATCH-8", [...at, "value"]);
    }
    return value;
  }

  private processor(hook: JsonObject, path: Path): Processor | undefined {
    const processor = this.present(hook, "processor", "MX-VAL-16", path);
    const there = [...path, "processor"];
    if (processor === undefined) {
      return undefined;
    }
    if (!isObject(processor)) {
      this.faults.add("MX-VAL-16", there);
      return undefined;
    }
    const given = this.present(processor, "kind", "MX-VAL-16", there);
    const kind =
      given === undefined
        ? undefined
        : this.word(given, ["url", "agent", "client"], [...there, "kind"]);
    switch (kind) {
      case undefined:
        return undefined;
      case "client":
        return { kind };
      case "agent": {
        const agent = this.present(processor, "agent", "MX-PROC-1", there);
        if (agent !== undefined && typeof agent !== "string") {
          this.faults.add("MX-PROC-1", [...there, "agent"]);
        }
        return typeof agent === "string" ? { kind, agent } : undefined;
      }
      case "url": {
        const url = this.present(processor, "url", "MX-VAL-10a", there);
        if (url !== undefined && (typeof url !== "string" || !isProcessorUrl(url))) {
          this.faults.add("MX-VAL-10a", [...there, "url"]);
        }
        return typeof url === "string" ? { kind, url } : undefined;
      }
    }
  }

  private onFailure(hook: JsonObject, path: Path): OnFailure {
    const onFailure = member(hook, "onFailure");
    const word =
      onFailure === undefined
        ? undefined
        : this.word(onFailure, ["fail_closed", "fail_open"], [...path, "onFailure"]);
    return word ?? "fail_closed";
  }

  private millis(
    hook: JsonObject,
    name: string,
    path: Path,
    absent: number,
    clauses: { readonly notPositive: string; readonly aboveCap: string },
  ): number {
    const millis = member(hook, name);
    if (millis === undefined) {
      return absent;
    }
    if (typeof millis !== "number" || !Number.isInteger(millis) || millis <= 0) {
      this.faults.add(clauses.notPositive, [...path, name]);
      return absent;
    }
    if (millis > DAY_MS) {
      this.faults.add(clauses.aboveCap, [...path, name]);
    }
    return millis;
  }

  /** A member that must be there. A missing one is a fault of its parent. */
  private present(parent: JsonObject, name: string, clause: string, path: Path): Json | undefined {
    const value = member(parent, name);
    if (value === undefined) {
      this.faults.add(clause, path);
    }
    return value;
  }

  /** MX-VAL-16: a word that is not known is a fault. */
  private word<const T extends string>(
    value: Json,
    words: readonly T[],
    path: Path,
  ): T | undefined {
    const word = words.find((each) => each === value);
    if (word === undefined) {
      this.faults.add("MX-VAL-16", path);
    }
    return word;
  }
}
