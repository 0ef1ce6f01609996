// The order desk's entry point: reads the command line, then serves over stdio or Streamable HTTP.

import { parseArgs } from "node:util";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { Desk } from "./desk.js";
import { type Fault, faults } from "./faults.js";
import { deskHooks } from "./hooks.js";
import { serveHttp } from "./http.js";
import { deskTools, hookTools } from "./tools.js";
import type { HookHandlers } from "./types.js";

function readCommandLine(): { port: number | undefined; fault: Fault } {
  try {
    const { values } = parseArgs({ options: { http: { type: "string" }, fault: { type: "string" } } });
    const port = values.http === undefined ? undefined : Number(values.http);
    if (values.http === "" || (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65536))) {
      throw new Error(`not a port: ${values.http}`);
    }
    const fault = values.fault === undefined ? noFault : faults.get(values.fault);
    if (fault === undefined) throw new Error(`unknown fault: ${values.fault}`);
    return { port, fault };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error("usage: node dist/server.js [--http PORT] [--fault NAME]");
    console.error(`faults: ${[...faults.keys()].join(" ")}`);
    process.exit(2);
  }
}

const noFault: Fault = { description: "none" };
const { port, fault } = readCommandLine();

// One desk and one list of tools for the whole process: HTTP sessions see the same orders.
const desk = new Desk();
const handlers: HookHandlers = deskHooks(desk);
const allTools = [...deskTools(desk), ...hookTools(fault.handlers?.(handlers) ?? handlers)];
const tools = fault.tools?.(allTools) ?? allTools;

function newServer(): McpServer {
  const server = new McpServer({ name: "order-desk", version: "1.0.0" });
  for (const { name, description, inputSchema, call } of tools) {
    server.registerTool(name, { description, inputSchema }, (args) => call(args));
  }
  fault.server?.(server, tools);
  return server;
}

process.on("SIGTERM", () => process.exit(0));
fault.start?.();

if (port === undefined) {
  // When stdin ends nothing keeps the process alive but calls under way, so
  // these still get their answers, and then it ends by itself with code 0.
  await newServer().connect(new StdioServerTransport());
  console.error("order desk: serving over stdio");
} else {
  await serveHttp(newServer, port);
}
