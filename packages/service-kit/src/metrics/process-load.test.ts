import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { close, createHttpServer, listen } from "../http/http-server.ts";
import { createMetrics, waitingIn } from "./registry.ts";

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

async function read(metrics: ReturnType<typeof createMetrics>, name: string): Promise<number> {
  const { body } = await metrics.render();
  return Number(
    body
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1],
  );
}

test("a long turn of the event loop is measured, and its wait is not", async () => {
  const metrics = createMetrics();
  await sleep(20);
  block(30);
  await sleep(100);
  const longest = await read(metrics, 'event_loop_turn_seconds{quantile="1"}');
  expect(longest).toBeGreaterThan(0.029);
  expect(await read(metrics, 'event_loop_turn_seconds{quantile="0.5"}')).toBeLessThan(0.029);
});

test.runIf(process.platform === "linux")("connections that wait until they are accepted are counted", async () => {
  const metrics = createMetrics();
  const server = createHttpServer((_request, response) => void response.end());
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 100 })));
  const port = Number(new URL(url).port);
  metrics.listensOn(port);
  const clients = Array.from({ length: 5 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  onTestFinished(() => clients.forEach((client) => client.destroy()));
  // Connects within this turn, which accepts nothing.
  await new Promise((resolve) => process.nextTick(resolve));
  expect(await read(metrics, "http_accept_queue_connections")).toBe(5);
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
