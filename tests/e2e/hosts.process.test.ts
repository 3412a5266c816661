import { resolve } from "node:path";
import { expect, test } from "vitest";
import { startProcess, type ZoneProcess } from "../harness/start-process.ts";
import { tune } from "@crosszone/testkit/tune";

const execute = {
  jsonrpc: "2.0",
  method: "execute_task",
  params: { channel: "C1", text: "6*7", bot_token: "h" },
  id: "1",
};

const startOn = async (env: Record<string, string>): Promise<ZoneProcess> =>
  startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: { EXECUTION_HOST: "127.0.0.1", EXECUTION_TOKEN: "", ...env },
  });

const ask = async (url: string): Promise<unknown> => {
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(execute) })).json();
};

test.each([
  ["agentcore", "/invocations", { EXECUTION_PORT: "0", CALLER_AUTH: "platform" }],
  ["cloud-run", "/rpc", { PORT: "0" }],
  ["foundry", "/invocations", { EXECUTION_PORT: "0", ...tune({ AGENT_THREADS: 0 }) }],
] as const)(
  "Z11: as %s expects it, the process answers at %s, with the agent on threads or not, and stops when told to",
  async (...[HOST_PROFILE, path, env]) => {
    const zone = await startOn({ HOST_PROFILE, ...env });
    expect(await ask(zone.url + path)).toMatchObject({
      result: { response_text: expect.stringContaining("42"), skill: "arithmetic" },
    });
    expect((await fetch(`${zone.url}/ping`)).status).toBe(HOST_PROFILE === "agentcore" ? 200 : 404);
    expect(await zone.stop()).toBe(0);
  },
);
