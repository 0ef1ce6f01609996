import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ABOUT } from "../about.js";
import { run } from "../run.js";

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const ROUTES: Readonly<Record<string, string>> = {
  "/hookproof/v1/about": "GET",
  "/hookproof/v1/run": "POST",
};

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Serves the script contract over HTTP. Port 0 takes any that is free. */
export function serveHttp(port: number): void {
  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => refusal(500, error instanceof Error ? error.message : "unknown"))
      .then((reply) => {
        send(response, reply);
      })
      .catch(() => {
        response.destroy();
      });
  });
  server.listen(port, HOST, () => {
    const { port: taken } = server.address() as AddressInfo;
    process.stderr.write(`listening on http://${HOST}:${taken}\n`);
  });
}

async function answer(request: IncomingMessage): Promise<Reply> {
  const path = new URL(request.url ?? "/", `http://${HOST}`).pathname;
  const method = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (method === undefined) {
    return refusal(404, "there is nothing here");
  }
  if (request.method !== method) {
    return refusal(405, `this takes ${method}`);
  }
  if (method === "GET") {
    return { status: 200, body: ABOUT };
  }
  const body = await read(request);
  if (body === undefined) {
    return refusal(413, "a script is at most 16 MiB");
  }
  const text = decode(body);
  if (text === undefined) {
    return refusal(400, "the script is no UTF-8");
  }
  const ran = run(text);
  return "error" in ran ? refusal(400, ran.error) : { status: 200, body: ran.transcript };
}

/** The whole body, or `undefined` where it is too large. The rest of such a one is read and dropped. */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size <= MAX_BODY_BYTES) {
      chunks.push(chunk);
    }
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function refusal(status: number, error: string): Reply {
  return { status, body: JSON.stringify({ error }) };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}
