import { App, LogLevel, SocketModeReceiver } from "@slack/bolt";
import { expect, onTestFinished, test } from "vitest";
import type { DevSlack } from "../server/dev-slack.ts";
import { boltOptions } from "../testing/bolt-app-for-test.ts";
import { devSlackForTest } from "../testing/dev-slack-for-test.ts";

async function socketModeApp(dev: DevSlack): Promise<{ app: App; receiver: SocketModeReceiver }> {
  const receiver = new SocketModeReceiver({
    appToken: dev.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: dev.apiUrl } },
  });
  const app = new App({ ...boltOptions(dev), receiver });
  await app.start();
  onTestFinished(async () => {
    await app.stop();
  });
  return { app, receiver };
}

test("a real Bolt app in Socket Mode gets events and acknowledges them", async () => {
  const dev = await devSlackForTest();
  const { app } = await socketModeApp(dev);
  app.message(async ({ message, say }) => {
    if (message.subtype === undefined) await say({ text: `over the socket: ${message.text}`, thread_ts: message.ts });
  });
  const asked = dev.control.postMessage({ channel: "dm", text: "hi" });
  const answer = await dev.control.waitForMessage(({ thread_ts }) => thread_ts === asked.ts);
  expect(answer.text).toBe("over the socket: hi");
  await dev.control.idle();
  const [first] = dev.control.traffic().filter(({ kind }) => kind === "event");
  expect(first).toMatchObject({ status: 200, verdict: "accepted", request: { type: "events_api", retry_attempt: 0 } });
});

test("an event without an acknowledgment is retried, with its number and reason", async () => {
  const dev = await devSlackForTest({ ackTimeoutMs: 400 });
  const { receiver } = await socketModeApp(dev);
  const tries: unknown[] = [];
  receiver.client.removeAllListeners("slack_event");
  receiver.client.on("slack_event", ({ retry_num, retry_reason, ack }) => {
    tries.push([retry_num, retry_reason]);
    if (retry_num === 2) void ack();
  });
  dev.control.postMessage({ channel: "dm", text: "hi" });
  await dev.control.idle();
  expect(tries).toEqual([
    [0, ""],
    [1, "timeout"],
    [2, "timeout"],
  ]);
});

test("a socket's ticket is valid once, and only from apps.connections.open", async () => {
  const dev = await devSlackForTest();
  const opened = await fetch(`${dev.apiUrl}apps.connections.open`, {
    method: "POST",
    headers: { authorization: `Bearer ${dev.appToken}` },
  });
  const { url } = (await opened.json()) as { url: string };
  const hello = await firstMessage(url);
  expect(JSON.parse(hello)).toMatchObject({ type: "hello", connection_info: { app_id: "A0CROSSZONE" } });
  await expect(firstMessage(url)).rejects.toThrow("closed");
  await expect(firstMessage(dev.url.replace("http", "ws") + "/link/?ticket=made-up")).rejects.toThrow("closed");
  const record = JSON.stringify(dev.control.traffic());
  expect(record).toContain("apps.connections.open");
  expect(record).not.toContain(new URL(url).searchParams.get("ticket"));
});

function firstMessage(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = new WebSocket(url);
  onTestFinished(() => socket.close());
  socket.addEventListener("message", ({ data }) => resolve(String(data)));
  socket.addEventListener("error", () => reject(new Error("closed")));
  return promise;
}
