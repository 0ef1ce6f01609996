import { tryReadJson } from "../json/read.js";
import type { Json, JsonObject } from "../json/value.js";
import { countCharacters, isList, isObject, member } from "../json/value.js";
import type { Fault, Path } from "../kernel/faults.js";
import { Faults, MAX_TEXT_BYTES } from "../kernel/faults.js";
import type { EventName } from "../script/voiceos.js";
import { EVENT_NAMES, isEventName, RESERVED_PREFIX } from "./events.js";

/** A hook as a manifest declares it. Without `apps` it fires whatever is frontmost (VO-SEL-2). */
export interface DeclaredHook {
  readonly apps: readonly string[] | undefined;
}

export interface Manifest {
  readonly id: string;
  readonly tools: readonly string[];
  readonly hooks: ReadonlyMap<EventName, DeclaredHook>;
}

export type ManifestReading =
  | { readonly manifest: Manifest }
  | { readonly manifest?: undefined; readonly faults: readonly Fault[] };

const ID = /^[a-z0-9]+(\.[a-z0-9-]+)+$/;
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+/;
const TOOL_NAME = /^[a-z][a-z0-9_]*$/;
const MAX_SUMMARY = 140;
const RUNTIMES = ["local-mcp", "remote-mcp", "hosted"];
const PERMISSIONS = ["network", "notify", "background", "store", "webhook", "transcript"];

/** VO-MAN-2. */
const COVERED: Readonly<Record<string, readonly EventName[]>> = {
  agent: ["transcript", "preToolUse", "postToolUse", "turnComplete"],
  dictation: ["dictation"],
  all: EVENT_NAMES,
};

export function readManifest(text: string): ManifestReading {
  const check = new Check();
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    check.faults.add("VO-MAN-T", []);
    return { faults: check.faults.found };
  }
  // VO-MAN-12: of a member given twice the last one counts, so repetitions are not looked at.
  const manifest = check.manifest(tryReadJson(text)?.value);
  return manifest !== undefined && check.faults.found.length === 0
    ? { manifest }
    : { faults: check.faults.found };
}

/** Goes through a manifest and collects its faults. */
class Check {
  readonly faults = new Faults();

  manifest(value: Json | undefined): Manifest | undefined {
    if (!isObject(value)) {
      this.shape([]);
      return undefined;
    }
    this.named(value, "schemaVersion", [], (version) => version === 1);
    this.named(value, "id", [], (id) => typeof id === "string" && ID.test(id));
    this.named(value, "version", [], (given) => typeof given === "string" && VERSION.test(given));
    this.named(value, "name", [], (name) => typeof name === "string");
    this.named(
      value,
      "summary",
      [],
      (summary) => typeof summary === "string" && countCharacters(summary) <= MAX_SUMMARY,
    );
    this.publisher(value);
    this.runtime(value);
    const granted = this.permissions(member(value, "permissions"));
    const hooks = this.hooks(member(value, "hooks"), granted);
    const declared = member(value, "hooks");
    if (granted === undefined && isObject(declared) && Object.keys(declared).length > 0) {
      this.faults.add("VO-MAN-1", Object.hasOwn(value, "permissions") ? ["permissions"] : []);
    }
    const tools = this.tools(value);
    const id = member(value, "id");
    return typeof id === "string" ? { id, tools, hooks } : undefined;
  }

  private publisher(manifest: JsonObject): void {
    if (this.named(manifest, "publisher", [], isObject)) {
      const publisher = member(manifest, "publisher") as JsonObject;
      this.named(publisher, "id", ["publisher"], (id) => typeof id === "string");
      this.named(publisher, "name", ["publisher"], (name) => typeof name === "string");
    }
  }

  private runtime(manifest: JsonObject): void {
    if (this.named(manifest, "runtime", [], isObject)) {
      const runtime = member(manifest, "runtime") as JsonObject;
      this.named(runtime, "kind", ["runtime"], (kind) => isOneOf(kind, RUNTIMES));
    }
  }

