import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { openWithoutHttp, type WithoutHttp } from "../harness/start-execution.ts";
import { startHttpAgent, type HttpAgent } from "../harness/start-http-agent.ts";
import type { LogLine } from "../harness/start-process.ts";
import { databaseEnv } from "../harness/start-task-process.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/write-definitions.ts";

// Each test opens the connections of several processes.
vi.setConfig({ testTimeout: 60_000 });

const shouting: WorkflowDefinition = {
  workflow_id: "shout-twice",
  name: "Shout twice",
  version: "1",
  start_step: "once",
  steps: {
    once: { id: "once", type: "agent", agent_name: "shout", input_mapping: { text: "hello" }, next_step: "twice" },
    twice: { id: "twice", type: "agent", agent_name: "shout", input_mapping: { text: "${once.output.text}" } },
  },
  output_mapping: { text: "${twice.output.text}" },
};

/** Opens a process with started roles that has registered the agent as `shout`. */
async function open(url: string, agent: HttpAgent, env: Record<string, string>): Promise<WithoutHttp> {
  const AGENTS_FILE = await writeAgentsFile([{ name: "shout", url: agent.url }]);
  const opened = await openWithoutHttp(url, { AGENTS_FILE, AGENT_ORIGINS: agent.origin, ...env });
  await opened.start();
  return opened;
}

onBothEngines("the role workflow", (newDatabase) => {
  test("a run that a process without the role starts is performed by a process with it, in the same trace", async () => {
    const agent = await startHttpAgent((text) => `${text.toUpperCase()}!`);
    const url = await newDatabase();
    const asking = await open(url, agent, { EXECUTION_ROLES: "rpc", WORKFLOWS_DIR: await writeWorkflows(shouting) });
    const bridge = await open(url, agent, { EXECUTION_ROLES: "bridge" });
    const trace = randomBytes(16).toString("hex");
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const request = { workflow_id: "shout-twice", correlation_id: "of-this-run" };
    const started = await asking.workflows.startRun(request, { headers });
    if (!("run" in started)) throw new Error(started.outcome);
    const { run_id } = started.run;
    await vi.waitFor(() => expect(agent.requests).toHaveLength(1), 30_000);
    await vi.waitFor(async () => expect(await bridge.shown()).toMatch(/^bridge_call_requests_total\{.*\} 1$/m));
    expect(await asking.workflows.getRun(run_id)).toMatchObject({ run: { state: "running" } });
    expect(await asking.shown()).toContain("workflow_runs_open 1\n");

    const working = await open(url, agent, { EXECUTION_ROLES: "workflow" });
    await vi.waitFor(async () => {
      expect(await asking.workflows.getRun(run_id)).toMatchObject({
        run: { state: "succeeded", output: { text: "HELLO!!" } },
      });
    }, 30_000);
    expect(agent.requests.map(({ headers: sent }) => [sent["x-correlation-id"], sent["traceparent"]])).toEqual([
      ["of-this-run", headers.traceparent],
      ["of-this-run", headers.traceparent],
    ]);
    const told = (log: readonly LogLine[]) => log.filter((line) => line["run_id"] === run_id).map(({ event }) => event);
    expect(told(asking.log)).toEqual(["run_started"]);
    expect(told(working.log)).toEqual(["run_ended"]);
    const lines = [...asking.log, ...bridge.log, ...working.log].filter((line) => line["run_id"] === run_id);
    expect(new Set(lines.map(({ trace_id }) => trace_id))).toEqual(new Set([trace]));
    const shown = await working.shown();
    expect(shown).toContain('workflow_run_requests_total{workflow="shout-twice",outcome="succeeded"} 1\n');
    expect(shown).toContain("workflow_runs_open 0\n");
  });

  test("processes that start together store the folder's workflows once, and log how many", async () => {
    const agent = await startHttpAgent((text) => text);
    const url = await newDatabase();
    const WORKFLOWS_DIR = await writeWorkflows(shouting);
    const processes = await Promise.all(Array.from({ length: 3 }, () => open(url, agent, { WORKFLOWS_DIR })));
    const applied = processes.flatMap(({ log }) => log.filter(({ event }) => event === "workflows_applied"));
    expect(applied).toHaveLength(3);
    expect(applied.flatMap(({ created }) => created as string[])).toEqual(["shout-twice 1"]);
    expect(await processes[0]?.workflows.list({ limit: 9, offset: 0 })).toMatchObject({ total: 1 });
  });
});

test("a workflow folder with mistakes fails the start with each mistake, its file and line, and stores nothing", async () => {
  const WORKFLOWS_DIR = await writeWorkflows({ ...shouting, start_step: "thrice" });
  const database = await newSqliteDatabase();
  const { status, stderr } = spawnSync(process.execPath, ["--conditions=@crosszone/source", "src/main.ts"], {
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    env: { ...process.env, ...databaseEnv(database), EXECUTION_PORT: "0", WORKFLOWS_DIR },
    encoding: "utf8",
    timeout: 50_000,
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/shout-twice\.json:5:3: \/start_step names an unknown step: thrice/);
  expect(stderr).toMatch(/shout-twice\.json:\d+:7: \/steps\/once\/agent_name is not a registered agent/);
  expect(stderr).not.toContain("    at ");
});
