// suite: rest
import type { AgentTask } from "@crosszone/contracts";
import type { Workflows } from "@crosszone/workflow";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import type { Task } from "../../tasks/task.ts";
import { startFakeBridge } from "../../testing/fake-bridge.ts";
import { startExecutor, stepResult, storeWorkflow, type TestExecutor } from "../../testing/start-executor.ts";
import { startRunner, type TestRunnerOptions } from "../../testing/start-runner.ts";
import type { Agent } from "../agent.ts";

const asks = (text: string) => ({ params: { channel: "C1", text, team_id: "T1" } });

async function agentNamed({ agents }: Pick<TestExecutor, "agents">, name = "publish"): Promise<Agent> {
  const agent = await agents.find(name);
  if (agent === undefined) throw new Error(`no workflow ${name}`);
  return agent;
}

/** Starts a process that runs tasks of the workflow and advances runs. */
async function startProcess(
  url: string,
  options: Parameters<typeof startExecutor>[1] & Partial<TestRunnerOptions> = {},
) {
  const executor = await startExecutor(url, options);
  if ((await executor.workflows.get("publish")) === undefined) await storeWorkflow(executor);
  const runner = await startRunner({ url, leaseMs: 1_000, ...options, agents: [await agentNamed(executor)] });
  const { jobs, ends } = executor;
  return { ...executor, ...runner, jobs, ends };
}

const echo = (task: AgentTask) =>
  stepResult(task, { output_data: { text: `${task.agent_name} did it`, response: "" } });

function howItWent({ outcome }: Pick<Task, "outcome">): string[] | undefined {
  const told = outcome && ("answer" in outcome ? outcome.answer.progress : outcome.error.data.progress);
  return told?.steps.map(({ title, state }) => `${title} ${state}`);
}

onBothEngines("workflows as agents", (newDatabase) => {
  test("an input that the workflow refuses is reported to the person, and no run starts", async () => {
    const url = await newDatabase();
    const executor = await startExecutor(url);
    const properties = { topic: { type: "string" }, count: { type: "integer" } };
    await storeWorkflow(executor, { input_schema: { type: "object", properties, required: ["topic", "count"] } });
    const { submit, runner } = await startProcess(url);
    const answers = [
      "write about cats",
      '{"topic": "cats", "count": "two"}',
      `{"topic":${"[".repeat(64)}${"]".repeat(64)}}`,
    ];
    const texts = answers.map(async (text) => {
      const { outcome } = await runner.waitUntilSettled(await submit(asks(text)), 60_000);
      return outcome && "answer" in outcome ? outcome.answer.response_text : outcome;
    });
    expect(await Promise.all(texts)).toEqual([
      expect.stringMatching(/`publish` can't start[^]*- `count` is missing[^]*"count": 1/),
      expect.stringContaining("- `count` must be integer"),
      expect.stringContaining("- the input is nested in more than 64 levels"),
    ]);
    expect(await executor.workflows.listRuns({ limit: 1 })).toMatchObject({ runs: [] });
  });

  test("a run that another client cancels ends its task as canceled, and the task shows its progress", async () => {
    const process = await startProcess(await newDatabase());
    const { workflows, runner, submit } = process;
    const { tasks } = await startFakeBridge(process);
    const task = await submit(asks("hello"));
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    await workflows.cancel(task.task_id);
    const ended = await runner.waitUntilSettled(task, 60_000);
    expect(ended).toMatchObject({ state: "canceled", outcome: { error: { kind: "canceled" } } });
    expect(howItWent(ended)).toEqual(["Ask A canceled", "Ask B skipped"]);
  });

  test("during a database outage the task waits, and gets its answer when the database returns", async () => {
    const lost = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
    const failing = { get: 1, startRun: 1, getRun: 1, waitForRun: 1 };
    const fail = (name: keyof typeof failing): void => {
      if (isAway && failing[name]-- > 0) throw lost;
    };
    let isAway = false;
    const through = (real: Workflows): Workflows => ({
      ...real,
      get: async (...given) => (fail("get"), real.get(...given)),
      startRun: async (...given) => (fail("startRun"), real.startRun(...given)),
      getRun: async (...given) => (fail("getRun"), real.getRun(...given)),
      waitForRun: async (...given) => (fail("waitForRun"), real.waitForRun(...given)),
    });
    const process = await startProcess(await newDatabase(), { through });
    const { emit, submit, runner } = process;
    await startFakeBridge(process, echo);
    isAway = true;
    const { outcome } = await runner.waitUntilSettled(await submit(asks("hello")), 60_000);
    expect(outcome).toMatchObject({ answer: { response_text: "B did it" } });
    const operations = ["start", "start", "watch", "watch"];
    expect(emit.mock.calls).toEqual(
      operations.map((operation) => ["task_run_unreachable", { operation, cause: lost }]),
    );
  });
});
