import { expect, test } from "vitest";
import { devSlackForTest, recordingApp } from "../testing/dev-slack-for-test.ts";

const call = { jsonrpc: "2.0", id: "1", method: "execute_task", params: { text: "hi", bot_token: "handle-1" } };

/** A local Slack before an upstream that gives these answers; `send` posts to the tap. */
async function tapped(...answers: (string | { status?: number; type?: string; text: string })[]) {
  const upstream = await recordingApp((response, count) => {
    const answer = answers[count - 1] ?? "";
    const { status = 200, type = "application/json", text } = typeof answer === "string" ? { text: answer } : answer;
    response.writeHead(status, { "content-type": type, "x-correlation-id": "c1" }).end(text);
  });
  const dev = await devSlackForTest({ upstream: upstream.url });
  const send = (body: string = JSON.stringify(call), path = "/rpc", headers: Record<string, string> = {}) =>
    fetch(dev.tapUrl + path, { method: "POST", body, headers });
  return { upstream, dev, send, recorded: () => dev.control.traffic() };
}

test("a request goes to the upstream and its answer comes back, both unchanged and recorded without secrets", async () => {
  const answer = '{"jsonrpc":"2.0", "id":"1","result":{"text":"xoxb-1-2-secret é"}}';
  const { upstream, send, recorded } = await tapped(answer);
  const body = `  ${JSON.stringify(call)}\n`;
  const headers = { "content-type": "application/json", authorization: "Bearer s", "x-correlation-id": "c1" };
  const response = await send(body, "/rpc?a=1", headers);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(response.headers.get("x-correlation-id")).toBe("c1");
  expect(await response.text()).toBe(answer);
  expect(upstream.requests).toMatchObject([{ url: "/rpc?a=1", body, headers }]);
  expect(upstream.requests[0]?.headers.host).toBe(new URL(upstream.url).host);
  const request = { ...call, params: { text: "hi", bot_token: "[redacted]" } };
  const entry = { kind: "rpc", name: "execute_task", status: 200, verdict: "result", request };
  await expect.poll(recorded).toMatchObject([{ ...entry, response: { result: { text: "[redacted] é" } } }]);
});

test("a streamed answer is recorded as separate events and an end, without secrets", async () => {
  const event = { jsonrpc: "2.0", method: "task_event", params: { delta: "xoxb-1-2-secret" } };
  const response = { jsonrpc: "2.0", id: "1", result: { text: "done" } };
  const text = `data: ${JSON.stringify(event)}\n\n:\n\ndata: ${JSON.stringify(response)}\n\n`;
  const { send, recorded } = await tapped({ type: "text/event-stream", text });
  await send();
  const events = [{ ...event, params: { delta: "[redacted]" } }];
  await expect.poll(recorded).toMatchObject([{ response, verdict: "result", events }]);
});

test("JSON-RPC errors, refusals and what is no JSON are recorded as such", async () => {
  const error = '{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no"}}';
  const { send, recorded } = await tapped(error, { status: 503, text: "no" }, "<html>");
  for (const body of [undefined, "{", "[]"]) await send(body);
  await expect
    .poll(() => recorded().map(({ name, verdict }) => [name, verdict]))
    .toEqual([
      ["execute_task", "error -32602"],
      ["(not JSON-RPC)", "refused: 503"],
      ["(not JSON-RPC)", "result"],
    ]);
});

test.each([
  ["list_input_requests", "input_requests"],
  ["list_fires", "fires"],
])("Q8: a poll of %s without news is not recorded; news, and a refusal, are", async (method, member) => {
  const news = [{ result: { [member]: [{ id: "1" }] } }, { error: { code: -32020 } }];
  const answers = [{ result: { [member]: [] } }, ...news].map((answer) => JSON.stringify(answer));
  const { send, recorded } = await tapped(...answers);
  const body = JSON.stringify({ ...call, method });
  for (const _ of answers) await send(body);
  await expect.poll(() => recorded().map(({ response }) => response)).toEqual(news);
  const starting = await devSlackForTest({ upstream: "http://127.0.0.1:1" });
  await fetch(`${starting.tapUrl}/rpc`, { method: "POST", body });
  expect(starting.control.traffic()).toEqual([]);
});

test.each([
  ["none is set", {}],
  ["nothing listens", { upstream: "http://127.0.0.1:1" }],
])("without an upstream (%s): 502 with a short JSON body", async (_name, options) => {
  const dev = await devSlackForTest(options);
  const response = await fetch(`${dev.tapUrl}/rpc`, { method: "POST", body: JSON.stringify(call) });
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({ error: { message: "the upstream of the tap does not respond" } });
  expect(dev.control.traffic()).toMatchObject([{ kind: "rpc", name: "execute_task", status: 502 }]);
});

test("a caller that leaves ends the upstream's request", async () => {
  const ended = Promise.withResolvers<void>();
  const upstream = await recordingApp((response) => void response.on("close", () => ended.resolve()));
  const dev = await devSlackForTest({ upstream: upstream.url });
  const leave = new AbortController();
  const answer = fetch(`${dev.tapUrl}/rpc`, { method: "POST", body: "{}", signal: leave.signal });
  await expect.poll(() => upstream.requests.length).toBe(1);
  leave.abort();
  await expect(answer).rejects.toThrow("aborted");
  await ended.promise;
});
