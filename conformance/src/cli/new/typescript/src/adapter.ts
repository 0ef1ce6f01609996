// Puts a platform behind the script contract of hookproof.
//
// It is handed whole scripts, each for a fresh platform with a clock that stands at 0, and says what it observed of
// each step. What is here so far passes the smoke scripts; what is not says so.

import { createServer } from "node:http";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = { [name: string]: Json };
type Act = (step: Members) => Json;

const ABOUT: Members = { name: "my platform", version: "0.1.0" };

/** Something that scripts ask for and that is not built yet. */
class NotYet extends Error {}

/** A fresh platform of the Matrices dialect: what each kind of step does. */
function matrices(): Record<string, Act> {
  const profiles = new Map<string, Members>();
  const threads = new Map<string, string>();
  return {
    create_profile(step) {
      // Rejected profiles come as raw text, too: answer {"accepted": false} for those.
      const profile = members(JSON.parse(String(step["text"])) as Json);
      const hooks = members(profile["configuration"] ?? {})["hooks"];
      if (!Array.isArray(hooks) || hooks.length > 0) {
        throw new NotYet("hooks: read them in create_profile, and install the defaults where none are given");
      }
      profiles.set(String(step["profile"]), profile);
      return { accepted: true, hooks: [] };
    },
    open_thread(step) {
      threads.set(String(step["thread"]), String(step["profile"]));
      return {};
    },
    fire(step) {
      // With hooks: ask them in order, by step.answers, and let time pass by their after_ms.
      const [, event] = only(step["event"]);
      const value = event["text"] ?? event["input"] ?? event["output"] ?? null;
      return { fired: { ended_ms: 0, outcome: { went_on: { value } } } };
    },
  };
}

/** A fresh host of the VoiceOS dialect: what each kind of step does. */
function voiceos(): Record<string, Act> {
  return {
    install(step) {
      const manifest = members(JSON.parse(String(step["manifest"])) as Json);
      if (Object.keys(members(manifest["hooks"] ?? {})).length > 0) {
        throw new NotYet("hooks: read them in install, and check the manifest");
      }
      return { accepted: true, hooks: [], callout: false };
    },
    fire(step) {
      const [kind, event] = only(step["event"]);
      if (kind !== "transcript") throw new NotYet(`the event ${kind}: fire it in fire`);
      return { ended_ms: 0, outcome: { went_on: { value: event["transcript"] ?? null } } };
    },
  };
}

/** Runs a script and says what was observed, one observation a step. */
function run(script: Json): Members {
  const [dialect, body] = only(script);
  const platform = dialect === "matrices" ? matrices() : voiceos();
  const steps = body["steps"];
  if (!Array.isArray(steps)) throw new Error("not a script: it has no steps");
  return {
    steps: steps.map((step, index) => {
      const [name, what] = only(step);
      try {
        const act = platform[name];
        if (!act) throw new NotYet(`a function ${name} of the dialect ${dialect}`);
        return act(what);
      } catch (error) {
        if (!(error instanceof NotYet)) throw error;
        throw new NotYet(`step ${index + 1} (${name}) is not built yet; it wants ${error.message}`);
      }
    }),
  };
}

function members(value: Json | undefined): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("expected an object");
  return value;
}

/** The one member of an object. */
function only(value: Json | undefined): [string, Members] {
  const [entry] = Object.entries(members(value));
  if (!entry) throw new Error("expected an object with one member");
  return [entry[0], members(entry[1])];
}

const server = createServer((request, response) => {
  const answer = (status: number, value: Json): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  if (request.method === "GET" && request.url === "/hookproof/v1/about") return answer(200, ABOUT);
  if (request.method !== "POST" || request.url !== "/hookproof/v1/run") {
    return answer(404, { error: `no ${request.method} ${request.url} here` });
  }
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    try {
      answer(200, run(JSON.parse(Buffer.concat(pieces).toString()) as Json));
    } catch (error) {
      // Whatever it is, the report shows it.
      answer(400, { error: error instanceof Error ? error.message : String(error) });
    }
  });
});

const port = Number(process.argv[2] ?? 8080);
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  const listening = typeof address === "object" && address ? address.port : port;
  console.error(`listening on http://127.0.0.1:${listening}`);
});
