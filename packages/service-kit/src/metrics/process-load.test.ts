import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { createMetrics, waitingIn } from "./registry.ts";

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

const valueIn = (body: string, name: string): number =>
  Number(
    body
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1],
  );

const read = async (metrics: ReturnType<typeof createMetrics>, name: string): Promise<number> =>
  valueIn((await metrics.render()).body, name);

test("a long turn of the event loop is measured, and its wait is not", async () => {
  const metrics = createMetrics();
  await sleep(20);
  block(100);
  for (let turns = 0; turns < 3; turns += 1) await sleep(100);
  const { body } = await metrics.render();
  expect(valueIn(body, 'event_loop_turn_seconds{quantile="1"}')).toBeGreaterThan(0.09);
  expect(valueIn(body, 'event_loop_turn_seconds{quantile="0.5"}')).toBeLessThan(0.09);
});

/** Listens, and accepts nothing until the gate opens. */
const busyServer = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer().listen(0, "127.0.0.1", () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

test.runIf(process.platform === "linux")("connections that wait until they are accepted are counted", async () => {
  const metrics = createMetrics();
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(busyServer, { eval: true, workerData: gate });
  onTestFinished(async () => void (await server.terminate()));
  const [port] = (await once(server, "message")) as [number];
  metrics.listensOn(port);
  const clients = Array.from({ length: 5 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  onTestFinished(() => clients.forEach((client) => client.destroy()));
  await expect.poll(() => read(metrics, "http_accept_queue_connections")).toBe(5);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await expect.poll(() => read(metrics, "http_accept_queue_connections")).toBe(0);
});

test("only listening sockets of these ports count", () => {
  const sockets = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000011 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0",
    "   1: 0100007F:0050 00000000:0000 0A 00000000:00000007 00:00000000 00000000     0        0 2 1 0 100 0 0 10 0",
    "   2: 0100007F:1F90 0100007F:C001 01 00000000:00000005 00:00000000 00000000     0        0 3 1 0 100 0 0 10 0",
  ].join("\n");
  expect(waitingIn(sockets, new Set([8080]))).toBe(17);
});
