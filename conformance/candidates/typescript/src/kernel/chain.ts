import type { Json } from "../json/value.js";

/** What one hook contributes: a rewrite, a decision, both, or (as a plain defer) neither. */
export interface Contribution<D> {
  /** HK-REWRITE-3: a rewrite to `null` is one, so it stands in a box. */
  readonly rewrite?: { readonly value: Json } | undefined;
  /** A decision that ends the chain. Absent, the hook defers. */
  readonly decision?: D | undefined;
}

/**
 * The fold that both dialects share: hooks are visited in chain order (HK-ORDER-1), rewrites compose
 * along it (HK-REWRITE-1, HK-REWRITE-4), and the first decision ends it (HK-DECIDE-1).
 *
 * The chain knows nothing of time. Whoever drives it asks for the {@link next} hook, obtains its
 * answer at whatever moment, and {@link take}s it. That leaves no room for completion order to
 * matter (HK-ORDER-2).
 */
export class Chain<H, D> {
  private place = 0;
  private composed: Json;
  private decided: D | undefined;

  constructor(
    private readonly hooks: readonly H[],
    value: Json,
  ) {
    this.composed = value;
  }

  /** The value as composed so far. This is what the next hook is handed (HK-REWRITE-2). */
  get value(): Json {
    return this.composed;
  }

  /** The decision that ended the chain, if one did. */
  get decision(): D | undefined {
    return this.decided;
  }

  /**
   * The next hook that is to be asked; each is offered once (HK-ONCE-1). Behind a decision there is
   * none (HK-DECIDE-2). `selects` is put the value that the hook would see.
   */
  next(selects: (hook: H, value: Json) => boolean): H | undefined {
    while (this.decided === undefined && this.place < this.hooks.length) {
      const hook = this.hooks[this.place];
      this.place += 1;
      if (hook !== undefined && selects(hook, this.composed)) {
        return hook;
      }
    }
    return undefined;
  }

  /** Takes what the hook contributed that was last given out. */
  take(contribution: Contribution<D>): void {
    if (contribution.rewrite !== undefined) {
      this.composed = contribution.rewrite.value;
    }
    this.decided = contribution.decision;
  }
}
