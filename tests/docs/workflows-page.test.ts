import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { startDevAgents } from "@crosszone/dev-agents";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { createExpressions, readWorkflow, readWorkflowFile, WorkflowFault, type Workflows } from "@crosszone/workflow";
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { openWithoutHttp } from "@crosszone/execution/testing";
import { testPromises } from "./page-promises.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

const root = resolve(import.meta.dirname, "../..");
const page = ["docs/workflows.md", "docs/reference/workflow-steps.md"]
  .map((path) => readFileSync(resolve(root, path), "utf8"))
  .join("\n");
const members = JSON.parse(readFileSync(resolve(root, "schemas/workflow/members.schema.json"), "utf8")) as {
  readonly $defs: Readonly<Record<"RunProblemKind" | "StepType", { readonly enum: readonly string[] }>>;
};
const agents = ["proofreader", "keywords", "fingerprint", "billing"];

interface Example {
  readonly source: string;
  /** What the page gives it, and what it says that comes of that. */
  readonly input?: unknown;
  readonly output?: unknown;
}

/** Every definition, whole or its steps alone, and the sentence below it. */
const examples: readonly Example[] = [
  ...page.matchAll(/^```(?:yaml|json)\n([^]*?)^```\n(?:\nWith `(.+?)` it returns\s`(.+?)`\.$)?/gm),
].map(([, source = "", input, output]) => ({
  source,
  input: input === undefined ? undefined : (JSON.parse(input) as unknown),
  output: output === undefined ? undefined : (JSON.parse(output) as unknown),
}));

/** A definition of what an example shows: one that shows steps alone begins with the first of them. */
async function wholeOf(source: string): Promise<unknown> {
  const path = tempFile("example.yaml", source);
  const shown = (await readWorkflowFile(path)).value as Partial<WorkflowDefinition>;
  const [start_step] = Object.keys(shown.steps ?? {});
  return { workflow_id: "shown", name: "Shown", version: "1", start_step, ...shown };
}

test("the example of the page is the file that it names", () => {
  const [, file = "", shown] = /<!-- (\S+) -->\n\n```yaml\n([^]*?)```/.exec(page) ?? [];
  expect(shown).toBe(readFileSync(resolve(root, file), "utf8"));
});

test("B22: every definition of the page is valid, with the sample agents alone; the page names each type of step", async () => {
  expect(examples.length).toBeGreaterThan(6);
  const types = [...page.matchAll(/^### (\w+)\n(?:(?!#)[^]*?)```yaml\nsteps:\n +\w+:\n +id: \w+\n +type: (\w+)/gm)];
  const { StepType } = members.$defs;
  expect(types.length).toBeGreaterThan(4);
  expect(types.filter(([, heading = "", type = ""]) => heading !== type || !StepType.enum.includes(type))).toEqual([]);
  expect(tableOf("Type").map(([type]) => code(type))).toEqual(StepType.enum);
  for (const { source } of examples)
    expect([source, readWorkflow(await wholeOf(source), { agents }).problems]).toEqual([source, []]);
});

async function outputOf(
  { startRun, getRun }: Workflows,
  workflow_id: string,
  { version, input }: { version: string; input: unknown },
): Promise<unknown> {
  const started = await startRun({ workflow_id, version, input });
  if (!("run" in started)) throw new Error(JSON.stringify(started));
  return vi.waitFor(async () => {
    const run = (await getRun(started.run.run_id))?.run;
    expect(run).toMatchObject({ state: "succeeded" });
    return run?.output;
  });
}

test("every definition that the page gives an input puts out what it says, done by the sample agents", async () => {
  const samples = await startDevAgents({ taskMs: 300 });
  onTestFinished(() => samples.close());
  const { workflows, start } = await openWithoutHttp(await newSqliteDatabase(), {
    EXECUTION_FILE: writeAgentsFile(samples.file),
    AGENT_ORIGINS: samples.url,
    WORKFLOWS_DIR: resolve(root, "examples/workflows"),
  });
  await start();
  const told = examples.filter(({ input }) => input !== undefined);
  expect(told.length).toBeGreaterThan(4);
  for (const [at, { source, input, output }] of told.entries()) {
    const definition = { ...((await wholeOf(source)) as WorkflowDefinition), version: String(at) };
    expect(await workflows.createVersion(definition)).toMatchObject({ outcome: "created" });
    const { workflow_id, version } = definition;
    expect([source, await outputOf(workflows, workflow_id, { version, input })]).toEqual([source, output]);
  }
});

/** The cells of a table, by its first heading. */
function tableOf(heading: string): string[][] {
  const [, rows = ""] = new RegExp(`^\\| ${heading} .*\\n\\|[ |-]+\\n((?:\\|.*\\n)+)`, "m").exec(page) ?? [];
  return [...rows.matchAll(/^\| (.*?) +\| (.*?) +\|/gm)].map(([, one = "", other = ""]) => [one, other]);
}
const code = (cell = ""): string => cell.replaceAll(/^`|`$/g, "");

const [, input = "null", ask = "null"] =
  /^With the input `(.*)`, after a step `ask` that returned\s`(.*)`:$/m.exec(page) ?? [];
const scope = {
  input: JSON.parse(input) as unknown,
  outputs: new Map([["ask", JSON.parse(ask) as unknown]]),
  variables: new Map<string, unknown>(),
};

/** What it gives, as a cell of the page says it. */
function toldBy(work: () => unknown): string {
  try {
    return `\`${JSON.stringify(work())}\``;
  } catch (error) {
    if (error instanceof WorkflowFault) return `the step fails: \`${error.kind}\``;
    throw error;
  }
}

test("the table of mappings says what each gives", () => {
  const rows = tableOf("mapping");
  expect(rows.length).toBeGreaterThan(9);
  const { resolve: fill } = createExpressions();
  expect(rows).toEqual(rows.map(([cell]) => [cell, toldBy(() => fill(JSON.parse(code(cell)), scope))]));
});

test("the table of conditions says what each is", () => {
  const rows = tableOf("condition");
  expect(rows.length).toBeGreaterThan(9);
  const { condition } = createExpressions();
  expect(rows).toEqual(rows.map(([cell]) => [cell, toldBy(condition(code(cell), scope))]));
});

test("the table of failures has every kind", () => {
  expect(tableOf("kind").map(([kind]) => code(kind))).toEqual(members.$defs.RunProblemKind.enum);
});

const [, promised = ""] = /## Guarantees\n([^]*?\n)## /.exec(page) ?? [];
testPromises(promised, 9);
