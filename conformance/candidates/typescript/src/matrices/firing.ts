import type { Json, JsonObject } from "../json/value.js";
import { Chain } from "../kernel/chain.js";
import type { ControlQueue } from "../kernel/control.js";
import type { Answer, Event, Fire, Point, Step } from "../script/matrices.js";
import { PLAIN_ANSWER } from "../script/matrices.js";
import type { Decision } from "./answer.js";
import type { Hook } from "./hook.js";
import { isAfterPoint } from "./hook.js";
import { matches } from "./match.js";
import type { Fired, Observation, Outcome } from "./observation.js";
import type { Thread, Wait } from "./thread.js";

/** A hook and its place in its profile's list, counted from zero (MX-AUD-4). */
export interface Placed {
  readonly hook: Hook;
  readonly index: number;
}

/** A hook that was asked, and since when. A client hook gets no delivery. */
export interface Asked {
  readonly placed: Placed;
  readonly since: number;
  readonly deliveryId?: string | undefined;
}

/** A hook whose answer is on its way. */
export interface Delivery extends Asked {
  readonly answer: Answer;
  readonly arrives: number;
  readonly deadline: number;
}

/** `still`: the platform is at it, or it stands still while an agent runs for one of its hooks. */
type State =
  | { readonly kind: "still"; readonly at: number }
  | { readonly kind: "waiting"; readonly delivery: Delivery }
  | { readonly kind: "parked"; readonly wait: Wait }
  | { readonly kind: "ended" };

export function nothingSeen(): Fired {
  return { calls: [], agent_runs: [] };
}

/** One thing that happened at a point, and the chain of hooks that it is put to. */
export class Firing {
  readonly label: string;
  readonly point: Point;
  /** MX-WAIT-9: the hooks are those of the profile when it fired. */
  readonly chain: Chain<Placed, Decision>;
  state: State;
  seen = nothingSeen();
  /** Whether the step that fired it, or set it going, is still under way. */
  isWatched = true;
  /** Whether an agent runs for one of its hooks. It may be cancelled meanwhile. */
  isStandingStill = false;
  private readonly event: Event;
  private readonly answers: Fire["answers"];

  constructor(
    fire: Fire,
    readonly thread: Thread,
    /** The moment it began; moved on by as much as it stood still. */
    public began: number,
    private readonly isWithinRun: boolean,
    readonly control: ControlQueue<Step, Observation>,
    /** The how manieth firing of the platform it is. */
    readonly order: number,
  ) {
    this.label = fire.firing;
    this.event = fire.event;
    this.point = fire.event.kind;
    this.answers = fire.answers;
    this.state = { kind: "still", at: began };
    const placed = thread.profile.hooks.map((hook, index) => ({ hook, index }));
    this.chain = new Chain<Placed, Decision>(placed, valueOf(fire.event));
  }

  /** How long ago it began, of which nothing passes while it stands still. */
  elapsed(now: number): number {
    return (this.state.kind === "still" ? this.state.at : now) - this.began;
  }

  /** The next hook to ask. MX-MATCH-7: conditions see what the hook would see. */
  nextHook(): Placed | undefined {
    return this.chain.next(
      ({ hook }, value) =>
        hook.point === this.point &&
        !(this.isWithinRun && hook.processor.kind === "agent") && // MX-PROC-2a, MX-PROC-2b
        matches(hook, this.tool, this.root(value)),
    );
  }

  answerOf({ hook }: Placed): Answer {
    const own = Object.hasOwn(this.answers, hook.id) ? this.answers[hook.id] : undefined;
    return own ?? PLAIN_ANSWER;
  }

  /** MX-WIRE-1. */
  hookInput(deliveryId: string, { hook }: Placed): JsonObject {
    return { deliveryId, hookId: hook.id, ...this.root(this.chain.value) };
  }

  /** MX-FOLD-2, MX-FOLD-9a, MX-FOLD-9b. */
  outcome(): Outcome {
    if (this.chain.decision === "deny") {
      return isAfterPoint(this.point) ? { withheld: { place: "error" } } : { denied: {} };
    }
    return { went_on: { value: this.chain.value } };
  }

  private get tool(): string | undefined {
    return "tool" in this.event.body ? this.event.body.tool : undefined;
  }

  /** The event with this value: what HookInputs are made of, and where conditions' paths start. */
  private root(value: Json): JsonObject {
    return {
      point: this.point,
      threadId: this.thread.label,
      ...(this.tool === undefined ? {} : { tool: this.tool }),
      [VALUE_MEMBER[this.point]]: value,
    };
  }
}

const VALUE_MEMBER: Readonly<Record<Point, string>> = {
  before_input: "text",
  before_tool_call: "input",
  after_tool_call: "output",
  after_output: "text",
};

function valueOf(event: Event): Json {
  switch (event.kind) {
    case "before_input":
    case "after_output":
      return event.body.text;
    case "before_tool_call":
      return event.body.input;
    case "after_tool_call":
      return event.body.output;
  }
}
