import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { startProgram, type CommandLine } from "./start-program.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const examples = join(root, "examples/migration");

/** A folder whose programs can import the packages of these tests, such as the kit. */
const besidePackages = resolve(import.meta.dirname, "../node_modules/.cache/migration");

type CommandOf = (version: string, temporary: string) => CommandLine | Promise<CommandLine>;

/** Returns the command line of each example, for a folder that may hold its program. */
const commands: Readonly<Record<string, CommandOf>> = {
  node: async (version) => {
    const program = join(besidePackages, `${version}.mjs`);
    await mkdir(besidePackages, { recursive: true });
    await copyFile(join(examples, "node", `${version}.mjs`), program);
    return [process.execPath, "--conditions=@crosszone/source", program];
  },
  python: (version) => ["python3", `${version}.py`],
  go: async (version, temporary) => {
    const program = join(temporary, version);
    await run("go", ["build", "-o", program, `./${version}`], { cwd: join(examples, "go"), timeout: 180_000 });
    return [program];
  },
};

export const migrationLanguages = Object.keys(commands);

/** Starts an agent of examples/migration, `before` or `after`, on a free port, and returns its URL. Ends with the test. */
export async function startMigrationExample(language: string, version: string): Promise<string> {
  const temporary = mkdtempSync(join(tmpdir(), "migration-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const command = (await commands[language]?.(version, temporary)) ?? [process.execPath];
  return startProgram(command, { cwd: join(examples, language), env: { PYTHONPATH: join(root, "kits/python") } });
}
