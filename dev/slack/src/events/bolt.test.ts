import { describe, expect, onTestFinished, test } from "vitest";
import { boltAppForTest, devSlackForTest, socketModeAppForTest } from "../testing/dev-slack-for-test.ts";

describe("with a real Bolt app over HTTP", () => {
  test("a direct message is verified, handled and answered in its thread", async () => {
    const dev = await devSlackForTest();
    const app = await boltAppForTest(dev);
    app.message(async ({ message, say }) => {
      if (message.subtype === undefined) await say({ text: `you said ${message.text}`, thread_ts: message.ts });
    });
    const asked = dev.control.postMessage({ channel: "dm", user: "chiyo", text: "こんにちは" });
    const answer = await dev.control.waitForMessage((message) => message.thread_ts === asked.ts);
    expect(answer).toMatchObject({ channel: "D0CHIYO0001", user: "U0CROSSZONE", bot_id: "B0CROSSZONE" });
    expect(answer.text).toBe("you said こんにちは");
    await dev.control.idle();
    const events = dev.control.traffic().filter(({ kind }) => kind === "event");
    expect(events.map(({ name, status, verdict }) => [name, status, verdict])).toEqual([
      ["message", 200, "accepted"],
      ["message", 200, "accepted"],
    ]);
  });

  test("a mention in a channel gives two events with one message: message and app_mention", async () => {
    const dev = await devSlackForTest();
    const app = await boltAppForTest(dev);
    const received: { type: string; event_id: string; channel: string; ts: string }[] = [];
    app.message(async ({ message, body }) => {
      received.push({ type: message.type, event_id: body.event_id, channel: message.channel, ts: message.ts });
    });
    app.event("app_mention", async ({ event, body }) => {
      received.push({ type: event.type, event_id: body.event_id, channel: event.channel, ts: event.ts });
    });
    const { ts } = dev.control.postMessage({ channel: "general", text: "@Crosszone help" });
    await dev.control.idle();
    expect(received.map(({ type }) => type).toSorted()).toEqual(["app_mention", "message"]);
    expect(received.map(({ channel }) => channel)).toEqual(["C0GENERAL01", "C0GENERAL01"]);
    expect(received.map((one) => one.ts)).toEqual([ts, ts]);
    expect(new Set(received.map(({ event_id }) => event_id)).size).toBe(2);
  });

  test("Stop reaches the app", async () => {
    const dev = await devSlackForTest();
    const app = await boltAppForTest(dev);
    const stopped = Promise.withResolvers<unknown>();
    app.event("agent_session_stopped", async ({ event }) => stopped.resolve(event));
    const { ts } = dev.control.postMessage({ channel: "dm", text: "work" });
    dev.control.stop({ channel: "D0ALICE0001", thread_ts: ts, user: "alice" });
    expect(await stopped.promise).toMatchObject({ channel: "D0ALICE0001", thread_ts: ts, streaming_message_ts: [] });
  });
});

test("a real Bolt app in Socket Mode gets events and acknowledges them", async () => {
  const dev = await devSlackForTest();
  const { app } = await socketModeAppForTest(dev);
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
  const { receiver } = await socketModeAppForTest(dev);
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
