import { once } from "node:events";
import { expect, test } from "vitest";
import {
  callWebApi,
  devSlackForTest,
  recordingApp,
  socketModeAppForTest,
  verdicts,
} from "../testing/dev-slack-for-test.ts";

const texts = (messages: unknown): unknown[] => (messages as { text: string }[]).map(({ text }) => text);

test("while Slack is away, the socket closes and every call fails; what people wrote is only in the history", async () => {
  const byHttp = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: byHttp.url });
  const { app, receiver } = await socketModeAppForTest(dev);
  const heard: unknown[] = [];
  app.message(async ({ message }) => void heard.push("text" in message ? message.text : message.subtype));
  const closed = new Promise((resolve) => receiver.client.once("close", resolve));
  const { ts, channel } = dev.control.postMessage({ channel: "general", user: "bob", text: "before" });
  await dev.control.idle();
  const open = () => callWebApi(dev, "apps.connections.open", { token: dev.appToken });
  const link = String((await open())["url"]);
  dev.control.setOutage({ kind: "away" });
  await closed;
  await once(new WebSocket(link), "error");
  const place = { channel, ts, user: "bob" };
  dev.control.editMessage({ ...place, text: "edited" });
  const gone = dev.control.postMessage({ ...place, text: "gone" });
  dev.control.deleteMessage({ ...place, ts: gone.ts });
  dev.control.postMessage({ channel, text: "meanwhile" });
  expect(await dev.control.runCommand({ channel, user: "bob", text: "/agents" })).toMatchObject({ status: 0 });
  await expect(callWebApi(dev, "auth.test")).rejects.toThrow("fetch failed");
  await expect(fetch(`${dev.url}/files-pri/T0CROSSZONE-F0/download/a.txt`)).rejects.toThrow("fetch failed");
  await dev.control.idle();

  dev.control.setOutage({ kind: "none" });
  const { messages } = await callWebApi(dev, "conversations.history", { channel });
  expect(texts(messages)).toEqual(["meanwhile", "edited"]);
  const socket = new WebSocket(String((await open())["url"]));
  const [hello] = (await once(socket, "message")) as [{ data: string }];
  expect([JSON.parse(hello.data), heard, byHttp.requests]).toMatchObject([{ type: "hello" }, ["before"], []]);
  socket.close();
});

test("after a short outage a late event arrives with the next retry, its number and its reason; after a long one, never", async () => {
  const { url, requests } = await recordingApp();
  const dev = await devSlackForTest({ eventsUrl: url, retryScheduleMs: [0, 300] });
  dev.control.setOutage({ kind: "late_events" });
  dev.control.postMessage({ channel: "dm", text: "late" });
  await expect.poll(() => verdicts(dev)).toHaveLength(2);
  dev.control.setOutage({ kind: "none" });
  await dev.control.idle();
  expect(requests.map(({ headers }) => [headers["x-slack-retry-num"], headers["x-slack-retry-reason"]])).toEqual([
    ["2", "connection_failed"],
  ]);
  dev.control.setOutage({ kind: "late_events" });
  dev.control.postMessage({ channel: "dm", text: "never" });
  await dev.control.idle();
  expect(requests).toHaveLength(1);
});
