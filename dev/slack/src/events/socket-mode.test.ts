import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { type RawData, WebSocket } from "ws";
import type { DevSlack } from "../server/dev-slack.ts";
import { callWebApi, devSlackForTest, type Json, verdicts } from "../testing/dev-slack-for-test.ts";

/** A socket of an app that acknowledges events, with what it got. */
async function connect(dev: DevSlack) {
  const { url } = await callWebApi(dev, "apps.connections.open", { token: dev.appToken });
  const socket = new WebSocket(String(url));
  onTestFinished(() => socket.terminate());
  const frames: string[] = [];
  socket.on("message", (data: RawData) => {
    const frame = (data as Buffer).toString();
    frames.push(frame);
    const { envelope_id } = JSON.parse(frame) as { envelope_id?: string };
    if (envelope_id !== undefined) socket.send(JSON.stringify({ envelope_id }));
  });
  await once(socket, "open");
  const got = () => frames.map((frame) => JSON.parse(frame) as Json);
  const first = async (frame: Json): Promise<void> => {
    await expect.poll(() => got()[0]).toMatchObject(frame);
  };
  return { socket, frames, got, first };
}

test("L9: a socket can be left without a hello: it is pinged, and gets no events", async () => {
  const dev = await devSlackForTest({ retryScheduleMs: [] });
  expect(dev.control.setSocketMode({ hello: false })).toMatchObject({ hello: false, most: 10 });
  const { socket, frames } = await connect(dev);
  dev.control.postMessage({ channel: "dm", text: "hi" });
  await dev.control.idle();
  expect([frames, socket.readyState, verdicts(dev)[0]]).toEqual([
    [],
    WebSocket.OPEN,
    expect.stringContaining("no socket is connected"),
  ]);
  dev.control.setSocketMode({ hello: true });
  const second = await connect(dev);
  await second.first({ type: "hello", num_connections: 1 });
});

test.each(["warning", "refresh_requested", "too_many_websockets", "link_disabled"] as const)(
  "L9: sockets end with %s, which closes them at once if the app may have none",
  async (reason) => {
    const dev = await devSlackForTest();
    const { socket, got, first } = await connect(dev);
    await first({ type: "hello" });
    const closed = once(socket, "close");
    dev.control.disconnectSockets(reason);
    await expect.poll(() => got().at(-1)).toMatchObject({ type: "disconnect", reason });
    const isWarned = reason === "warning" || reason === "refresh_requested";
    if (!isWarned) await closed;
    expect(socket.readyState === WebSocket.OPEN).toBe(isWarned);
    const next = await connect(dev);
    await next.first(reason === "link_disabled" ? { type: "disconnect", reason } : { type: "hello" });
  },
);

test("L9: one socket more than an app may have gets no hello, and events go to the others", async () => {
  const dev = await devSlackForTest();
  dev.control.setSocketMode({ most: 2 });
  const [one, two] = [await connect(dev), await connect(dev)];
  await two.first({ type: "hello", num_connections: 2 });
  const third = await connect(dev);
  await third.first({ type: "disconnect", reason: "too_many_websockets" });
  dev.control.postMessage({ channel: "dm", text: "one" });
  dev.control.postMessage({ channel: "dm", text: "two" });
  await dev.control.idle();
  expect([one, two, third].map(({ frames }) => frames.length)).toEqual([2, 2, 1]);
});

test("L9: a socket that is half open stays, and gets and gives nothing: events are sent again when it is back", async () => {
  const dev = await devSlackForTest({ ackTimeoutMs: 50, retryScheduleMs: [0, 20, 20_000] });
  const { socket, frames, first } = await connect(dev);
  await first({ type: "hello" });
  dev.control.setSocketMode({ half_open: true });
  dev.control.postMessage({ channel: "dm", text: "hi" });
  await expect.poll(() => verdicts(dev).length).toBe(3);
  expect([frames.length, socket.readyState, verdicts(dev)[0]]).toEqual([1, WebSocket.OPEN, "no answer: timeout"]);
  dev.control.setSocketMode({ half_open: false });
  dev.control.postMessage({ channel: "dm", text: "again" });
  await expect.poll(() => frames.at(-1)).toContain("again");
});
