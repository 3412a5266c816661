import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { waitUntilReady } from "./wait-until-ready.ts";

test("O30: a slow start is waited for while something is said, and given up after silence", async () => {
  let readyAt = Infinity;
  const server = createServer((_, response) => {
    response.statusCode = Date.now() > readyAt ? 200 : 503;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const services = [{ name: "execution", url, readyPath: "/readyz", port: 0, variable: "" } as const];
  expect(await waitUntilReady(services, 300)).toBe(false);
  readyAt = Date.now() + 1_500;
  expect(await waitUntilReady(services, 300, Date.now)).toBe(true);
});
