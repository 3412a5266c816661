import { execFile } from "node:child_process";
import { copyFile, cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { pythonOf } from "./install-once.ts";
import { startProgram, type CommandLine } from "./run-program.ts";
import { tempFolder } from "@crosszone/testkit/temporary";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const examples = join(root, "examples/agents");

/** Programs in this folder can import the packages of these tests, such as the official SDK. */
const copied = resolve(import.meta.dirname, "../node_modules/.cache/examples");

/** Return the command line of each agent, with a folder for compiled programs. */
const commands: Readonly<Record<string, (temporary: string) => CommandLine | Promise<CommandLine>>> = {
  node: () => [process.execPath, "agent.mjs"],
  python: () => ["python3", "agent.py"],
  go: async (temporary) => {
    const program = join(temporary, "agent");
    await run("go", ["build", "-o", program, "."], { cwd: join(examples, "go"), timeout: 180_000 });
    return [program];
  },
  "a2a-js": async () => {
    await cp(join(examples, "a2a-js"), join(copied, "a2a-js"), { recursive: true });
    return [process.execPath, join(copied, "a2a-js/agent.mjs")];
  },
  "a2a-python": async () => [await pythonOf(join(examples, "a2a-python/requirements.txt")), "agent.py"],
};

/** Starts an agent of examples/agents on a free port, and returns its URL. Ends with the test. */
export async function startExampleAgent(language: string): Promise<string> {
  const temporary = tempFolder();
  const command = (await commands[language]?.(temporary)) ?? [process.execPath];
  return startProgram(command, { cwd: join(examples, language) });
}

const migrations = join(root, "examples/migration");

/** Programs in this folder can import the packages of these tests, such as the kit. */
const compiled = resolve(import.meta.dirname, "../node_modules/.cache/migration");

/** Return the command line of each example, with a folder for compiled programs. */
const migrationCommands: Readonly<
  Record<string, (version: string, temporary: string) => CommandLine | Promise<CommandLine>>
> = {
  node: async (version) => {
    const program = join(compiled, `${version}.mjs`);
    await mkdir(compiled, { recursive: true });
    await copyFile(join(migrations, "node", `${version}.mjs`), program);
    return [process.execPath, "--conditions=@crosszone/source", program];
  },
  python: (version) => ["python3", `${version}.py`],
  go: async (version, temporary) => {
    const program = join(temporary, version);
    await run("go", ["build", "-o", program, `./${version}`], { cwd: join(migrations, "go"), timeout: 180_000 });
    return [program];
  },
};

export const migrationLanguages = Object.keys(migrationCommands);

/** Starts an agent of examples/migration, `before` or `after`, on a free port, and returns its URL. Ends with the test. */
export async function startMigrationExample(language: string, version: string): Promise<string> {
  const temporary = tempFolder();
  const command = (await migrationCommands[language]?.(version, temporary)) ?? [process.execPath];
  return startProgram(command, { cwd: join(migrations, language), env: { PYTHONPATH: join(root, "kits/python") } });
}
