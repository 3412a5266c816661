import { createServer } from "node:http";
import { createHealth, createMetrics, listen } from "@crosszone/service-kit";
import { describe, expect, onTestFinished, test } from "vitest";
import { echo, startZone, task } from "../testing/start-zone.ts";
import { createHttpApp } from "./create-http-app.ts";
import { chooseListening, type HostProfile, type HostProfileName, hostProfiles } from "./host-profile.ts";
import { silentHttpObserver } from "./http-observer.ts";

const names = Object.keys(hostProfiles) as HostProfileName[];

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

describe("host profile", () => {
  describe("where a host has the zone listen", () => {
    test("each profile has its own address, and explicit settings take precedence", () => {
      const places = names.map((name) => [name, chooseListening(name, { hostPort: 9000 })]);
      const portVariable = "EXECUTION_PORT";
      expect(Object.fromEntries(places)).toEqual({
        plain: { host: "127.0.0.1", port: 4000, portVariable },
        agentcore: { host: "0.0.0.0", port: 8080, portVariable },
        "cloud-run": { host: "0.0.0.0", port: 9000, portVariable: "PORT" },
        "container-apps": { host: "0.0.0.0", port: 8080, portVariable },
        foundry: { host: "0.0.0.0", port: 8088, portVariable },
      });
      for (const name of names)
        expect(chooseListening(name, { host: "::1", port: 0, hostPort: 9000 })).toEqual({
          host: "::1",
          port: 0,
          portVariable,
        });
    });
  });

  describe("Z11: requests of a host", () => {
    test.each(names)("Z11: %s gets JSON-RPC at its path and nowhere else, through the same dispatch", async (name) => {
      const profile: HostProfile = hostProfiles[name];
      const zone = await startZone([echo], { profile });
      expect(await zone.call("execute_task", task())).toMatchObject({ result: { response_text: "hello" } });
      expect(await zone.call("nope", {})).toMatchObject({ error: { code: -32601 } });
      const other = profile.rpcPath === "/rpc" ? "/invocations" : "/rpc";
      const lost = await fetch(zone.url + other, { method: "POST" });
      expect(lost.status).toBe(404);
      expect(await lost.text()).toContain(`POST ${profile.rpcPath}`);
      expect((await fetch(`${zone.url}/ping`)).status).toBe(profile.ping ? 200 : 404);
      expect((await fetch(`${zone.url}/readiness`)).status).toBe(profile.readiness ? 200 : 404);
      expect((await fetch(`${zone.url}/readyz`)).status).toBe(200);
    });
  });
});
