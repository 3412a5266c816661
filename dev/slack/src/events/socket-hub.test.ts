import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { seedWorkspace } from "../workspace/seed-workspace.ts";
import { createWorkspaceState } from "../workspace/workspace-state.ts";
import { wrapEvent } from "./event-envelope.ts";
import { createSocketHub } from "./socket-hub.ts";
import type { SocketHub } from "./socket-hub.ts";

const state = createWorkspaceState(seedWorkspace(), "http://127.0.0.1");
const attempt = { envelope: wrapEvent({ type: "message", event_ts: "1.0" }, state), retryNum: 0 };
const never = new AbortController().signal;

async function hubOnServer(): Promise<{ hub: SocketHub; connect: () => Promise<WebSocket> }> {
  const hub = createSocketHub({ appId: "A0CROSSZONE", ackTimeoutMs: 2000, pingEveryMs: 20 });
  const server = createServer().on("upgrade", (request, socket, head) => hub.upgrade(request, socket, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await hub.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connect = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${hub.openLink()}`);
    await once(socket, "message");
    return socket;
  };
  return { hub, connect };
}

function acknowledge(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.on("message", (data: Buffer) => {
      const { envelope_id } = JSON.parse(data.toString()) as { envelope_id: string };
      socket.send(JSON.stringify({ envelope_id }));
      resolve(envelope_id);
    });
  });
}

test("the server pings", async () => {
  const { connect } = await hubOnServer();
  const [payload] = (await once(await connect(), "ping")) as [Buffer];
  expect(payload.toString()).toContain("Ping");
});

test("events go to the connected sockets in turn", async () => {
  const { hub, connect } = await hubOnServer();
  expect(hub.connected()).toBe(false);
  const acknowledged = [await connect(), await connect()].map(acknowledge);
  expect(hub.connected()).toBe(true);
  const outcomes = [await hub.transport(attempt, never), await hub.transport(attempt, never)];
  expect(outcomes).toMatchObject([
    { accepted: true, status: 200 },
    { accepted: true, status: 200 },
  ]);
  expect(new Set(await Promise.all(acknowledged)).size).toBe(2);
});

test("a socket that closes before it acknowledges is a failed connection; noise is no acknowledgment", async () => {
  const { hub, connect } = await hubOnServer();
  const socket = await connect();
  socket.on("message", () => {
    socket.send("not JSON");
    socket.send(JSON.stringify({ envelope_id: "made-up" }));
    socket.close();
  });
  expect(await hub.transport(attempt, never)).toMatchObject({
    accepted: false,
    status: 0,
    reason: "connection_failed",
  });
  await expect.poll(() => hub.connected()).toBe(false);
});
