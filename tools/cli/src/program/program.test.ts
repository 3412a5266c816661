import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { commandGroups } from "../command-groups.ts";
import { refusing, startFakeZone } from "../testing/fake-zone.ts";
import { runOnTerminal } from "../testing/run-cli.ts";
import { counter } from "../testing/records.ts";
import { endedRun } from "../testing/run-fixture.ts";
import { createProgram } from "./create-program.ts";

const nowhere = "http://127.0.0.1:1";
const root = resolve(import.meta.dirname, "../../../..");

/** Each command by the heading that a person looks under. */
const groups: Readonly<Record<string, RegExp>> = {
  Start: /^(dev|open|chat|doctor|completion)$/,
  Ask: /^(ask|find|tasks .*|usage)$/,
  Agents: /^(agents .*|conformance|mcp .*)$/,
  Workflows: /^(run|validate|workflows .*|runs .*)$/,
  Schedules: /^schedules .*$/,
  Approvals: /^approvals (list|show|decide|receipt|withdraw)$/,
  Programs: /^(tokens .*|programs mcp|hooks .*)$/,
  Admin: /^(audit .*|dead-letters .*|backup)$/,
};

test("Q13: the help has every command once, below its heading, and old spellings are unknown", async () => {
  const { shown } = await runOnTerminal(nowhere, ["--help"], { columns: 120 });
  const titles = [...shown.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, title]) => title);
  expect(titles).toEqual(["Options", ...Object.keys(groups), "Environment"]);
  for (const { title, commands } of commandGroups) {
    const [part = ""] = shown
      .slice(shown.indexOf(`\n${title}:`))
      .slice(1)
      .split("\n\n");
    const lines = part.replaceAll(/\n {4,}/g, " ");
    for (const { name } of commands) {
      expect(name).toMatch(groups[title] ?? /^$/);
      const [group = "", own = ""] = name.split(" ");
      const isListed = new RegExp(`^  ${group} +(\\S+, )*${own}(,|$)`, "m").test(lines);
      expect([name, isListed || lines.includes(`\n  ${name} `)]).toEqual([name, true]);
    }
  }
  for (const old of [["inputs"], ["agent", "dev"], ["mcp", "serve"], ["approvals", "answer"]])
    expect(await runOnTerminal(nowhere, old)).toMatchObject({ code: 2 });
});

test("Q39: the help fits a terminal or two, and that of a group says what its commands do", async () => {
  const { shown } = await runOnTerminal(nowhere, ["--help"], { columns: 120 });
  expect(shown.split("\n").length).toBeLessThan(60);
  for (const { commands } of commandGroups)
    for (const { name, summary } of commands.filter((one) => one.name.includes(" "))) {
      const [group = ""] = name.split(" ");
      const help = (await runOnTerminal(nowhere, [group, "--help"], { columns: 200 })).shown;
      expect(help.replaceAll(/\s+/g, " ")).toContain(summary);
      expect(help).toContain(`\n  ${name} `);
    }
});

test.each([
  [["agent", "list"], "agents list"],
  [["agnets", "list"], "agents list"],
  [["token", "list"], "tokens list"],
  [["schedule"], "schedules"],
  [["Workflow", "shows"], "workflows"],
  [["approval"], "approvals"],
  [["hook"], "hooks"],
  [["schedules", "pauze", "daily"], "schedules pause"],
  [["cancel", "7c9e"], "runs cancel"],
  [["decide"], "approvals decide"],
  [["docter"], "doctor"],
])("Q23: %j gets the group or the command that is near", async (words, near) => {
  const { code, shown } = await runOnTerminal(nowhere, words);
  expect(code).toBe(2);
  expect(shown).toMatch(
    new RegExp(`^Unknown command "${words[0] === "schedules" ? "pauze" : words[0]}"\\. Did you mean ${near}\\?\n`),
  );
});

test("Q23: a word that is near nothing gets what there is", async () => {
  expect((await runOnTerminal(nowhere, ["frobnicate"])).shown).toMatch(
    /^Unknown command "frobnicate"\. Expected one of: /,
  );
});

