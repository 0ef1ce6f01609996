import type { Json } from "../json/value.js";
import type { App, EventName, Install } from "../script/voiceos.js";
import type { Manifest } from "./manifest.js";

type Policy = "unset" | "ask" | "never";

/**
 * A hook of an installed integration. The object stands for the hook as one firing selected it: once
 * an update or an uninstall has taken it away, it stays away, even if an equal one takes its place
 * (VO-LIFE-1, VO-LIFE-2).
 */
export class Hook {
  isOffered = false;
  apps: readonly string[] | undefined;
  private isTakenAway = false;

  constructor(
    readonly event: EventName,
    private readonly owner: Installation,
  ) {}

  get integration(): string {
    return this.owner.id;
  }

  /** Whether the user lets the hook be called, and its answer count, at this moment. */
  get hasConsent(): boolean {
    return !this.isTakenAway && this.owner.access && !this.owner.isStripped;
  }

  takeAway(): void {
    this.isTakenAway = true;
  }

  /** VO-SEL-1 to VO-SEL-3: ids are compared exactly, and an app without one is in no list. */
  firesFor(app: App | undefined): boolean {
    return (
      this.apps === undefined || (app?.bundleId !== undefined && this.apps.includes(app.bundleId))
    );
  }
}

/** An integration from its installation until it is uninstalled, over all updates. */
export class Installation {
  readonly id: string;
  /** VO-CONSENT-4: on after installation, and kept over updates. */
  access = true;
  /** VO-LOAD-3: kept over updates, too. */
  isStripped = false;
  private tools: readonly string[] = [];
  private stubs: Install["tools"] = {};
  private readonly hooks = new Map<EventName, Hook>();
  // VO-CONF-9: what the user decided is kept by name, whatever an update does to the tools.
  private readonly policies = new Map<string, Policy>();
  private readonly locks = new Set<string>();

  constructor(manifest: Manifest, install: Install) {
    this.id = manifest.id;
    this.update(manifest, install);
  }

  update(manifest: Manifest, install: Install): void {
    this.tools = manifest.tools;
    this.stubs = install.tools;
    for (const [event, hook] of this.hooks) {
      if (!manifest.hooks.has(event)) {
        hook.takeAway();
        this.hooks.delete(event);
      }
    }
    for (const [event, declared] of manifest.hooks) {
      const hook = this.hooks.get(event) ?? new Hook(event, this);
      hook.apps = declared.apps;
      hook.isOffered = install.offers?.includes(event) ?? true;
      this.hooks.set(event, hook);
    }
  }

  uninstall(): void {
    this.hooks.forEach((hook) => {
      hook.takeAway();
    });
    this.hooks.clear();
  }

  /** The hook declared for an event: one that is only offered is none (VO-LOAD-2b). */
  hook(event: EventName): Hook | undefined {
    return this.hooks.get(event);
  }

  get toolNames(): readonly string[] {
    return this.tools;
  }

  hasTool(tool: string): boolean {
    return this.tools.includes(tool);
  }

  /** Runs a tool. */
  run(tool: string): { readonly failed: boolean; readonly result: Json } {
    const stub = Object.hasOwn(this.stubs, tool) ? this.stubs[tool] : undefined;
    return { failed: stub?.kind === "fails", result: stub === undefined ? {} : stub.body };
  }

  setPolicy(tool: string, policy: Policy): void {
    this.policies.set(tool, policy);
  }

  setLock(tool: string, locked: boolean): void {
    if (locked) {
      this.locks.add(tool);
    } else {
      this.locks.delete(tool);
    }
  }

  /** VO-CONF-1, VO-CONF-3: whether the user wants to be asked, whatever a hook says. */
  asksFirst(tool: string): boolean {
    return this.locks.has(tool) || this.policies.get(tool) === "ask";
  }
}
