// suite: rest
import { tempFile } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { startExecutionProcess } from "@crosszone/testkit/process";
import { writeWorkflows } from "../harness/temp-file.ts";

const ADMIN_TOKENS = "admin-token-of-at-least-32-characters";
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
    ADMIN_TOKENS,
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

  const post = async (at: string, token: string | undefined, body: object) => {
    const accept = "application/json, text/event-stream";
    const headers = { "content-type": "application/json", accept, authorization: `Bearer ${token}` };
    const response = await fetch(at, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  };
  const created = await post(`${zone.url}/api/v1/tokens`, ADMIN_TOKENS, {
    name: "ci",
    scopes: ["ask"],
    expires_in: 60,
  });
  const { token } = JSON.parse(created.text) as { readonly token: string };
  const message = { messageId: "1", role: "user", kind: "message", parts: [{ kind: "text", text: "2+2" }] };
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
  const sent = rpc("message/send", { message, configuration: { blocking: true } });
  const called = rpc("tools/call", { name: "ask_builtin", arguments: { message: "2+3" } });
  expect(await post(`${url}/a2a/builtin`, token, sent)).toMatchObject({
    status: 200,
    text: expect.stringMatching(/\b4\b/),
  });
  expect(await post(`${url}/mcp`, token, called)).toMatchObject({ status: 200, text: expect.stringMatching(/\b5\b/) });
  const waiting = await post(`${url}/mcp`, token, rpc("tools/call", { name: "run_pay", arguments: {} }));
  expect(waiting.text).toContain(
    String.raw`It says: The step \"ok\" is decided in Slack, and no verification zone has connected yet`,
  );
  for (const [path, body] of [
    ["/a2a/builtin", sent],
    ["/mcp", called],
  ] as const)
    expect(await post(url + path, ADMIN_TOKENS, body)).toMatchObject({ status: 403 });
  expect(await zone.stop()).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
});
