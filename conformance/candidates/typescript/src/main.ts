import { serveHttp } from "./transport/http.js";
import { serveStdio } from "./transport/mcp.js";

const USAGE = "usage: node dist/main.js --http PORT | --stdio\n";

const [mode, port, ...others] = process.argv.slice(2);

if (mode === "--http" && port !== undefined && /^[0-9]{1,5}$/.test(port) && others.length === 0) {
  serveHttp(Number(port));
} else if (mode === "--stdio" && port === undefined) {
  await serveStdio();
} else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
