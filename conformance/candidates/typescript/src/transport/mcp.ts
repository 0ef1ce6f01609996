import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { ABOUT } from "../about.js";
import { run } from "../run.js";

/** Serves the script contract as two tools over stdio. */
export async function serveStdio(): Promise<void> {
  const server = new McpServer({ name: "hookproof-candidate-typescript", version: "0.1.0" });
  server.registerTool(
    "hookproof_about",
    { description: "What this candidate says of itself." },
    () => textItem(ABOUT),
  );
  server.registerTool(
    "hookproof_run",
    {
      description: "Runs a script on a fresh host and answers with its transcript.",
      inputSchema: { script_json: z.string().describe("The script, as JSON.") },
    },
    ({ script_json: text }) => {
      const ran = run(text);
      return "error" in ran ? { ...textItem(ran.error), isError: true } : textItem(ran.transcript);
    },
  );
  await server.connect(new StdioServerTransport());
}

function textItem(text: string) {
  return { content: [{ type: "text" as const, text }] };
}
