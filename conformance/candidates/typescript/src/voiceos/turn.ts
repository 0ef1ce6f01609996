import type { Json } from "../json/value.js";
import type { Receipt } from "../script/voiceos.js";

/** A turn under way: what goes into its receipt. */
export class Turn {
  private transcript = "";
  /** What a hook let the user read that ended the turn; `undefined` while the agent runs. */
  private hookResponse: string | undefined;
  private readonly tools: { readonly tool: string; readonly status: "done" | "failed" }[] = [];

  constructor(private readonly sessionId: string | undefined) {}

  /**
   * A transcript as hooks rewrote it (VO-FOLD-16b). Of several the last one counts, and so it does
   * for whether a hook answered (VO-FOLD-16c).
   */
  heard(transcript: Json, hookResponse: string | undefined): void {
    this.transcript = typeof transcript === "string" ? transcript : "";
    this.hookResponse = hookResponse;
  }

  /** A tool that ran, whoever owns it. One that did not is no tool of the turn (VO-FOLD-16d). */
  used(tool: string, failed: boolean): void {
    this.tools.push({ tool, status: failed ? "failed" : "done" });
  }

  receipt(responseText: string): Receipt {
    return {
      sessionId: this.sessionId,
      transcript: this.transcript,
      responseText: this.hookResponse ?? responseText,
      tools: this.tools,
    };
  }
}