  /** What the transcript permissions cover together (VO-MAN-3), or `undefined` without any. */
  private permissions(value: Json | undefined): ReadonlySet<EventName> | undefined {
    if (value === undefined) {
      return undefined;
    }
    if (!isList(value)) {
      this.shape(["permissions"]);
      return undefined;
    }
    let granted: Set<EventName> | undefined;
    value.forEach((permission, i) => {
      const path = ["permissions", i];
      if (!isObject(permission)) {
        this.shape(path);
        return;
      }
      const isKnown = this.named(permission, "kind", path, (kind) => isOneOf(kind, PERMISSIONS));
      const kind = isKnown ? member(permission, "kind") : undefined;
      if (kind === "transcript") {
        granted ??= new Set();
        this.scope(permission, path).forEach((event) => granted?.add(event));
      }
    });
    return granted;
  }

  /** VO-MAN-7b: a scope that nobody can read grants nothing. */
  private scope(permission: JsonObject, path: Path): readonly EventName[] {
    const scope = member(permission, "scope");
    if (typeof scope === "string" && Object.hasOwn(COVERED, scope)) {
      return COVERED[scope] ?? [];
    }
    this.faults.add("VO-MAN-7b", scope === undefined ? path : [...path, "scope"]);
    return [];
  }

  private hooks(
    value: Json | undefined,
    granted: ReadonlySet<EventName> | undefined,
  ): ReadonlyMap<EventName, DeclaredHook> {
    const hooks = new Map<EventName, DeclaredHook>();
    if (value === undefined) {
      return hooks;
    }
    if (!isObject(value)) {
      this.shape(["hooks"]);
      return hooks;
    }
    for (const name of Object.keys(value)) {
      if (!isEventName(name)) {
        this.faults.add("VO-MAN-7a", ["hooks", name]);
      }
    }
    for (const event of EVENT_NAMES) {
      const hook = member(value, event);
      if (hook !== undefined) {
        hooks.set(event, this.hook(event, hook));
        if (granted !== undefined && !granted.has(event)) {
          this.faults.add("VO-MAN-2", ["hooks", event]);
        }
      }
    }
    return hooks;
  }

  private hook(event: EventName, hook: Json): DeclaredHook {
    const path = ["hooks", event];
    if (!isObject(hook)) {
      this.shape(path);
      return { apps: undefined };
    }
    const scope = member(hook, "scope");
    const isTap = event === "preToolUse" || event === "postToolUse";
    if (isTap && scope !== undefined && scope !== "own") {
      this.faults.add("VO-MAN-6", [...path, "scope"]);
    }
    return { apps: this.apps(event, hook, path) };
  }

  private apps(event: EventName, hook: JsonObject, path: Path): readonly string[] | undefined {
    const apps = member(hook, "apps");
    const there = [...path, "apps"];
    if (apps === undefined) {
      if (event === "dictation") {
        this.faults.add("VO-MAN-4", path);
      }
      return undefined;
    }
    if (!isList(apps)) {
      this.shape(there);
      return undefined;
    }
    if (apps.length === 0) {
      this.faults.add(event === "dictation" ? "VO-MAN-4" : "VO-MAN-5", there);
    }
    return this.texts(apps, there);
  }

  private tools(manifest: JsonObject): readonly string[] {
    if (!this.named(manifest, "tools", [], (tools) => isList(tools) && tools.length > 0)) {
      return [];
    }
    const names: string[] = [];
    (member(manifest, "tools") as readonly Json[]).forEach((tool, i) => {
      const path = ["tools", i];
      if (!isObject(tool)) {
        this.shape(path);
        return;
      }
      const name = member(tool, "name");
      if (typeof name === "string" && name.startsWith(RESERVED_PREFIX)) {
        this.faults.add("VO-MAN-8", [...path, "name"]);
      }
      if (this.named(tool, "name", path, (it) => typeof it === "string" && TOOL_NAME.test(it))) {
        names.push(name as string);
      }
    });
    return names;
  }

  private texts(list: readonly Json[], path: Path): readonly string[] {
    return list.flatMap((item, i) => {
      if (typeof item === "string") {
        return [item];
      }
      this.shape([...path, i]);
      return [];
    });
  }

  /** Whether a member is there and as it should be. A missing one is a fault of its parent. */
  private named(
    parent: JsonObject,
    name: string,
    path: Path,
    holds: (value: Json) => boolean,
  ): boolean {
    const value = member(parent, name);
    const isGood = value !== undefined && holds(value);
    if (!isGood) {
      this.shape(value === undefined ? path : [...path, name]);
    }
    return isGood;
  }

  private shape(path: Path): void {
    this.faults.add("VO-MAN-9", path);
  }
}

function isOneOf(value: Json, words: readonly string[]): boolean {
  return typeof value === "string" && words.includes(value);
}
