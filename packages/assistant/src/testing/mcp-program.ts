/** A program for tests, an MCP server over stdio; its argument names how it behaves. */
import { spawn } from "node:child_process";
import { env } from "node:process";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [behavior, path = ""] = process.argv.slice(2);
const tool = (name: string) => ({ name, inputSchema: { type: "object" as const } });

function serve(): void {
  serveStdio(() => {
    const mcp = new Server({ name: "program", version: "1" }, { capabilities: { tools: {} } });
    mcp.setRequestHandler("tools/list", () => ({ tools: ["environment", "flood", "folder", "leave"].map(tool) }));
    mcp.setRequestHandler("tools/call", ({ params: { name } }) => {
      if (name === "flood") flood();
      if (name === "leave") process.exit(3);
      return { content: [{ type: "text", text: name === "folder" ? process.cwd() : JSON.stringify({ ...env }) }] };
    });
    return mcp;
  });
}

function flood(): void {
  for (;;) process.stdout.write("no message\n".repeat(6_000));
}

/** Lets another process run on that also holds the pipes. */
function fork(): void {
  const script = `setInterval(() => require("fs").writeFileSync(${JSON.stringify(path)}, String(Date.now())), 20)`;
  spawn(process.execPath, ["-e", script], { stdio: "inherit" }).unref();
}

if (behavior === "garbage") setInterval(() => process.stdout.write('{"jsonrpc":"2.0","id":1,\nnull\n[]\nno JSON\n'), 1);
else if (behavior === "silent") process.stdin.resume();
else if (behavior === "slow") setTimeout(serve, 1_500);
else if (behavior === "broken") {
  process.stderr.write(`line 1\nline 2\nThe key ${env["KEY"]} is not valid.\n\nSet another KEY.\n`, () =>
    process.exit(4),
  );
} else if (behavior === "stubborn") {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1_000);
  serve();
} else if (behavior === "old") {
  process.stdin.once("data", (line) => {
    // Like servers that end when the first message is not `initialize`.
    if (!String(line).includes('"initialize"')) process.exit(1);
    process.stdin.unshift(line);
    serve();
  });
} else {
  if (behavior === "forks") fork();
  serve();
}
