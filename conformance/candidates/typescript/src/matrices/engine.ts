import type { Contribution } from "../kernel/chain.js";
import { ControlQueue } from "../kernel/control.js";
import type { Answer, Fire, Step } from "../script/matrices.js";
import type { Arrived, Decision, HookResult } from "./answer.js";
import { arrived } from "./answer.js";
import type { Asked, Delivery, Placed } from "./firing.js";
import { Firing, nothingSeen } from "./firing.js";
import type { Fired, Observation, Outcome, Resumed } from "./observation.js";
import type { Thread, Wait } from "./thread.js";
import { waitSeen } from "./thread.js";

/** What asking a client comes to: the work parks, and the answer comes by a resolve (MX-PROC-1). */
const PARKS: Answer = { afterMs: 0, says: { kind: "pending" } };

/** Something that is going to happen. */
interface Due {
  readonly at: number;
  /** At one moment: control steps, answers, deadlines of calls, expiries of waits. */
  readonly rank: 0 | 1 | 2 | 3;
  readonly happens: () => void;
}

/** What a step observes while it is under way. */
interface Watch {
  /** The earlier firings that it set going again. */
  readonly resumed: Resumed[];
  /** These, and the one that it fired. */
  readonly firings: Firing[];
}

/** Carries out control steps, and the steps of an agent's own run. */
export interface Steps {
  meanwhile(step: Step): Observation;
  ofAgentRun(step: Step): Observation;
}

/** Runs firings on a virtual clock. */
export class Engine {
  now = 0;
  private watch: Watch = { resumed: [], firings: [] };
  /** Those that are not over, and those that have control steps left. */
  private readonly underWay = new Set<Firing>();
  private firings = 0;
  private deliveries = 0;
  private runs = 0;

  constructor(private readonly steps: Steps) {}

  /** Carries out a step, and tells which earlier firings it set going again. */
  watching<O>(step: () => O): { readonly observed: O; readonly resumed: readonly Resumed[] } {
    const around = this.watch;
    const watch: Watch = { resumed: [], firings: [] };
    this.watch = watch;
    try {
      return { observed: step(), resumed: watch.resumed };
    } finally {
      this.watch = around;
      watch.firings.forEach((firing) => {
        firing.isWatched = false;
      });
    }
  }

  /** Begins a firing, and runs it until nothing is on its way any more. */
  fire(fire: Fire, thread: Thread): { readonly fired: Fired; readonly meanwhile: Observation[] } {
    this.firings += 1;
    const control = new ControlQueue(fire.meanwhile, (step) => this.steps.meanwhile(step));
    const firing = new Firing(fire, thread, this.now, this.runs > 0, control, this.firings);
    const { seen } = firing;
    this.watch.firings.push(firing);
    this.underWay.add(firing);
    this.proceed(firing);
    this.settle(this.now);
    // What is left over when nothing is on its way any more is carried out then.
    control.carryOutRest();
    this.forgetIfOver(firing);
    return { fired: seen, meanwhile: control.observed };
  }

  /** MX-WAIT-3a: the resolution is the hook's answer, and the chain goes on from there. */
  resolve(wait: Wait, result: HookResult): void {
    wait.state = "already_resolved";
    this.goesOn(wait.firing);
    this.conclude(wait.firing, wait.asked, { kind: "result", result });
    this.settle(this.now);
  }

  /** MX-WAIT-10a: waits are dropped, and so are answers on their way; nothing is audited. */
  cancel(thread: Thread): void {
    for (const firing of [...this.underWay].filter((each) => each.thread === thread)) {
      const { state } = firing;
      if (state.kind === "parked") {
        state.wait.state = "cancelled";
        this.goesOn(firing);
      }
      if (state.kind !== "ended") {
        this.end(firing, { cancelled: {} });
      }
    }
  }

  /**
   * Lets time pass until the clock stands at `until` and nothing is on its way any more. At its very
   * deadline a wait can still be resolved: it expires only if the clock goes on beyond.
   */
  settle(until: number): void {
    for (let due = this.next(); due !== undefined; due = this.next()) {
      const isInTime = due.at < until || (due.at === until && due.rank !== 3);
      if (!isInTime && !this.isAnythingOnItsWay()) {
        break;
      }
      this.now = due.at;
      due.happens();
    }
    this.now = Math.max(this.now, until);
  }

  private isAnythingOnItsWay(): boolean {
    return [...this.underWay].some(({ state }) => state.kind === "waiting");
  }

  /** What happens next. All else being equal, the firing that began first comes first. */
  private next(): Due | undefined {
    let first: Due | undefined;
    for (const firing of this.underWay) {
      for (const due of this.duesOf(firing)) {
        first = first === undefined || isBefore(due, first) ? due : first;
      }
    }
    return first;
  }

  private duesOf(firing: Firing): readonly Due[] {
    const control = this.controlOf(firing);
    const next = this.nextOf(firing);
    return [control, next].filter((due) => due !== undefined);
  }

  private nextOf(firing: Firing): Due | undefined {
    const { state } = firing;
    switch (state.kind) {
      case "waiting": {
        const { delivery } = state;
        const { arrives, deadline } = delivery;
        // MX-DL-3: an answer at the deadline is in time.
        const isInTime = arrives <= deadline;
        return {
          at: isInTime ? arrives : deadline,
          rank: isInTime ? 1 : 2,
          happens: () => {
            this.answered(firing, delivery, isInTime);
          },
        };
      }
      case "parked": {
        const { wait } = state;
        return {
          at: wait.expires,
          rank: 3,
          happens: () => {
            this.expired(wait);
          },
        };
      }
      default:
        return undefined;
    }
  }

