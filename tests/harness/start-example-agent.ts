import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const folder = resolve(import.meta.dirname, "../../examples/agents");

/** Returns the command line of each example agent, for a folder that may hold its program. */
const commands: Readonly<Record<string, (temporary: string) => readonly [string, ...string[]]>> = {
  node: () => [process.execPath, "agent.mjs"],
  python: () => ["python3", "agent.py"],
  go: (temporary) => {
    const program = join(temporary, "agent");
    execFileSync("go", ["build", "-o", program, "."], { cwd: join(folder, "go"), stdio: "inherit" });
    return [program];
  },
};

/** Starts an agent of examples/agents on a free port, and returns its URL. Ends with the test. */
export async function startExampleAgent(language: string): Promise<string> {
  const temporary = mkdtempSync(join(tmpdir(), "example-agent-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const [command, ...args] = commands[language]?.(temporary) ?? [process.execPath];
  const port = await freePort();
  const child = spawn(command, args, {
    cwd: join(folder, language),
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return line.replace("Listening on ", "");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
