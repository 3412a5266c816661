import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { pythonOf } from "./python-of.ts";
import { startProgram, type CommandLine } from "./start-program.ts";

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, "../../examples/agents");

/** A folder whose programs can import the packages of these tests, such as the official SDK. */
const besidePackages = resolve(import.meta.dirname, "../node_modules/.cache/examples");

/** Returns the command line of each example agent, for a folder that may hold its program. */
const commands: Readonly<Record<string, (temporary: string) => CommandLine | Promise<CommandLine>>> = {
  node: () => [process.execPath, "agent.mjs"],
  python: () => ["python3", "agent.py"],
  go: async (temporary) => {
    const program = join(temporary, "agent");
    await run("go", ["build", "-o", program, "."], { cwd: join(folder, "go"), timeout: 180_000 });
    return [program];
  },
  "a2a-js": async () => {
    await cp(join(folder, "a2a-js"), join(besidePackages, "a2a-js"), { recursive: true });
    return [process.execPath, join(besidePackages, "a2a-js/agent.mjs")];
  },
  "a2a-python": async () => [await pythonOf(join(folder, "a2a-python/requirements.txt")), "agent.py"],
};

/** Starts an agent of examples/agents on a free port, and returns its URL. Ends with the test. */
export async function startExampleAgent(language: string): Promise<string> {
  const temporary = mkdtempSync(join(tmpdir(), "example-agent-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const command = (await commands[language]?.(temporary)) ?? [process.execPath];
  return startProgram(command, { cwd: join(folder, language) });
}
