import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const folder = resolve(import.meta.dirname, "../../examples/agents");

/** Copies an example to a folder that keeps what it installs from one run of the tests to the next, and returns that folder. */
function copied(language: string, installed: string, install: readonly [string, ...string[]]): string {
  const copy = resolve(import.meta.dirname, "../../node_modules/.cache/examples", language);
  cpSync(join(folder, language), copy, { recursive: true });
  const [command, ...args] = install;
  if (!existsSync(join(copy, installed))) execFileSync(command, args, { cwd: copy, stdio: "inherit" });
  return copy;
}

/** Returns the command line of each example agent, for a folder that may hold its program. */
const commands: Readonly<Record<string, (temporary: string) => readonly [string, ...string[]]>> = {
  node: () => [process.execPath, "agent.mjs"],
  python: () => ["python3", "agent.py"],
  go: (temporary) => {
    const program = join(temporary, "agent");
    execFileSync("go", ["build", "-o", program, "."], { cwd: join(folder, "go"), stdio: "inherit" });
    return [program];
  },
  "a2a-js": () => {
    const install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"] as const;
    return [process.execPath, join(copied("a2a-js", "node_modules/@a2a-js/sdk", install), "agent.mjs")];
  },
  "a2a-python": () => {
    const install = "python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check -r requirements.txt";
    const copy = copied("a2a-python", ".venv/bin/uvicorn", ["sh", "-c", install]);
    return [join(copy, ".venv/bin/python"), "agent.py"];
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