  /** A control step comes at its time even where its own firing has parked or ended before. */
  private controlOf(firing: Firing): Due | undefined {
    const { control } = firing;
    if (control.nextAt === undefined || firing.isStandingStill) {
      return undefined;
    }
    return {
      at: Math.max(this.now, firing.began + control.nextAt),
      rank: 0,
      happens: () => {
        control.carryOutNext();
        this.forgetIfOver(firing);
      },
    };
  }

  /** Asks the next hook of the chain, or ends the firing where there is none. */
  private proceed(firing: Firing): void {
    const placed = firing.nextHook();
    if (placed === undefined) {
      this.end(firing, firing.outcome());
    } else if (placed.hook.processor.kind === "client") {
      this.waitFor(firing, { placed, since: this.now }, PARKS);
    } else {
      this.deliver(firing, placed);
    }
  }

  private deliver(firing: Firing, placed: Placed): void {
    this.deliveries += 1;
    const deliveryId = `delivery-${this.deliveries}`;
    firing.seen.calls.push({
      hook: placed.hook.id,
      payload: firing.hookInput(deliveryId, placed),
      at_ms: firing.elapsed(this.now),
    });
    const answer = firing.answerOf(placed);
    if (answer.says.kind === "agent_run" && placed.hook.processor.kind === "agent") {
      this.runAgent(firing, placed, answer.says.steps);
      if (firing.state.kind === "ended") {
        return; // It was cancelled meanwhile.
      }
    }
    this.waitFor(firing, { placed, deliveryId, since: this.now }, answer);
  }

  private waitFor(firing: Firing, asked: Asked, answer: Answer): void {
    const delivery: Delivery = {
      ...asked,
      answer,
      arrives: answer.says.kind === "never" ? Infinity : this.now + answer.afterMs,
      deadline: this.now + asked.placed.hook.timeoutMs, // MX-DL-1
    };
    firing.state = { kind: "waiting", delivery };
  }

  /** An agent's own run. The firing that it answers stands still, and none of its time passes. */
  private runAgent(firing: Firing, { hook }: Placed, steps: readonly Step[]): void {
    const before = this.now;
    const { seen } = firing;
    firing.state = { kind: "still", at: before };
    firing.isStandingStill = true;
    this.runs += 1;
    const observed = steps.map((step) => this.steps.ofAgentRun(step));
    this.runs -= 1;
    firing.isStandingStill = false;
    firing.began += this.now - before;
    seen.agent_runs.push({ hook: hook.id, steps: observed });
  }

  private answered(firing: Firing, delivery: Delivery, isInTime: boolean): void {
    firing.state = { kind: "still", at: this.now };
    const answer: Arrived = isInTime
      ? arrived(firing.point, delivery.answer.says)
      : { kind: "failure", failure: "timeout" };
    if (answer.kind === "pending") {
      this.park(firing, delivery);
    } else {
      this.conclude(firing, delivery, answer);
    }
  }

  /** MX-WAIT-4. */
  private expired(wait: Wait): void {
    wait.state = "expired";
    this.goesOn(wait.firing);
    this.conclude(wait.firing, wait.asked, { kind: "failure", failure: "expired" });
  }

  /** MX-WAIT-12: the time of a wait counts from when the work was parked. */
  private park(firing: Firing, asked: Asked): void {
    const { hook } = asked.placed;
    const wait: Wait = {
      name: `${firing.label}/${hook.id}`,
      firing,
      asked,
      expires: this.now + hook.asyncTimeoutMs,
      state: "pending",
    };
    firing.thread.waits.push(wait);
    firing.state = { kind: "parked", wait };
    firing.seen.parked = waitSeen(wait);
  }

  /**
   * A parked firing goes on. The step that is watching it already goes on doing so; to any other step
   * it is an earlier firing, which shows anew.
   */
  private goesOn(firing: Firing): void {
    firing.state = { kind: "still", at: this.now };
    if (firing.isWatched) {
      delete firing.seen.parked;
      return;
    }
    firing.seen = nothingSeen();
    firing.isWatched = true;
    this.watch.firings.push(firing);
    this.watch.resumed.push({ firing: firing.label, fired: firing.seen });
  }

  /** A hook came to its decision: it is audited and folded, and the chain goes on. */
  private conclude(
    firing: Firing,
    asked: Asked,
    answer: Exclude<Arrived, { kind: "pending" }>,
  ): void {
    const { hook, index } = asked.placed;
    const failure = answer.kind === "failure" ? answer.failure : undefined;
    const result: HookResult & Contribution<Decision> =
      answer.kind === "result"
        ? answer.result
        : { decision: hook.onFailure === "fail_closed" ? "deny" : undefined }; // MX-FAIL-1, MX-FAIL-2
    firing.thread.audit.push({
      hookId: hook.id,
      index,
      point: firing.point,
      processor: hook.processor.kind,
      decision: result.decision ?? "defer", // MX-AUD-5
      latencyMs: this.now - asked.since, // MX-AUD-6
      reason: result.reason,
      rewrote: result.rewrite === undefined ? undefined : true, // MX-AUD-2b, MX-AUD-7
      deliveryId: asked.deliveryId, // MX-AUD-8
      failure,
    });
    firing.chain.take(result);
    this.proceed(firing);
  }

  private end(firing: Firing, outcome: Outcome): void {
    firing.seen.ended_ms = firing.elapsed(this.now);
    firing.seen.outcome = outcome;
    firing.state = { kind: "ended" };
    this.forgetIfOver(firing);
  }

  private forgetIfOver(firing: Firing): void {
    if (firing.state.kind === "ended" && firing.control.nextAt === undefined) {
      this.underWay.delete(firing);
    }
  }
}

function isBefore(left: Due, right: Due): boolean {
  return left.at < right.at || (left.at === right.at && left.rank < right.rank);
}
