import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tune } from "@crosszone/testkit/tune";
import { expect, test, vi } from "vitest";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { startTaskProcess } from "../harness/start-task-process.ts";
import { writeAgentsFile, writeWorkflows } from "../harness/write-definitions.ts";

// It starts three processes in sequence.
vi.setConfig({ testTimeout: 120_000 });
const soon = { timeout: 30_000, interval: 20 };

test("N5, B6: a workflow task survives more crashes than other tasks may have, and a stop does not wait for its run", async () => {
  const url = await newSqliteDatabase();
  const agent = await startHttpAgent((text) => text.toUpperCase());
  const env = {
    AGENTS_FILE: await writeAgentsFile([{ name: "shout", url: agent.url }]),
    AGENT_ORIGINS: agent.origin,
    WORKFLOWS_DIR: await writeWorkflows({
      workflow_id: "shouting",
      name: "Shouting",
      version: "1",
      start_step: "once",
      steps: { once: { id: "once", type: "agent", agent_name: "shout", input_mapping: "${workflow.input.text}" } },
    }),
    ...tune({ TASK_ATTEMPTS: 1 }),
    STOP_GRACE: "60s",
  };
  // No process calls agents yet, so the run waits at its only step.
  const standing = { ...env, EXECUTION_ROLES: "rpc,workflow" };
  const dies = await startTaskProcess(url, standing);
  const question = {
    channel: "C1",
    text: "hello",
    bot_token: "handle",
    agent: "shouting",
    attachments: [{ id: "F1" }],
  };
  const { task_id } = await dies.call("execute_task", question);
  const steps = { task_id, progress: { steps: [{ state: "running" }] } };
  await vi.waitFor(
    async () => expect(await dies.call("get_async_task_result", { task_id })).toMatchObject(steps),
    soon,
  );
  dies.signal("SIGKILL");
  await dies.ended;

  const stops = await startTaskProcess(url, standing);
  const taken = expect.objectContaining({ event: "task_started", task_id, attempt: 2 }) as unknown;
  await vi.waitFor(() => expect(stops.log).toContainEqual(taken), soon);
  const toldAt = performance.now();
  expect(await stops.stop()).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(30_000);
  expect(stops.log).toContainEqual(expect.objectContaining({ event: "task_released", task_id }));
  expect(agent.requests).toEqual([]);

  const whole = await startTaskProcess(url, env);
  expect(await whole.result(String(task_id))).toMatchObject({ status: "success", response_text: "HELLO" });
  expect(agent.requests).toHaveLength(1);
});
