// A note-taking integration that speaks only MCP 2026-07-28: stateless, over stdio, with three hooks.

import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { type Handler, hooks, isObject } from "./hooks.js";

const notes: string[] = [];

function newServer(): McpServer {
  const server = new McpServer({ name: "order-notes", version: "1.0.0" });
  server.registerTool(
    "add_note",
    { description: "Adds a note to the order book.", inputSchema: z.object({ note: z.string() }) },
    ({ note }) => {
      notes.push(note);
      return { content: [{ type: "text", text: `Notes: ${notes.length}` }] };
    },
  );
  for (const [name, handler] of Object.entries(hooks)) {
    server.registerTool(
      name,
      { description: "Called by VoiceOS, not by the agent.", inputSchema: z.object({ payload_json: z.string() }) },
      ({ payload_json }) => ({ content: [{ type: "text", text: answer(handler, payload_json) }] }),
    );
  }
  return server;
}

/** An unreadable payload is no reason to fail: the hook then has nothing to say. */
function answer(handler: Handler, payloadJson: string): string {
  let payload: unknown;
  try {
    payload = JSON.parse(payloadJson);
  } catch {
    return "{}";
  }
  return isObject(payload) ? JSON.stringify(handler(payload)) : "{}";
}

process.on("SIGTERM", () => process.exit(0));

// "reject" is what keeps this integration to 2026-07-28: without it the SDK would
// also serve clients that open with the older initialize handshake.
serveStdio(newServer, { legacy: "reject", onerror: (error) => console.error(error.message) });
