import type { ApiExchange } from "@crosszone/admin-api";
import { type WatchedEvents, watchEvents } from "@crosszone/admin-api/testing";
import { isWorkflowRunEvent } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import type { ReadRun } from "../store/run-reader.ts";
import { begin, soon, type StartedWorkflowApi, startWorkflowApi } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { createWatchRoute } from "./watch-route.ts";

const two = workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]);

/** Returns an event as a short text: the change and the id. */
function inWords({ event, data, id }: Readonly<Record<string, string>>): string {
  const said: unknown = JSON.parse(data ?? "null");
  if (!isWorkflowRunEvent(said)) throw new Error(`${data} is no event of a run`);
  expect(event).toBe(said.type);
  return `${said.type === "run" ? `run ${said.state}` : `${said.step.path} ${said.step.state}`}${id ? ` #${id}` : ""}`;
}

async function allOf({ blocks }: WatchedEvents): Promise<string[]> {
  const all = await Array.fromAsync(blocks);
  return all.filter((block) => "event" in block).map(inWords);
}

const watch = ({ url }: StartedWorkflowApi, id: string, headers: Record<string, string> = {}) =>
  watchEvents(`${url}/runs/${id}/events`, headers);

onBothEngines("watching a run over HTTP", (newDatabase) => {
  test("streams each step and the end; simultaneous events share the last one's id; a reconnecting client receives the rest", async () => {
    const api = await startWorkflowApi({ databaseUrl: await newDatabase() });
    const { executor, ask } = api;
    const agents = await startFakeAgents(executor, () => undefined);
    const id = await begin(executor, two);
    const { blocks, status } = await watch(api, id);
    expect([status, (await blocks.next()).value]).toEqual([200, { retry: "1000" }]);
    const seen: string[] = [];
    for await (const block of blocks) {
      seen.push(inWords(block));
      if (!block["id"]) continue;
      const answered = seen.filter((one) => / #/.test(one)).length;
      await expect.poll(() => agents.tasks.length, soon).toBe(Math.min(answered, 2));
      const task = agents.tasks[answered - 1];
      if (task) agents.answer(task.task_id, { output: "x" });
    }
    expect(seen).toEqual([
      "run running",
      "a running #1",
      "a succeeded",
      "b running #2",
      "b succeeded",
      "run succeeded #3",
    ]);
    expect(await allOf(await watch(api, id))).toEqual(["a succeeded", "b succeeded", "run succeeded #3"]);
    expect(await allOf(await watch(api, id, { "last-event-id": "2" }))).toEqual(["b succeeded", "run succeeded #3"]);
    expect((await ask(`GET /runs/${id}/events`, undefined, { "last-event-id": "3" })).status).toBe(204);
    for (const wrong of ["4", "-1", "1.5", "x", "", "9".repeat(30)])
      expect([wrong, (await ask(`GET /runs/${id}/events`, undefined, { "last-event-id": wrong })).status]).toEqual([
        wrong,
        400,
      ]);
  });
});

test("the number of watchers is limited; a watcher that leaves or finishes makes room", async () => {
  const api = await startWorkflowApi({ maxWatchers: 1 });
  const { executor, ask } = api;
  await startFakeAgents(executor, () => undefined);
  const id = await begin(executor, two);
  const first = await watch(api, id);
  await first.blocks.next();
  const refused = await ask(`GET /runs/${id}/events`);
  expect([refused.status, refused.headers.get("retry-after"), refused.body?.["title"]]).toEqual([
    503,
    "5",
    "Too many run watchers",
  ]);
  first.leave();
  let second = await watch(api, id);
  while (second.status === 503) second = await watch(api, id);
  await ask(`POST /runs/${id}/cancel`);
  expect((await Array.fromAsync(second.blocks)).at(-1)).toMatchObject({ event: "run" });
  await expect.poll(async () => (await watch(api, id)).status, soon).toBe(200);
});

test("a client that disconnects while the run is loading takes no slot", async () => {
  const { executor } = await startWorkflowApi();
  const id = await begin(executor, two);
  const found = (await executor.workflows.getRun(id)) as ReadRun;
  const leaving = new AbortController();
  const left = async (): Promise<ReadRun> => {
    leaving.abort();
    return found;
  };
  const find = vi.fn<() => Promise<ReadRun>>().mockResolvedValue(found).mockImplementationOnce(left);
  const route = createWatchRoute(executor.workflows, { find, maxWatchers: 1 });
  const exchangeOf = (signal: AbortSignal) => ({ request: { headers: {} }, signal }) as unknown as ApiExchange;
  await expect(route(exchangeOf(leaving.signal))).rejects.toThrow("aborted");
  expect(await route(exchangeOf(new AbortController().signal))).toHaveProperty("events");
});
