import { describe, expect, test } from "vitest";
import { echo, startZone, task } from "../testing/start-zone.ts";
import { chooseListening, hostProfiles, type HostProfile, type HostProfileName } from "./host-profile.ts";

const names = Object.keys(hostProfiles) as HostProfileName[];

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
