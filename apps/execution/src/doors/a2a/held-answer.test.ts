import type { ServerResponse } from "node:http";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { messageOf, programOf, startAskedZone } from "../../testing/start-asked-zone.ts";
import { stuck } from "../../testing/start-zone.ts";
import { holdMs, openHeldAnswer } from "./create-a2a-routes.ts";

const answered = { status: 429, body: '{"a":1}', headers: ["retry-after", "1"] };

/** Requests an answer that waits for `times` intervals. */
async function hold(times: number): Promise<Response> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const opened = Promise.withResolvers<ServerResponse>();
  const server = createHttpServer((_request, response) => opened.resolve(response), {
    onBadRequest: ({ status }) => ({ contentType: "text/plain", body: String(status) }),
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 100 })));
  const fetched = fetch(url);
  const held = openHeldAnswer(await opened.promise, ["x-correlation-id", "c1"]);
  held.hold();
  vi.advanceTimersByTime(times * holdMs);
  held.end(answered);
  return fetched;
}

test("An answer that comes soon has its own status and headers", async () => {
  const response = await hold(0);
  expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([429, "1", '{"a":1}']);
});

test("A held answer sends line breaks, and is JSON at its end", async () => {
  const response = await hold(3);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  const text = await response.text();
  expect([text, JSON.parse(text)]).toEqual(['\n\n\n{"a":1}', { a: 1 }]);
});

test("A client that leaves a held answer stops nothing", async () => {
  const { a2a: url, zone } = await startAskedZone([stuck]);
  const waiting = programOf(url, "stuck");
  const leaving = new AbortController();
  const held = waiting.open(
    { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: messageOf("wait") } },
    {},
    { signal: leaving.signal },
  );
  await expect.poll(async () => (await waiting.call("ListTasks")).result.totalSize).toBe(1);
  leaving.abort();
  await expect(held).rejects.toThrow(/abort/);
  const { tasks } = (await waiting.call("ListTasks")).result;
  expect(tasks[0].status.state).toBe("TASK_STATE_WORKING");
  await waiting.call("CancelTask", { id: tasks[0].id });
  expect(zone.log.some(({ event }) => event === "http_failed")).toBe(false);
});
