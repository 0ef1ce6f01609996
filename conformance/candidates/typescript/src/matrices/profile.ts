import { tryReadJson } from "../json/read.js";
import type { Json } from "../json/value.js";
import { isList, isObject, member } from "../json/value.js";
import type { Fault } from "../kernel/faults.js";
import { Faults, MAX_TEXT_BYTES } from "../kernel/faults.js";
import type { Hook } from "./hook.js";
import { MAX_HOOKS } from "./hook.js";
import { HookCheck } from "./validate.js";

/** What a profile's text says of hooks: `undefined` where it does not mention them. */
export type ProfileReading =
  | { readonly faults?: undefined; readonly hooks: readonly Hook[] | undefined }
  | { readonly faults: readonly Fault[] };

export function readProfile(text: string): ProfileReading {
  const faults = new Faults();
  const hooks = read(text, faults);
  return faults.found.length === 0 ? { hooks } : { faults: faults.found };
}

/** Reads one hook by itself. `undefined` where it has a fault. */
export function readHook(value: Json): Hook | undefined {
  const faults = new Faults();
  const hook = new HookCheck(faults).hook(value, []);
  return faults.found.length === 0 ? hook : undefined;
}

function read(text: string, faults: Faults): readonly Hook[] | undefined {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    faults.add("MX-VAL-T", []);
    return undefined;
  }
  const reading = tryReadJson(text);
  for (const repeated of reading?.repeated ?? []) {
    faults.addAt("MX-VAL-17", repeated);
  }
  const profile = reading?.value;
  if (!isObject(profile)) {
    faults.add("MX-VAL-1", []);
    return undefined;
  }
  const configuration = member(profile, "configuration");
  if (configuration === undefined) {
    return undefined;
  }
  if (!isObject(configuration)) {
    faults.add("MX-VAL-1", ["configuration"]);
    return undefined;
  }
  const hooks = member(configuration, "hooks");
  return hooks === undefined ? undefined : readHooks(hooks, faults);
}

function readHooks(hooks: Json, faults: Faults): readonly Hook[] {
  const path = ["configuration", "hooks"];
  if (!isList(hooks)) {
    faults.add(hooks === null ? "MX-VAL-14" : "MX-VAL-1", path);
    return [];
  }
  if (hooks.length > MAX_HOOKS) {
    faults.add("MX-VAL-1", path);
  }
  const check = new HookCheck(faults);
  return hooks.flatMap((hook, i) => check.hook(hook, [...path, i]) ?? []);
}
