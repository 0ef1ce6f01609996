import { fail, tagged } from "../json/decode.js";
import { readJson } from "../json/read.js";
import { matricesScript, stepsWithin as matricesStepsWithin } from "./matrices.js";
import { writtenOut } from "./repeat.js";
import { stepsWithin as voiceosStepsWithin, voiceosScript } from "./voiceos.js";

const script = tagged({ voiceos: voiceosScript, matrices: matricesScript });
export type Script = ReturnType<typeof script>;

/** Values nest up to 64 deep (HK-LIMIT-1), and a script nests its steps around them. */
const SCRIPT_DEPTH = 512;
const MAX_STEPS = 1000;

/** Reads a script, or throws a `JsonFault` or a `ShapeFault` that says why it is none. */
export function readScript(text: string): Script {
  const { value } = readJson(text, SCRIPT_DEPTH);
  const read = script(writtenOut(value), "");
  const steps =
    read.kind === "voiceos"
      ? count(read.body.steps, voiceosStepsWithin)
      : count(read.body.steps, matricesStepsWithin);
  return steps > MAX_STEPS ? fail("", `has more than ${MAX_STEPS} steps`) : read;
}

/** How many steps there are, those within others included. */
function count<S>(steps: readonly S[], within: (step: S) => readonly S[]): number {
  return steps.reduce((sum, step) => sum + 1 + count(within(step), within), 0);
}
