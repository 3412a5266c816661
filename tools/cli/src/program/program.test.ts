import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { commandGroups } from "../command-groups.ts";
import { startFakeZone } from "../testing/fake-zone.ts";
import { runOnTerminal } from "../testing/run-cli.ts";
import { counter } from "../testing/records.ts";
import { endedRun } from "../testing/run-fixture.ts";
import { createProgram } from "./create-program.ts";

const nowhere = "http://127.0.0.1:1";
const root = resolve(import.meta.dirname, "../../../..");

/** Each command by the heading that a person looks under. */
const groups: Readonly<Record<string, RegExp>> = {
  Start: /^(dev|open|chat|config|doctor|completion)$/,
  Ask: /^(ask|find|tasks .*|usage)$/,
  Agents: /^(agents .*|conformance|mcp .*)$/,
  Workflows: /^(run|validate|workflows .*|runs .*)$/,
  Schedules: /^schedules .*$/,
  Approvals: /^approvals (list|show|decide|receipt|withdraw)$/,
  Programs: /^(tokens .*|programs mcp|hooks .*)$/,
  Admin: /^(audit .*|dead-letters .*|backup)$/,
};

test("Q39: the help has every command below its heading within 60 lines, and that of a group says what each does", async () => {
  const { shown } = await runOnTerminal(nowhere, ["--help"], { columns: 120 });
  const titles = [...shown.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["Options", ...Object.keys(groups), "Environment"]);
  expect(shown.split("\n").length).toBeLessThanOrEqual(60);
  for (const { title, commands } of commandGroups) {
    const [part = ""] = shown
      .slice(shown.indexOf(`\n${title}:`))
      .slice(1)
      .split("\n\n");
    const lines = part.replaceAll(/\n {4,}/g, " ");
    for (const { name, summary } of commands) {
      expect(name).toMatch(groups[title] ?? /^$/);
      const [group = "", own = ""] = name.split(" ");
      const isListed = new RegExp(`^  ${group} +(\\S+, )*${own}(,|$)`, "m").test(lines);
      expect([name, isListed || lines.includes(`\n  ${name} `)]).toEqual([name, true]);
      const help = await runOnTerminal(nowhere, [group, "--help"], { columns: 200 });
      expect(help.shown.replaceAll(/\s+/g, " ")).toContain(summary);
    }
  }
  for (const old of [["inputs"], ["agent", "dev"], ["mcp", "serve"], ["approvals", "answer"]])
    expect(await runOnTerminal(nowhere, old)).toMatchObject({ code: 2 });
});

test.each([
  ["agent list", "agent", "Did you mean agents list?"],
  ["agnets list", "agnets", "Did you mean agents list?"],
  ["token list", "token", "Did you mean tokens list?"],
  ["schedule", "schedule", "Did you mean schedules?"],
  ["Workflow", "Workflow", "Did you mean workflows?"],
  ["schedules pauze daily", "pauze", "Did you mean schedules pause?"],
  ["cancel 7c9e", "cancel", "Did you mean runs cancel?"],
  ["docter", "docter", "Did you mean doctor?"],
  ["frobnicate", "frobnicate", "Expected one of: dev, open, chat, "],
])("Q23: %s gets the group or the command that is near", async (line, word, near) => {
  const { code, shown } = await runOnTerminal(nowhere, line.split(" "));
  expect([code, shown]).toEqual([2, expect.stringContaining(`Unknown command "${word}". ${near}`)]);
});

test("Q39: a command without its operand says how it is used, and the names that there are", async () => {
  const agents = { agents: [counter], total: 1 };
  const { url } = await startFakeZone({ "GET /agents?limit=200": agents });
  const { shown } = await runOnTerminal(url, ["agents", "show"]);
  expect(shown).toMatch(
    /^<agent> is missing\. Usage: crosszone agents show \[options\] <agent>\nThere are: counter\.\n/,
  );
  expect((await runOnTerminal(url, ["audit", "verify"])).shown).toMatch(/^<file> is missing\. Usage: .*\nFor help/);
});

