import type { Json, JsonObject } from "../json/value.js";
import { ControlQueue } from "../kernel/control.js";
import type { Answer, App, Event, Fire, Receipt, Step, User } from "../script/voiceos.js";
import { PLAIN_ANSWER } from "../script/voiceos.js";
import type { Dispatched } from "./dispatch.js";
import { dispatch } from "./dispatch.js";
import { appMember, HOOK_TOOL, payload } from "./events.js";
import type { Hook, Installation } from "./installation.js";
import type { Card, FiringSeen, LogEntry, Observation, Outcome, Shown } from "./observation.js";
import type { Turn } from "./turn.js";

export type Answers = Fire["answers"];
export type Control = ControlQueue<Step, Observation>;

/** What a firing finds when it begins. VO-SEL-7: the app is that of this moment throughout. */
export interface Scene {
  readonly installations: readonly Installation[];
  readonly frontmost: App | undefined;
  readonly turn: Turn | undefined;
}

type EventOf<K extends Event["kind"]> = Extract<Event, { kind: K }>["body"];

/** No control steps. */
export function uninterrupted(): Control {
  return new ControlQueue<Step, Observation>([], () => ({}));
}

/** VO-EVT-1. */
export function fireTranscript(
  scene: Scene,
  event: EventOf<"transcript">,
  answers: Answers,
  control: Control,
): FiringSeen {
  const dispatched = dispatch({
    event: "transcript",
    hooks: chain(scene, "transcript"),
    value: event.transcript,
    payload: (transcript) =>
      payload("transcript", { ...event, transcript, frontmostApp: appMember(scene.frontmost) }),
    answer: answeredBy(answers),
    control,
  });
  const { ending } = dispatched;
  scene.turn?.heard(
    dispatched.value,
    ending === undefined ? undefined : (ending.result.responseText ?? ""),
  );
  return seen(
    dispatched,
    ended(dispatched) ?? {
      went_on: { value: dispatched.value, context: dispatched.contexts },
    },
  );
}

/** VO-EVT-2. */
export function fireDictation(
  scene: Scene,
  event: EventOf<"dictation">,
  answers: Answers,
  control: Control,
): FiringSeen {
  const dispatched = dispatch({
    event: "dictation",
    hooks: chain(scene, "dictation"),
    value: event.text,
    // VO-WIRE-1: `rawTranscript` stays what was said.
    payload: (text) =>
      payload("dictation", { ...event, text, targetApp: appMember(scene.frontmost) }),
    answer: answeredBy(answers),
    control,
  });
  // VO-FOLD-5: `handled` counts as consumed.
  const outcome = ended(dispatched) ?? { pasted: { text: dispatched.value } };
  return seen(dispatched, "handled" in outcome ? { consumed: {} } : outcome);
}

/** A tool call as a tool tap sees it. */
export interface ToolCall {
  readonly owner: Installation;
  readonly toolName: string;
  readonly args: JsonObject;
}

/** VO-EVT-3, with the confirmation that may follow. */
export function firePreToolUse(
  scene: Scene,
  call: ToolCall,
  answer: Answer,
  user: User,
  control: Control,
): FiringSeen {
  const { owner, toolName } = call;
  const dispatched = dispatch({
    event: "preToolUse",
    hooks: tap(scene, owner, "preToolUse"),
    value: call.args,
    payload: (args) =>
      payload("preToolUse", { toolName, args, frontmostApp: appMember(scene.frontmost) }),
    answer: () => answer,
    control,
  });
  const blocked = ended(dispatched);
  if (blocked !== undefined) {
    return seen(dispatched, blocked); // VO-CONF-5
  }
  const args = dispatched.value as JsonObject;
  // VO-CONF-4: a hook's confirmation is added even where the user switched asking off.
  if (!dispatched.wantsConfirmation && !owner.asksFirst(toolName)) {
    return seen(dispatched, { executed: { args } });
  }
  return seen(dispatched, ...confirm({ tool: toolName, args }, user));
}

/** VO-CONF-6 to VO-CONF-8. */
function confirm(card: Card, user: User): [Outcome, Card[]] {
  switch (user) {
    case "absent":
      return [{ not_run: {} }, []];
    case "decline":
      return [{ declined: {} }, [card]];
    case "approve":
      return [{ executed: { args: card.args } }, [card]];
    default:
      return [{ executed: { args: user.edit } }, [card]];
  }
}

/** VO-EVT-4. The outcome is always that the model reads something. */
export function firePostToolUse(
  scene: Scene,
  call: ToolCall,
  result: Json,
  answer: Answer,
  control: Control,
): { readonly seen: FiringSeen; readonly modelSees: Json } {
  const { owner, toolName, args } = call;
  const dispatched = dispatch({
    event: "postToolUse",
    hooks: tap(scene, owner, "postToolUse"),
    value: result,
    payload: (value) => payload("postToolUse", { toolName, args, result: value }),
    answer: () => answer,
    control,
  });
  const { value } = dispatched;
  return { seen: seen(dispatched, { went_on: { value } }), modelSees: value };
}

/** VO-EVT-5. Everybody is sent the receipt, and nobody waited for (VO-DL-7, VO-FOLD-8b). */
export function fireTurnComplete(scene: Scene, receipt: Receipt): FiringSeen {
  const hooks = chain(scene, "turnComplete").filter((hook) => hook.hasConsent);
  const tools = receipt.tools.map(({ tool, status }) => ({ tool, status }));
  return {
    calls: hooks
      .filter((hook) => hook.isOffered)
      .map((hook) => ({
        hook: hook.integration,
        tool: HOOK_TOOL.turnComplete,
        payload: payload("turnComplete", { ...receipt, tools }),
        at_ms: 0,
      })),
    logged: hooks
      .filter((hook) => !hook.isOffered)
      .map((hook): LogEntry => ({ hook: hook.integration, failure: "unregistered" })),
    ended_ms: 0,
    outcome: { sent: {} },
  };
}

/** The hooks that an event selects, in the order of installation (VO-ORDER-1). */
function chain(scene: Scene, event: Event["kind"]): readonly Hook[] {
  return scene.installations.flatMap((installation) => selected(scene, installation, event));
}

/** VO-SEL-4, VO-SEL-5: a tool tap is its owner's alone. */
function tap(scene: Scene, owner: Installation, event: Event["kind"]): readonly Hook[] {
  return selected(scene, owner, event);
}

function selected(scene: Scene, installation: Installation, event: Event["kind"]): Hook[] {
  const hook = installation.hook(event);
  return hook?.firesFor(scene.frontmost) === true ? [hook] : [];
}

function answeredBy(answers: Answers): (hook: Hook) => Answer {
  return ({ integration }) =>
    (Object.hasOwn(answers, integration) ? answers[integration] : undefined) ?? PLAIN_ANSWER;
}

function ended({ ending }: Dispatched): Outcome | undefined {
  switch (ending?.decision) {
    case undefined:
      return undefined;
    case "block":
      return { blocked: {} };
    case "handled":
      return { handled: {} };
  }
}

function seen(dispatched: Dispatched, outcome: Outcome, cards: readonly Card[] = []): FiringSeen {
  return {
    calls: dispatched.calls,
    logged: dispatched.logged,
    cards,
    ended_ms: dispatched.endedMs,
    outcome,
    user_sees: shown(dispatched),
  };
}

/** VO-FOLD-11, VO-FOLD-12, VO-FOLD-18. */
function shown({ ending }: Dispatched): Shown | undefined {
  const text = ending?.result.responseText;
  const view = ending?.decision === "handled" ? ending.result.view : undefined;
  return text === undefined && view === undefined ? undefined : { text, view };
}
