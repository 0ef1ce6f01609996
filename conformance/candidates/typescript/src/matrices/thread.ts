import type { Firing } from "./firing.js";
import type { Asked } from "./firing.js";
import type { Hook } from "./hook.js";
import type { AuditEntry, WaitSeen } from "./observation.js";

export interface Profile {
  hooks: readonly Hook[];
}

/** Parked work. It stays known when it is over, so that a late resolve can be told why (MX-WAIT-5). */
export interface Wait {
  readonly name: string;
  readonly firing: Firing;
  readonly asked: Asked;
  readonly expires: number;
  state: "pending" | "already_resolved" | "expired" | "cancelled";
}

export class Thread {
  isCancelled = false;
  readonly waits: Wait[] = [];
  readonly audit: AuditEntry[] = [];

  constructor(
    readonly label: string,
    readonly profile: Profile,
  ) {}

  /** The waits that hold work, in the order in which that fired. */
  get pending(): readonly Wait[] {
    return this.waits
      .filter(({ state }) => state === "pending")
      .toSorted((a, b) => a.firing.order - b.firing.order);
  }

  /** The wait of this name. Labels may hold a slash, so two may share one: who waits comes first. */
  wait(name: string): Wait | undefined {
    const named = this.waits.filter((wait) => wait.name === name);
    return named.find(({ state }) => state === "pending") ?? named.at(-1);
  }
}

export function waitSeen({ name, asked }: Wait): WaitSeen {
  return { wait: name, hook: asked.placed.hook.id };
}
