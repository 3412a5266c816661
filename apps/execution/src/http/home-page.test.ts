import { createServer } from "node:http";
import { createHealth, createMetrics, listen } from "@crosszone/service-kit";
import { expect, onTestFinished, test } from "vitest";
import { createHttpApp } from "./create-http-app.ts";
import { silentHttpObserver } from "./http-observer.ts";

test("a browser that opens the execution zone gets links; every other client gets the answer for an unknown path", async () => {
  const api = (_request: unknown, _response: unknown, next: () => void): void => next();
  const server = createServer(
    createHttpApp({ api, health: createHealth(), metrics: createMetrics(), observer: silentHttpObserver }),
  );
  onTestFinished(() => void server.close());
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const home = await fetch(url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
  expect([home.status, home.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await home.text()).toContain('href="/runs"');
  const other = await fetch(url, { headers: { accept: "*/*" } });
  expect([other.status, await other.json()]).toMatchObject([404, { error: { code: -32_600 } }]);
});
