import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkConformance } from "@crosszone/conformance";
import { expect, onTestFinished, test } from "vitest";
import { askZone } from "../harness/ask-zone.ts";
import { startOpenExecution } from "../harness/start-open-execution.ts";
import { startProgram, type CommandLine } from "../harness/start-program.ts";
import { writeAgentsFile } from "../harness/write-agents-file.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const examples = join(root, "examples/migration");

/** A folder whose programs can import the packages of these tests, such as the kit. */
const besidePackages = resolve(import.meta.dirname, "../node_modules/.cache/migration");

type Version = "before" | "after";

/** Returns the command line of each example, for a folder that may hold its program. */
const commands: Readonly<Record<string, (version: Version, temporary: string) => CommandLine | Promise<CommandLine>>> =
  {
    node: async (version) => {
      await cp(join(examples, "node"), besidePackages, { recursive: true });
      return [process.execPath, "--conditions=@crosszone/source", join(besidePackages, `${version}.mjs`)];
    },
    python: (version) => ["python3", `${version}.py`],
    go: async (version, temporary) => {
      const program = join(temporary, version);
      await run("go", ["build", "-o", program, `./${version}`], { cwd: join(examples, "go"), timeout: 180_000 });
      return [program];
    },
  };

async function start(language: string, version: Version): Promise<string> {
  const temporary = mkdtempSync(join(tmpdir(), "migration-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const command = (await commands[language]?.(version, temporary)) ?? [process.execPath];
  return startProgram(command, { cwd: join(examples, language), env: { PYTHONPATH: join(root, "kits/python") } });
}

const files: Readonly<Record<string, (version: Version) => string>> = {
  node: (version) => `node/${version}.mjs`,
  python: (version) => `python/${version}.py`,
  go: (version) => `go/${version}/main.go`,
};

const page = readFileSync(join(root, "docs/migrate-agents.md"), "utf8");

test.each(Object.keys(files).flatMap((language) => [[language, "before"] as const, [language, "after"] as const]))(
  "R10.2: the migration guide shows the example %s, %s",
  (language, version) => {
    const file = files[language]?.(version) ?? "";
    const [, shown] = new RegExp(`<!-- examples/migration/${file} -->\n\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(page) ?? [];
    expect(shown).toBe(readFileSync(join(examples, file), "utf8"));
  },
);

test.each(Object.keys(commands))(
  "R9.3, R9.5, R10.2: the %s agent gives the same answers after its migration, and complies with A2A 1.0 and 0.3",
  async (language) => {
    const [before, after] = await Promise.all([start(language, "before"), start(language, "after")]);
    const AGENTS_FILE = await writeAgentsFile([
      { name: "before", url: before, protocol: "simple-a2a" },
      { name: "after", url: after },
    ]);
    const zone = await startOpenExecution({ AGENTS_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
    for (const agent of ["before", "after"]) {
      const answer = await askZone(zone.url, { agent, text: "Grüße aus Köln" });
      expect(answer).toMatchObject({ result: { response_text: "3 words, 14 characters" } });
      const failure = await askZone(zone.url, { agent, text: "42" });
      expect(failure).toMatchObject({
        error: { data: { kind: "agent_failed", agent_says: "This text has no words." } },
      });
    }
    const { protocols, compliant, checks } = await checkConformance({ url: after, fetch });
    const failed = checks.filter(({ status, level }) => status === "failed" && level === "must");
    expect(failed.map(({ id, protocol, problem }) => ({ id, protocol, problem }))).toEqual([]);
    expect({ protocols: protocols.toSorted(), compliant }).toEqual({
      protocols: ["a2a-1.0", "jsonrpc-2.0"],
      compliant: true,
    });
  },
  240_000,
);
