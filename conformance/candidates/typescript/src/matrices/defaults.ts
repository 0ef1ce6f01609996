import type { Hook } from "./hook.js";
import { CALL_TIMEOUT_MS, DAY_MS, MAX_HOOKS, sameHook } from "./hook.js";

/** MX-DEF-1: the catalogue of the convention, by what each of its hooks guards. */
const CONVENTION = {
  payments: "payments.*",
  billing: "billing.*",
  email: "email.send",
  files: "files.delete",
  shell: "shell.*",
  deploy: "deploy.*",
};

export const SIX_DEFAULTS: readonly Hook[] = Object.entries(CONVENTION).map(([name, pattern]) => ({
  id: `default-approve-${name}`,
  point: "before_tool_call",
  tools: [pattern],
  where: [],
  processor: { kind: "client" },
  onFailure: "fail_closed",
  asyncTimeoutMs: DAY_MS,
  timeoutMs: CALL_TIMEOUT_MS,
}));

/** The default hooks of a platform. Their ids are reserved, and each is introduced once. */
export class Catalogue {
  private list: readonly Hook[] = [];

  get hooks(): readonly Hook[] {
    return this.list;
  }

  /**
   * Adds a default. Tells whether it is `new`, `known` already, or `bad`: one too many, or another
   * hook under an id that the catalogue has.
   */
  add(hook: Hook): "new" | "known" | "bad" {
    const namesake = this.list.find(({ id }) => id === hook.id);
    if (namesake !== undefined) {
      return sameHook(namesake, hook) ? "known" : "bad";
    }
    if (this.list.length >= MAX_HOOKS) {
      return "bad";
    }
    this.list = [...this.list, hook];
    return "new";
  }

  /**
   * The list of a profile that a default of this catalogue, introduced just now, may reach.
   *
   * It reaches profiles that hold another default (MX-DEF-6) and have room (MX-DEF-8b), at the end of
   * their list (MX-DEF-8a), and never replaces what was authored under its id (MX-DEF-7). Since each
   * default is introduced once, none comes back to a profile that removed it.
   */
  reach(list: readonly Hook[], introduced: Hook): readonly Hook[] {
    const holdsDefault = list.some((hook) => this.list.some((each) => sameHook(each, hook)));
    const isTaken = list.some(({ id }) => id === introduced.id);
    return holdsDefault && !isTaken && list.length < MAX_HOOKS ? [...list, introduced] : list;
  }
}