const at = "2026-11-21T09:30:00.000Z";
const daily = {
  name: "daily",
  settings: {
    owner: { team_id: "T1", user_id: "U1" },
    cron: "0 9 * * *",
    zone: "UTC",
    agent: "a",
    text: "b",
    cap: { fires: 1 },
  },
  state: "active",
  source: "api",
  next_at: [at],
  changed_at: at,
  changed_by: "token:ops",
};
const ci = { name: "ci", scopes: ["ask"], created_by: "bootstrap", created_at: at, expires_at: at };
const zoneWithNames = () =>
  startFakeZone({
    "GET /agents?limit=200&offset=0": { agents: [counter], total: 1, limit: 200, offset: 0 },
    "GET /schedules?limit=200": { schedules: [daily] },
    "GET /tokens": { tokens: [ci] },
    "POST /schedules/dialy/pause": refusing("schedule-not-found"),
    "GET /schedules/other": refusing("schedule-not-found"),
    "DELETE /tokens/cj": refusing("token-not-found"),
  });

test.each([
  [["schedules", "pause", "dialy"], "Did you mean daily?"],
  [["schedules", "show", "other"], "crosszone schedules lists them."],
  [["tokens", "revoke", "cj"], "Did you mean ci?"],
])("Q23: %j gets the name that is near", async (words, told) => {
  const { code, shown } = await runOnTerminal((await zoneWithNames()).url, words);
  expect([code, shown]).toEqual([3, `It is refused. ${told}\n`]);
});

test("Q39: a command without its operand says how it is used, and the names that there are", async () => {
  const { url } = await zoneWithNames();
  const shown = async (...words: string[]) => (await runOnTerminal(url, words)).shown;
  expect(await shown("agents", "show")).toBe(
    "<agent> is missing. Usage: crosszone agents show [options] <agent>\nThere are: counter.\nFor help: crosszone agents show --help\n",
  );
  expect(await shown("schedules", "pause")).toMatch(/^<name> is missing\. Usage: .*\nThere are: daily\.\n/);
  expect(await shown("audit", "verify")).toMatch(/^<file> is missing\. Usage: .*\nFor help/);
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
    "GET /agents?limit=200&offset=0": {
      agents: [counter, { ...counter, name: "other" }],
      total: 2,
      limit: 200,
      offset: 0,
    },
    "GET /workflows?limit=200&offset=0": { workflows: [workflow], total: 1, limit: 200, offset: 0 },
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

/** Returns the words of a line of a shell, without what follows them: a comment, a pipe, another command. */
function wordsOf(line: string): string[] {
  const [only = ""] = /^(?:"[^"]*"|'[^']*'|\\.|[^|;&#>"'\\]|(?<=\S)[#>])*/.exec(line) ?? [];
  return [...only.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ""));
}

test("Q5: every command line of the pages has a command, options and operands that there are", async () => {
  const pages = globSync(["README.md", "docs/**/*.md", "{kits,examples,deploy}/**/*.md"], { cwd: root });
  const lines = pages.flatMap((page) =>
    [...readFileSync(resolve(root, page), "utf8").matchAll(/^ *```(?:sh|console)?\n([^]*?)^ *```$/gm)]
      .flatMap(([, block = ""]) => block.replaceAll(/\\\n\s*/g, "").split("\n"))
      .flatMap((line) => /^ *(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.?\.\/\S*)?crosszone ([a-z].*)/.exec(line)?.[1] ?? [])
      .map((line) => [page, wordsOf(line)] as const),
  );
  // In a clone, the scripts of the repository are commands too.
  const { scripts } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { scripts: object };
  const own = lines.filter(([, [first = ""]]) => !Object.hasOwn(scripts, first) || first === "dev");
  expect(own.length).toBeGreaterThan(60);
  const parsed: string[] = [];
  const parse = createProgram({
    groups: commandGroups,
    version: "1",
    stdout: new PassThrough(),
    run: async ({ name }) => void parsed.push(name),
    namesOf: async () => [],
  });
  for (const [page, words] of own) await expect(parse(words), `${page}: ${words.join(" ")}`).resolves.toBeUndefined();
  expect(new Set(parsed).size).toBeGreaterThan(25);
});

test.each(["dev", "chat", "doctor"])("Q13: %s without its program says what to do", async (name) => {
  const { code, shown } = await runOnTerminal(nowhere, [name, "--quiet"]);
  expect([code, shown]).toEqual([2, expect.stringContaining(`In a clone of the repository: ./crosszone ${name}.`)]);
});

const workflow = { workflow_id: "publish-text", version: "1", name: "P", created_at: "2026-11-21T09:30:00.000Z" };