test.each([
  [["a"], "ask\nagents\napprovals\naudit\n"],
  [["agents", "d"], "disable\ndev\n"],
  [["tasks", "list", "--sta"], "--state\n"],
  [["ask", "c"], "counter\n"],
  [["ask", "counter", "c"], ""],
  [["tasks", "list", "--agent", ""], "counter\nother\n"],
  [["run", "--timeout", "5m", ""], "publish-text\n"],
  [["nothing", "x"], ""],
])("Q13: %j is completed", async (words, completed) => {
  const { url } = await startFakeZone({
    "GET /agents?limit=200": {
      agents: [counter, { ...counter, name: "other" }],
      total: 2,
    },
    "GET /workflows?limit=200": { workflows: [workflow], total: 1 },
  });
  expect(await runOnTerminal(url, ["__complete", ...words])).toEqual({ code: 0, shown: completed });
});

test("Q13: names can't be completed without a zone, and that is no error", async () => {
  expect(await runOnTerminal(nowhere, ["__complete", "ask", ""], { env: { CROSSZONE_TOKEN: "" } })).toEqual({
    code: 0,
    shown: "",
  });
});

test("Q13: the script of bash completes what the command line says", async () => {
  const { shown } = await runOnTerminal(nowhere, ["completion", "bash"]);
  const asked = `${shown}COMP_WORDS=(${root}/crosszone audit v); COMP_CWORD=2; _crosszone; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", asked], { encoding: "utf8" })).toBe("verify\n");
  expect((await runOnTerminal(nowhere, ["completion", "bsh"])).shown).toContain("Did you mean bash");
});

test("Q13: open prints addresses where no display is, and names what it knows", async () => {
  const { url } = await startFakeZone({ "GET /runs/run-1": endedRun });
  const open = async (...words: string[]) => (await runOnTerminal(url, ["open", ...words], { pageToken: "t" })).shown;
  expect(await open()).toBe(`${url}/console/runs#token=t\n`);
  expect(await open("run-1")).toBe(`${url}/console/runs/run-1#token=t\n`);
  expect(await open("slack")).toBe("http://127.0.0.1:3100\n");
  expect(await open("slak")).toContain("Did you mean slack?");
});

/** The words of a line of a shell after `crosszone`, up to a comment, a pipe or another command. */
const line =
  /^ *(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.?\.\/\S*)?crosszone ([a-z](?:"[^"]*"|'[^']*'|\\.|[^|;&#>"'\\\n]|(?<=\S)[#>])*)/gm;

/** Returns a block with each command on one line, and what another command would print as a word. */
const withOneLine = (block: string): string => block.replaceAll(/\\\n\s*/g, "").replaceAll(/\$\([^)]*\)/g, "x");

test("Q5: every command line of the pages has a command, options and operands that there are", async () => {
  // In a clone, the scripts of the repository are commands too.
  const { scripts } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { scripts: object };
  const parsed: string[] = [];
  const run = async ({ name }: { readonly name: string }) => void parsed.push(name);
  const parse = createProgram({
    groups: commandGroups,
    version: "1",
    stdout: new PassThrough(),
    run,
    namesOf: async () => [],
  });
  for (const page of globSync(["README.md", "docs/**/*.md", "{kits,examples,deploy}/**/*.md"], { cwd: root }))
    for (const [, block = ""] of readFileSync(resolve(root, page), "utf8").matchAll(/^ *```(?:sh)?\n([^]*?)^ *```$/gm))
      for (const [, found = ""] of withOneLine(block).matchAll(line)) {
        const words = [...found.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
          word.replaceAll(/["']/g, ""),
        );
        if (words[0] !== "dev" && Object.hasOwn(scripts, words[0] ?? "")) continue;
        await expect(parse(words), `${page}: ${found}`).resolves.toBeUndefined();
      }
  expect(new Set(parsed).size).toBeGreaterThan(25);
});

test.each(["dev", "chat", "config", "doctor"])("Q13: %s without its program says what to do", async (name) => {
  const { code, shown } = await runOnTerminal(nowhere, [name, "--quiet"]);
  expect([code, shown]).toEqual([2, expect.stringContaining(`In a clone of the repository: ./crosszone ${name}; in`)]);
});

const workflow = { workflow_id: "publish-text", version: "1", name: "P", created_at: "2026-11-21T09:30:00.000Z" };
