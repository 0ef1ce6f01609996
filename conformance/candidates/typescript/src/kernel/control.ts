/** A control step with the moment, since its firing began, at which it is to be carried out. */
export interface Timed<S> {
  readonly at_ms: number;
  readonly step: S;
}

/**
 * The control steps of one firing. They are carried out in the order of their moments, those of one
 * moment in the order in which they were given, and each is observed at its place in that order.
 */
export class ControlQueue<S, O> {
  readonly observed: O[] = [];
  private readonly waiting: Timed<S>[];

  constructor(
    steps: readonly Timed<S>[],
    private readonly carryOut: (step: S) => O,
  ) {
    this.waiting = steps.toSorted((a, b) => a.at_ms - b.at_ms);
  }

  /** The moment of the next step. */
  get nextAt(): number | undefined {
    return this.waiting[0]?.at_ms;
  }

  /** Carries out the next step, whatever its moment. */
  carryOutNext(): void {
    const next = this.waiting.shift();
    if (next !== undefined) {
      this.observed.push(this.carryOut(next.step));
    }
  }

  /**
   * Carries out what is due up to and with this moment: control steps come before the answers of the
   * same moment. Tells whether `holds` was true behind each of them.
   */
  carryOutUntil(moment: number, holds: () => boolean): boolean {
    let held = true;
    for (let at = this.nextAt; at !== undefined && at <= moment; at = this.nextAt) {
      this.carryOutNext();
      held = holds() && held;
    }
    return held;
  }

  /** Carries out what is left, when nothing is on its way any more, behind every outcome. */
  carryOutRest(): void {
    while (this.waiting.length > 0) {
      this.carryOutNext();
    }
  }
}
