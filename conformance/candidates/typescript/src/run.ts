import { fail, ShapeFault } from "./json/decode.js";
import { JsonFault } from "./json/read.js";
import { runMatrices } from "./matrices/platform.js";
import type { Script } from "./script/script.js";
import { readScript } from "./script/script.js";
import { runVoiceos } from "./voiceos/host.js";

/** What a transcript may come to. */
const MAX_TRANSCRIPT_BYTES = 16 * 1024 * 1024;
const MAX_TRANSCRIPT_VALUES = 200_000;

/** A transcript, or the reason why there is none. */
export type Ran = { readonly transcript: string } | { readonly error: string };

/** Runs the script in this text on a fresh host. */
export function run(text: string): Ran {
  try {
    return { transcript: JSON.stringify({ steps: observe(readScript(text)) }) };
  } catch (error) {
    if (error instanceof JsonFault || error instanceof ShapeFault) {
      return { error: error.message };
    }
    throw error;
  }
}

function observe(script: Script): readonly unknown[] {
  const observations =
    script.kind === "voiceos" ? runVoiceos(script.body) : runMatrices(script.body);
  const steps: unknown[] = [];
  const room = { bytes: MAX_TRANSCRIPT_BYTES, values: MAX_TRANSCRIPT_VALUES };
  for (const observation of observations) {
    // A few large texts make huge transcripts, so the end is looked for before they are written.
    takeUp(room, observation);
    steps.push(observation);
  }
  return steps;
}

/** Takes a value's share of the room that a transcript has. */
function takeUp(room: { bytes: number; values: number }, value: unknown): void {
  room.values -= 1;
  if (typeof value === "string") {
    room.bytes -= Buffer.byteLength(value);
  }
  if (room.values < 0 || room.bytes < 0) {
    fail("", "comes to too large a transcript");
  }
  if (typeof value !== "object" || value === null) {
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) {
      room.bytes -= Array.isArray(value) ? 0 : name.length;
      takeUp(room, each);
    }
  }
}
