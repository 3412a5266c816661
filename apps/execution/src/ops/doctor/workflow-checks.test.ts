import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runChecks, type CheckResult } from "@crosszone/ops/doctor";
import { expect, onTestFinished, test } from "vitest";
import { executionDoctor } from "./execution-doctor.ts";

const WORKFLOWS_DIR = resolve(import.meta.dirname, "../../../../../examples/workflows");

async function consult(env: Record<string, string>): Promise<CheckResult | undefined> {
  const { checks, skip } = executionDoctor(env);
  const asked = checks.filter(({ name }) => ["configuration", "agents file", "workflows"].includes(name));
  const results = await runChecks(asked, { timeoutMs: 30_000, ...(skip && { skip }) });
  return results.find(({ name }) => name === "workflows");
}

async function folderWith(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-doctor-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return folder;
}

async function agentsFile(...names: readonly string[]): Promise<string> {
  const agents = names.map((name) => `  - { name: ${name}, url: "https://agents.example.com/" }\n`);
  return join(await folderWith("agents.yaml", `agents:\n${agents.join("")}`), "agents.yaml");
}

test("without a workflow folder the check is skipped", async () => {
  expect(await consult({})).toMatchObject({ status: "skipped" });
});

test("an unknown agent in a workflow is reported with file, line and what to do", async () => {
  const strange = await consult({ WORKFLOWS_DIR, AGENTS_FILE: await agentsFile("proofreader", "fingerprint") });
  expect(strange).toMatchObject({ status: "warned" });
  const lines = strange?.todo.filter((line) => line.includes("sequence.json")) ?? [];
  expect(lines).toEqual([
    expect.stringMatching(/sequence\.json:26:\d+: \/steps\/about\/agent_name is not a registered agent/),
  ]);
  expect(strange?.todo.at(-1)).toContain("Register missing agents");
  const all = await agentsFile("proofreader", "fingerprint", "keywords");
  expect(await consult({ WORKFLOWS_DIR, AGENTS_FILE: all })).toMatchObject({ status: "passed" });
});

test("errors of workflows are reported by file and line, as at the zone's start", async () => {
  const folder = await folderWith("w.yaml", "workflow_id: w\nsteps: {}\n");
  const wrong = await consult({ WORKFLOWS_DIR: folder });
  expect(wrong).toMatchObject({ status: "failed", says: expect.stringContaining("can't start") as string });
  expect(wrong?.todo).toContainEqual(expect.stringMatching(/w\.yaml:1:1: \/name is missing$/));
  const gone = await consult({ WORKFLOWS_DIR: "/nowhere" });
  expect(gone?.todo).toEqual([expect.stringContaining("ENOENT")]);
});
