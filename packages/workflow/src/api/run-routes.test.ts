// suite: both
import { type WatchedEvents, watchEvents } from "@crosszone/admin-api/testing";
import { isWorkflowRunEvent, type Problem } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test, vi } from "vitest";
import type { RunSize } from "../store/run-reader.ts";
import { begin, oddIds, soon, type StartedWorkflowApi, startWorkflowApi } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { createWatchRun } from "./watch-route.ts";

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

const input_schema = { type: "object", required: ["text"], properties: { text: { type: "string" } } };

const definition = workflowOf([agentStep("a")], { input_schema });

async function start(...[options]: Parameters<typeof startWorkflowApi>) {
  const api = await startWorkflowApi(options);
  await api.executor.workflows.createVersion(definition);
  return api;
}

const pointersOf = (body: unknown): string[] => ((body as Problem).problems ?? []).map(({ pointer }) => pointer);

describe("watch route", () => {
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
    const second = await vi.waitUntil(async () => {
      const watched = await watch(api, id);
      return watched.status === 200 && watched;
    }, soon);
    await ask(`POST /runs/${id}/cancel`);
    expect((await Array.fromAsync(second.blocks)).at(-1)).toMatchObject({ event: "run" });
    await expect.poll(async () => (await watch(api, id)).status, soon).toBe(200);
  });

  test("a client that disconnects while the run is loading takes no slot", async () => {
    const { executor } = await startWorkflowApi();
    const id = await begin(executor, two);
    const found = (await executor.workflows.sizeOf(id)) as RunSize;
    const leaving = new AbortController();
    const left = async (): Promise<RunSize> => {
      leaving.abort();
      return found;
    };
    const measure = vi.fn<() => Promise<RunSize>>().mockResolvedValue(found).mockImplementationOnce(left);
    const watchRun = createWatchRun(executor.workflows, measure, 1);
    const watching = (signal: AbortSignal) => watchRun({ params: {}, query: {}, headers: {}, signal } as never);
    await expect(watching(leaving.signal)).rejects.toThrow("aborted");
    expect(await watching(new AbortController().signal)).toHaveProperty("answer.events");
  });
});

describe("run refusals", () => {
  describe("a run is not started", () => {
    test("for an unknown workflow or version", async () => {
      const { ask } = await start();
      for (const body of [{ workflow_id: "nobody" }, { workflow_id: "w", version: "2", input: { text: "x" } }]) {
        const { status, body: problem } = await ask("POST /runs", body);
        expect([status, problem?.["title"]]).toEqual([404, "Workflow not found"]);
      }
    });

    test("for an invalid input, and the response points at the wrong member of the request", async () => {
      const { ask } = await start();
      for (const [input, pointers] of [
        [{}, ["/input/text"]],
        [{ text: 1 }, ["/input/text"]],
        ["x", ["/input"]],
      ] as const) {
        const { status, body } = await ask("POST /runs", { workflow_id: "w", input });
        expect([status, body?.["title"]]).toEqual([422, "The input does not match the workflow's schema"]);
        expect(pointersOf(body)).toEqual(pointers);
      }
      expect((await ask("GET /runs")).body).toEqual({ runs: [] });
    });
  });

  test("a run joins the trace of its request, unless the header is malformed", async () => {
    const { ask, executor } = await start();
    const agents = await startFakeAgents(executor, () => undefined);
    const seen = (): unknown[] => agents.headers.map(({ traceparent: one }) => one);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const header of [traceparent, "00-nonsense"])
      await ask("POST /runs", { workflow_id: "w", input: { text: "x" } }, { traceparent: header });
    await expect.poll(() => seen().length).toBe(2);
    expect(new Set(seen())).toEqual(new Set([traceparent, undefined]));
  });

  onBothEngines("an unknown run", (newDatabase) => {
    test("returns 404 on every route, whatever characters its id contains", async () => {
      const { ask } = await start({ databaseUrl: await newDatabase() });
      for (const id of oddIds)
        for (const line of [
          `GET /runs/${id}`,
          `GET /runs/${id}/graph`,
          `GET /runs/${id}/attempts?path=a`,
          `GET /runs/${id}/events`,
          `POST /runs/${id}/cancel`,
          `POST /runs/${id}/retry`,
        ])
          expect([line, (await ask(line)).status]).toEqual([line, 404]);
    });

    test("has no step under another run's path", async () => {
      const { ask, executor } = await start({ databaseUrl: await newDatabase() });
      const id = await begin(executor, definition, { text: "x" });
      for (const path of ["b", "a%5B0%5D", "%00", "%F0%9F%A4%96", "x".repeat(1024)])
        expect((await ask(`GET /runs/${id}/attempts?path=${path}`)).status).toBe(404);
    });
  });
});
