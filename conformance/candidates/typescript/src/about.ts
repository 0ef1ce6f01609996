/**
 * What the candidate says of itself. It leaves `capabilities` and `readings` out: it can do
 * everything, and takes every clause as the specification does by default.
 */
export const ABOUT = JSON.stringify({
  name: "hookproof-candidate-typescript",
  version: "0.1.0",
  dialects: ["voiceos", "matrices"],
  clock: "virtual",
});
