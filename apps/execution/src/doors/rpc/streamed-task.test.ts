import { isTaskEvent, type JsonRpcResponse, type TaskEvent } from "@crosszone/contracts";
import { createParser } from "eventsource-parser";
import { expect, test, vi } from "vitest";
import type { Agent, AgentProgress, TaskPreview } from "../../agents/agent.ts";
import { agentThat, startZone, task, type TestZone } from "../../testing/start-zone.ts";

/** Makes an agent whose preview and answer the test controls. */
function scripted() {
  const shows = Promise.withResolvers<TaskPreview>();
  const done = Promise.withResolvers<string>();
  const agent: Agent = agentThat(async (_input, { preview, signal }) => {
    if (preview !== undefined) shows.resolve(preview);
    signal.addEventListener("abort", () => done.reject(signal.reason as Error));
    return { response_text: await done.promise };
  });
  return { agent, preview: shows.promise, finish: done.resolve };
}

const body = (method: string, params: object, id = "r-1"): string =>
  JSON.stringify({ jsonrpc: "2.0", method, params, id });

/** Reads events as they arrive. */
async function stream(zone: TestZone, method: string, params: object) {
  const response = await zone.post(body(method, params), { accept: "application/json, text/event-stream" });
  const events: TaskEvent[] = [];
  let answer: JsonRpcResponse | undefined;
  const parser = createParser({
    onEvent: ({ data }) => {
      const message = JSON.parse(data) as { method?: string; params?: unknown };
      if (message.method === undefined) answer = message as JsonRpcResponse;
      else if (isTaskEvent(message.params)) events.push(message.params);
      else throw new Error(`not an event: ${data}`);
    },
  });
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
    return answer;
  })();
  return { response, events, reading };
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error("there is none");
  return item;
}

const textOf = (events: readonly TaskEvent[]): string =>
  events.reduce((text, event) => (event.type === "text" ? text.slice(0, event.offset) + event.delta : text), "");

test("T1: execute_task streams the task's id, text and steps, then the ordinary answer", async () => {
  const { agent, preview, finish } = scripted();
  const zone = await startZone([agent]);
  const { response, events, reading } = await stream(zone, "execute_task", task());
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toContain("no-store");
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(["accepted"]));
  const { text, progress } = await preview;
  text("One ");
  await vi.waitFor(() => expect(textOf(events)).toBe("One "));
  progress({ steps: [{ id: "a", title: "Look it up", state: "running", depth: 0 }] });
  text("two ");
  text("three");
  finish("One two three");
  const answer = await reading;
  expect(answer).toMatchObject({ id: "r-1", result: { status: "success", response_text: "One two three" } });
  expect(textOf(events)).toBe("One two three");
  expect(events.filter(({ type }) => type === "progress")).toMatchObject([{ progress: { revision: 1 } }]);
  const numbers = events.map(({ seq }) => seq);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

test("T1: a client that accepts only JSON gets the same bytes as before, whatever the agent shows", async () => {
  const { agent, preview, finish } = scripted();
  const zone = await startZone([agent]);
  const asking = zone.post(body("execute_task", task()));
  (await preview).text("One ");
  finish("One two");
  const response = await asking;
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.text()).toMatch(/^\{"jsonrpc":"2.0","result":\{"response_text":"One two",.*\},"id":"r-1"\}$/);
});

test("a failure before the first event is an ordinary response", async () => {
  const zone = await startZone([agentThat(async () => ({ response_text: "" }))]);
  const { response } = await stream(zone, "execute_task", { channel: 5 });
  expect(response.headers.get("content-type")).toBe("application/json");
});

test("T3: a poll continues after the last event that was received", async () => {
  const { agent, preview, finish } = scripted();
  const zone = await startZone([agent], { syncWindowMs: 1_000 });
  const one = await stream(zone, "execute_task", task());
  const { text } = await preview;
  text("One ");
  const accepted = await one.reading;
  expect(accepted).toMatchObject({ result: { status: "accepted" } });
  const { task_id, seq } = first(one.events.toReversed());
  text("two ");
  const params = { task_id, wait_ms: 30_000, since_seq: seq };
  const second = await stream(zone, "get_async_task_result", params);
  await vi.waitFor(() => expect(second.events).toMatchObject([{ offset: 4, delta: "two " }]));
  text("three");
  finish("One two three");
  expect(await second.reading).toMatchObject({ result: { response_text: "One two three" } });
  expect(textOf([...one.events, ...second.events])).toBe("One two three");
});

test("a task continues without a listener, and its answer is available", async () => {
  const { agent, preview, finish } = scripted();
  const zone = await startZone([agent]);
  const { response, events, reading } = await stream(zone, "execute_task", task());
  (await preview).text("One ");
  await vi.waitFor(() => expect(events).toHaveLength(2));
  reading.catch(() => undefined);
  await response.body?.cancel().catch(() => undefined);
  finish("One two");
  const { task_id } = first(events);
  const answer = await zone.call("get_async_task_result", { task_id, wait_ms: 30_000 });
  expect(answer).toMatchObject({ result: { response_text: "One two" } });
});

test("a waiting caller gets an agent's progress at once, without a query", async () => {
  const { agent, preview, finish } = scripted();
  const progress = { read: vi.fn<AgentProgress["read"]>(), waitForNewer: vi.fn<AgentProgress["waitForNewer"]>() };
  const run: Agent["run"] = (input, context) => {
    context.preview?.showsProgress(true);
    return agent.run(input, context);
  };
  const zone = await startZone([{ ...agent, run, progress }]);
  const { events, reading } = await stream(zone, "execute_task", task());
  (await preview).progress({ revision: 7, steps: [], text: "halfway" });
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ type: "progress", progress: { revision: 7 } }));
  const { task_id } = first(events);
  expect(await zone.call("get_async_task_result", { task_id })).toMatchObject({
    result: { status: "working", progress: { revision: 7, text: "halfway" } },
  });
  finish("done");
  await reading;
  expect([progress.read, progress.waitForNewer].map(({ mock }) => mock.calls)).toEqual([[], []]);
});
