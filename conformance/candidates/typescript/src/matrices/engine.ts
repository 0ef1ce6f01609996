import type { Contribution } from "../kernel/chain.js";
import { ControlQueue } from "../kernel/control.js";
import type { Fire, Step } from "../script/matrices.js";
import type { Arrived, Decision, HookResult } from "./answer.js";
import { arrived } from "./answer.js";
import type { Asked, Delivery, Placed } from "./firing.js";
import { Firing, nothingSeen } from "./firing.js";
import type { Fired, Observation, Outcome, Resumed } from "./observation.js";
import type { Thread, Wait } from "./thread.js";
import { waitSeen } from "./thread.js";

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
  private readonly unfinished = new Set<Firing>();
  /** Firings that have ended or parked with control steps left. */
  private readonly leftOver = new Set<Firing>();
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
    const firing = new Firing(fire, thread, this.now, this.runs, control, this.firings);
    const { seen } = firing;
    this.watch.firings.push(firing);
    this.unfinished.add(firing);
    this.proceed(firing);
    this.settle(this.now);
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
    for (const firing of [...this.unfinished].filter((each) => each.thread === thread)) {
      const { state } = firing;
      if (state.kind === "parked") {
        state.wait.state = "cancelled";
        this.goesOn(firing);
      }
      this.end(firing, { cancelled: {} });
    }
  }

  /**
   * Lets time pass until the clock stands at `until` and nothing is on its way any more. At its very
   * deadline a wait can still be resolved: it expires only if the clock goes on beyond.
   */
  settle(until: number): void {
    for (let due = this.next(until); due !== undefined; due = this.next(until)) {
      const isExpiry = due.rank === 3;
      if (isExpiry && due.at >= until && !this.isAnythingOnItsWay()) {
        break;
      }
      this.now = due.at;
      due.happens();
    }
    this.now = Math.max(this.now, until);
  }

  private isAnythingOnItsWay(): boolean {
    return [...this.unfinished].some(({ state }) => state.kind === "waiting");
  }

  /** What happens next. All else being equal, the firing that began first comes first. */
  private next(until: number): Due | undefined {
    let first: Due | undefined;
    const dues = [...this.unfinished].flatMap((firing) => this.duesOf(firing));
    for (const due of [...this.leftOverDues(until), ...dues]) {
      first = first === undefined || isBefore(due, first) ? due : first;
    }
    return first;
  }

  /**
   * Control steps that are left over keep their times as long as anything is on its way, and then come at
   * once. Those of a step around an agent's own run wait for its firing, which stands still, unless time
   * passes to them.
   */
  private leftOverDues(until: number): readonly Due[] {
    const isAnythingOnItsWay = this.isAnythingOnItsWay();
    return [...this.leftOver].flatMap((firing) => {
      const control = firing.state.kind === "waiting" ? undefined : this.controlOf(firing);
      if (control === undefined) {
        return [];
      }
      const at = Math.max(this.now, control.at);
      if (isAnythingOnItsWay || at <= until) {
        return [{ ...control, at }];
      }
      return firing.runs === this.runs ? [{ ...control, at: this.now }] : [];
    });
  }

  private duesOf(firing: Firing): readonly Due[] {
    const { state } = firing;
    switch (state.kind) {
      case "waiting": {
        const { delivery } = state;
        const { arrives, deadline } = delivery;
        // MX-DL-3: an answer at the deadline is in time.
        const isInTime = arrives <= deadline;
        const answer: Due = {
          at: isInTime ? arrives : deadline,
          rank: isInTime ? 1 : 2,
          happens: () => {
            this.answered(firing, delivery, isInTime);
          },
        };
        const control = this.controlOf(firing);
        return control === undefined ? [answer] : [control, answer];
      }
      case "parked": {
        const { wait } = state;
        const expiry: Due = {
          at: wait.expires,
          rank: 3,
          happens: () => {
            this.expired(wait);
          },
        };
        return [expiry];
      }
      default:
        return [];
    }
  }

  private controlOf(firing: Firing): Due | undefined {
    const { control } = firing;
    if (control.nextAt === undefined) {
      return undefined;
    }
    return {
      at: firing.began + control.nextAt,
      rank: 0,
      happens: () => {
        control.carryOutNext();
        if (control.nextAt === undefined) {
          this.leftOver.delete(firing);
        }
      },
    };
  }

  /** Asks the next hook of the chain, or ends the firing where there is none. */
  private proceed(firing: Firing): void {
    const placed = firing.nextHook();
    if (placed === undefined) {
      this.end(firing, firing.outcome());
    } else if (placed.hook.processor.kind === "client") {
      this.parkForClient(firing, placed);
    } else {
      this.deliver(firing, placed);
    }
  }

  /** Where a firing parks as it begins, its control steps of that moment come first. */
  private parkForClient(firing: Firing, placed: Placed): void {
    firing.control.carryOutUntil(firing.elapsed(this.now), () => true);
    if (firing.state.kind !== "ended") {
      this.park(firing, { placed, since: this.now });
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
        return;
      }
    }
    const delivery: Delivery = {
      placed,
      deliveryId,
      answer,
      since: this.now,
      arrives: answer.says.kind === "never" ? Infinity : this.now + answer.afterMs,
      deadline: this.now + placed.hook.timeoutMs, // MX-DL-1
    };
    firing.state = { kind: "waiting", delivery };
  }

  /** An agent's own run. The firing that it answers stands still, and none of its time passes. */
  private runAgent(firing: Firing, { hook }: Placed, steps: readonly Step[]): void {
    const before = this.now;
    const { seen } = firing;
    firing.state = { kind: "still", at: before };
    this.runs += 1;
    const observed = steps.map((step) => this.steps.ofAgentRun(step));
    this.runs -= 1;
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
    this.keepLeftOver(firing);
  }

  private keepLeftOver(firing: Firing): void {
    if (firing.control.nextAt !== undefined) {
      this.leftOver.add(firing);
    }
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
    this.unfinished.delete(firing);
    this.keepLeftOver(firing);
  }
}

function isBefore(left: Due, right: Due): boolean {
  return left.at < right.at || (left.at === right.at && left.rank < right.rank);
}
