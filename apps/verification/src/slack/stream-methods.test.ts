import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createSdkLogger } from "./sdk-logger.ts";
import type { SlackApi, StreamChunk } from "./slack-api.ts";
import { createWebApi } from "./web-api.ts";

interface Call {
  readonly method: string;
  readonly args: Record<string, string>;
}

/** Starts a server in place of slack.com. */
async function connect(
  answer: (call: Call, response: ServerResponse) => void,
): Promise<{ slack: SlackApi; calls: Call[] }> {
  const calls: Call[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const args = Object.fromEntries(new URLSearchParams(await text(request)));
    const call = { method: (request.url ?? "").replace("/api/", ""), args };
    calls.push(call);
    response.setHeader("content-type", "application/json");
    answer(call, response);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const slack = createWebApi({
    token: { current: () => "xoxb-secret", renew: () => false },
    apiUrl: `http://127.0.0.1:${port}/api/`,
    logger: createSdkLogger(() => undefined),
  });
  return { slack, calls };
}

const ok = (_call: Call, response: ServerResponse): void => void response.end(JSON.stringify({ ok: true, ts: "2.0" }));
const thread = { channel: "C1", thread_ts: "1.0" };
const message = { channel: "C1", ts: "2.0" };
const mark = { request_id: "r1", correlation_id: "c1", state: "working" } as const;
const chunks: StreamChunk[] = [
  { type: "task_update", id: "t", title: "Working on it", status: "in_progress" },
  { type: "markdown_text", text: "Hello" },
];

test("a stream uses chunks from its first call, and names its recipient outside direct messages", async () => {
  const { slack, calls } = await connect(ok);
  const recipient = { user_id: "U1", team_id: "T1" };
  expect(await slack.startStream(thread, { chunks, recipient })).toEqual({ ts: "2.0" });
  await slack.startStream(thread, { chunks });
  await slack.appendStream(message, chunks);
  await slack.stopStream(message, { mark, session_status: "processing", chunks });
  await slack.stopStream(message, { mark, session_status: "active" });
  const sent = JSON.stringify(chunks);
  const metadata = JSON.stringify({ event_type: "crosszone_task", event_payload: mark });
  expect(calls).toEqual([
    {
      method: "chat.startStream",
      args: { ...thread, task_display_mode: "plan", chunks: sent, recipient_user_id: "U1", recipient_team_id: "T1" },
    },
    { method: "chat.startStream", args: { ...thread, task_display_mode: "plan", chunks: sent } },
    { method: "chat.appendStream", args: { ...message, chunks: sent } },
    { method: "chat.stopStream", args: { ...message, metadata, session_status: "processing", chunks: sent } },
    { method: "chat.stopStream", args: { ...message, metadata, session_status: "active" } },
  ]);
});

test("a rate limit of streams delays no other call, and the stream call is not repeated", async () => {
  const { slack, calls } = await connect((call, response) => {
    if (call.method !== "chat.appendStream") return ok(call, response);
    response.writeHead(429, { "retry-after": "30" }).end();
  });
  await expect(slack.appendStream(message, chunks)).rejects.toMatchObject({
    method: "chat.appendStream",
    failure: "rate_limited",
    retryAfterMs: 30_000,
  });
  expect(await slack.post(thread, { text: "hi", mark })).toEqual({ ts: "2.0" });
  expect(calls.map(({ method }) => method)).toEqual(["chat.appendStream", "chat.postMessage"]);
});

test.each([
  ["stopped_by_user", "refused"],
  ["message_not_in_streaming_state", "refused"],
  ["internal_error", "unavailable"],
])("%s is %s", async (code, failure) => {
  const { slack } = await connect((_call, response) => void response.end(JSON.stringify({ ok: false, error: code })));
  await expect(slack.appendStream(message, chunks)).rejects.toMatchObject({ failure, code });
});
