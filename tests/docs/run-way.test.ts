import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { startFakeAgents, startWorkflowApi } from "@crosszone/workflow/testing";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const [, section = ""] = readFileSync(join(root, "docs/layout.md"), "utf8").split("## The way of a run");
const stops = section.replaceAll(/\s+/g, " ").matchAll(/((?:`\w+`(?: and )?)+) in `([\w/-]+\.ts)`/g);
const files = Array.from(stops, ([, names = "", path = ""]) => [`packages/workflow/src/${path}`, names] as const);

const step = { id: "a", type: "agent", agent_name: "echo", input_mapping: "hi" };
const definition = { workflow_id: "w", name: "W", version: "1", start_step: "a", steps: { a: step }, input_schema: {} };

test("every file on the way of a run runs and has the functions that the page names", async () => {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true });
  const { ask, executor } = await startWorkflowApi();
  const { workflows } = executor;
  const agents = await startFakeAgents(executor);
  await workflows.createVersion(definition);
  await session.post("Profiler.takePreciseCoverage");
  const { body } = await ask("POST /runs", { workflow_id: "w" });
  expect(await workflows.waitForRun(String(body?.["run_id"]))).toMatchObject({ hasEnded: true });
  // A repeated result of a run that is not cached.
  const { run_id = "", task_id = "", correlation_id = "" } = agents.tasks[0] ?? {};
  const result = { run_id, task_id, correlation_id, timestamp: "", error_message: null, output_data: null };
  await workflows.takeResult({ ...result, status: "SUCCESS" }, 2);
  const { result: scripts } = await session.post("Profiler.takePreciseCoverage");
  const ran = scripts.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)));
  const stray = files.filter(([path]) => !ran.some(({ url }) => url.endsWith(path)));
  expect(stray.map(([path]) => path)).toEqual([]);
  const named = files.flatMap(([path, names]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ path, name })),
  );
  for (const { path, name } of named) expect(readFileSync(join(root, path), "utf8")).toContain(`function ${name}(`);
  expect(named.length).toBeGreaterThan(15);
  expect(named.length).toBeLessThanOrEqual(25);
});
