// Serves MCP over Streamable HTTP on the loopback interface, with one SDK transport for each session.

import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const host = "127.0.0.1";

export async function serveHttp(newServer: () => McpServer, port: number): Promise<Server> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  // With port 0 the names are known only once the server listens.
  let authorities: string[] = [];

  async function newTransport(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      enableDnsRebindingProtection: true,
      allowedHosts: authorities,
      allowedOrigins: authorities.map((authority) => `http://${authority}`),
    });
    await newServer().connect(transport);
    return transport;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (new URL(request.url ?? "/", `http://${host}`).pathname !== "/mcp") {
      return refuse(response, 404, "Not found");
    }
    const id = request.headers["mcp-session-id"];
    // A request without a session goes to a new transport. It is kept only if
    // the request turns out to be an initialize; the SDK refuses all others.
    const transport = typeof id === "string" ? sessions.get(id) : await newTransport();
    if (transport === undefined) return refuse(response, 404, "Session not found");
    await transport.handleRequest(request, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) refuse(response, 500, "Internal error");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  authorities = [`${host}:${actual}`, `localhost:${actual}`];
  console.error(`listening on http://${host}:${actual}/mcp`);
  return server;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32001, message }, id: null }));
}
