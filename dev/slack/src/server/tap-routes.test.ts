import { expect, test } from "vitest";
import { devSlackForTest, recordingApp } from "../testing/dev-slack-for-test.ts";

const call = { jsonrpc: "2.0", id: "1", method: "execute_task", params: { text: "hi", bot_token: "handle-1" } };

test("a request goes to the upstream and its answer comes back, both unchanged and recorded without secrets", async () => {
  const answer = '{"jsonrpc":"2.0", "id":"1","result":{"text":"xoxb-1-2-secret é"}}';
  const upstream = await recordingApp((response) => {
    response.writeHead(200, { "content-type": "application/json", "x-correlation-id": "c1" }).end(answer);
  });
  const dev = await devSlackForTest({ upstream: upstream.url });
  const body = `  ${JSON.stringify(call)}\n`;
  const headers = { "content-type": "application/json", authorization: "Bearer s", "x-correlation-id": "c1" };
  const response = await fetch(`${dev.tapUrl}/rpc?a=1`, { method: "POST", headers, body });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(response.headers.get("x-correlation-id")).toBe("c1");
  expect(await response.text()).toBe(answer);
  expect(upstream.requests).toMatchObject([{ url: "/rpc?a=1", body, headers }]);
  expect(upstream.requests[0]?.headers.host).toBe(new URL(upstream.url).host);
  await expect
    .poll(() => dev.control.traffic())
    .toMatchObject([
      {
        kind: "rpc",
        name: "execute_task",
        status: 200,
        verdict: "result",
        request: { ...call, params: { text: "hi", bot_token: "[redacted]" } },
        response: { result: { text: "[redacted] é" } },
      },
    ]);
});

test("a streamed answer is recorded as separate events and an end, without secrets", async () => {
  const event = { jsonrpc: "2.0", method: "task_event", params: { delta: "xoxb-1-2-secret" } };
  const end = { jsonrpc: "2.0", id: "1", result: { text: "done" } };
  const upstream = await recordingApp((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(event)}\n\n:\n\ndata: ${JSON.stringify(end)}\n\n`);
  });
  const dev = await devSlackForTest({ upstream: upstream.url });
  await fetch(`${dev.tapUrl}/rpc`, { method: "POST", body: JSON.stringify(call) });
  await expect
    .poll(() => dev.control.traffic())
    .toMatchObject([{ response: end, verdict: "result", events: [{ ...event, params: { delta: "[redacted]" } }] }]);
});

test("JSON-RPC errors, refusals and what is no JSON are recorded as such", async () => {
  const answers = ['{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no"}}', "no", "<html>"];
  const upstream = await recordingApp((response, count) => {
    response.writeHead(count === 2 ? 503 : 200).end(answers[count - 1]);
  });
  const dev = await devSlackForTest({ upstream: upstream.url });
  for (const body of [JSON.stringify(call), "{", "[]"]) await fetch(`${dev.tapUrl}/rpc`, { method: "POST", body });
  await expect
    .poll(() => dev.control.traffic().map(({ name, verdict }) => [name, verdict]))
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
  const [none, news] = [[], [{ id: "1" }]].map((found) => ({ result: { [member]: found } }));
  const answers = [none, news, { error: { code: -32020 } }];
  const upstream = await recordingApp((response, count) => void response.end(JSON.stringify(answers[count - 1])));
  const body = JSON.stringify({ ...call, method });
  const [dev, starting] = await Promise.all(
    [upstream.url, "http://127.0.0.1:1"].map((url) => devSlackForTest({ upstream: url })),
  );
  for (const slack of [dev, dev, dev, starting]) await fetch(`${slack?.tapUrl}/rpc`, { method: "POST", body });
  await expect.poll(() => dev?.control.traffic().map(({ response }) => response)).toEqual(answers.slice(1));
  expect(starting?.control.traffic()).toEqual([]);
});

test.each([
  ["none is set", undefined],
  ["nothing listens", "http://127.0.0.1:1"],
])("without an upstream (%s): 502 with a short JSON body", async (_name, upstream) => {
  const dev = await devSlackForTest(upstream === undefined ? {} : { upstream });
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
