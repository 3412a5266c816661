import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import {
  agentNamed,
  enterTasks,
  newTask,
  realCaller,
  soon,
  startBridge,
  storedResults,
} from "../testing/bridge-under-test.ts";
import { createFakeCaller, never } from "../testing/test-callers.ts";
import { startHttpAgent } from "../testing/http-agents.ts";
import type { OpenedBridge } from "../testing/open-bridge.ts";

onBothEngines("agents that share a bridge", (newDatabase) => {
  test("B3, N5: five silent agents among fifty do not delay the others' tasks on two processes", async () => {
    const goOn = Promise.withResolvers<void>();
    const server = await startHttpAgent(async (taskId) => {
      if (isSlow(taskId)) await goOn.promise;
      return `done ${taskId}`;
    });
    const isSlow = (taskId: string): boolean => Number(taskId.split("/")[0]) < 5;
    const agents = Array.from({ length: 50 }, (_, index) =>
      agentNamed(`agent ${index} & co`, {
        url: `${server.origin}/`,
        max_concurrency: 4,
        timeout_ms: 600_000,
        protocol: index % 2 ? "jsonrpc-2.0" : "simple-a2a",
      }),
    );
    const tasks = Array.from({ length: 1_000 }, (_, index) =>
      newTask(`${index % 50}/${index}`, { agent_name: `agent ${index % 50} & co` }),
    );
    const url = await newDatabase();
    const both: OpenedBridge[] = [];
    for (let index = 0; index < 2; index += 1)
      both.push(await startBridge(url, { agents, caller: realCaller(server.origin), maxRunning: 60 }));
    const [one] = both as [OpenedBridge];
    const given = () => both.flatMap((each) => each.given.map(({ value }) => value));
    await enterTasks(one, tasks);
    await expect.poll(() => given().length, soon).toBe(900);
    expect(given().filter(({ task_id }) => isSlow(task_id))).toEqual([]);
    // Each process gives a slow agent as much as the agent takes, and no more.
    expect(server.asked.filter(isSlow).length).toBeLessThanOrEqual(5 * 4 * 2);
    expect((await one.bridge.readings()).open).toBe(100);
    goOn.resolve();
    const results = await storedResults(one).until(tasks);
    expect(new Set(server.asked).size).toBe(1_000);
    expect(server.asked).toHaveLength(1_000);
    await expect.poll(() => given().length, soon).toBe(1_000);
    expect(results.every(({ status }) => status === "SUCCESS")).toBe(true);
  }, 120_000);

  test("B3: an agent with a long queue takes no slot from an agent that is called later", async () => {
    const { caller, calls } = createFakeCaller(({ agent, task }) =>
      agent.name === "long" ? never() : { output: task.task_id, failure: undefined, attempts: 1 },
    );
    const agents = [agentNamed("long", { max_concurrency: 5 }), agentNamed("short", { max_concurrency: 5 })];
    const opened = await startBridge(await newDatabase(), { agents, caller, maxRunning: 6 });
    await enterTasks(
      opened,
      Array.from({ length: 50 }, (_, index) => newTask(`l${index}`, { agent_name: "long" })),
    );
    await expect.poll(() => calls.length, soon).toBe(5);
    const short = Array.from({ length: 20 }, (_, index) => newTask(`s${index}`, { agent_name: "short" }));
    await enterTasks(opened, short);
    await storedResults(opened).until(short);
    expect(calls.filter(({ agent }) => agent.name === "long")).toHaveLength(5);
  });
});
