// suite: rest
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { adminToken, askingToken, postAs, rpcOf } from "../harness/runs-api.ts";
import { writeWorkflows } from "../harness/temp-file.ts";

const askers = "programs: {askers: [{token: ci, agents: [builtin, pay]}]}";
const EXECUTION_PUBLIC_URL = "https://execution.example.com";
const decide = { people: ["U_BOSS"] };
const action = { tool: "pay", arguments: {} };
const ok = { id: "ok", type: "human", input: "approve", prompt: "Pay?", action, decide } as const;
const pay = { workflow_id: "pay", name: "Pay", version: "1", start_step: "ok", steps: { ok } } as const;

test("programs have a listener of their own, which refuses at once what nobody can be asked and stops with the zone", async () => {
  const env = {
    EXECUTION_PUBLIC_URL,
    ASK_PORT: "0",
    ADMIN_TOKENS: adminToken,
    EXECUTION_FILE: tempFile("execution.yaml", askers),
    WORKFLOWS_DIR: writeWorkflows(pay),
  };
  const zone = await startExecutionProcess(env);
  const url = await zone.askUrl();
  expect(url).not.toBe(zone.url);
  const statusOf = async (at: string): Promise<number> => (await fetch(at)).status;
  const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
  expect(await metadata.json()).toMatchObject({ resource: `${url}/mcp`, scopes_supported: ["ask"] });
  expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/rpc`), await statusOf(`${url}/api/v1`)]).toEqual([
    200, 404, 404,
  ]);
  expect(await statusOf(`${zone.url}/.well-known/oauth-protected-resource`)).toBe(404);

  const token = await askingToken(zone.url);
  const message = { messageId: "1", role: "user", kind: "message", parts: [{ kind: "text", text: "2+2" }] };
  const sent = rpcOf("message/send", { message, configuration: { blocking: true } });
  const called = rpcOf("tools/call", { name: "ask_builtin", arguments: { message: "2+3" } });
  expect(await postAs(token)(`${url}/a2a/builtin`, sent)).toMatchObject({
    status: 200,
    text: expect.stringMatching(/\b4\b/),
  });
  expect(await postAs(token)(`${url}/mcp`, called)).toMatchObject({
    status: 200,
    text: expect.stringMatching(/\b5\b/),
  });
  const waiting = await postAs(token)(`${url}/mcp`, rpcOf("tools/call", { name: "run_pay", arguments: {} }));
  expect(waiting.text).toContain(
    String.raw`It says: The step \"ok\" is decided in Slack, and no verification zone has connected yet`,
  );
  for (const [path, body] of [
    ["/a2a/builtin", sent],
    ["/mcp", called],
  ] as const)
    expect(await postAs(adminToken)(url + path, body)).toMatchObject({ status: 403 });
  expect(await zone.stop()).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
});
