// suite: rest
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { token } from "@crosszone/execution/testing";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { startAsked } from "../harness/start-called-zone.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
type Json = any;

const link = "Log in at https://idp.example.com/a";

/**
 * Starts an agent of A2A 1.0 that needs an authorization, gets it `afterMs` later and goes on by itself. It streams if `streams`, and is polled.
 * Returns its URL and what it was asked.
 */
async function startAgent(afterMs: number, streams: boolean) {
  const [tasks, asked] = [new Map<string, object>(), [] as string[]];
  const url = await serve((request, response) => {
    void (async () => {
      const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString() || "{}") as Json;
      const answer = (body: object) => response.end(JSON.stringify(body));
      const interfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
      if (method === undefined)
        return answer({ name: "calendar", supportedInterfaces: interfaces, capabilities: { streaming: streams } });
      asked.push(method);
      const result = (value: object) => answer({ jsonrpc: "2.0", id, result: value });
      if (method === "GetTask") return result(tasks.get(params.id) ?? {});
      if (!method.startsWith("Send")) return answer({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } });
      const ids = { id: randomUUID(), contextId: "ctx-1" };
      const message = { role: "ROLE_AGENT", messageId: "m1", parts: [{ text: link }] };
      const waits = { ...ids, status: { state: "TASK_STATE_AUTH_REQUIRED", message } };
      tasks.set(ids.id, waits);
      void delay(afterMs).then(() => {
        const artifacts = [{ artifactId: "a", parts: [{ text: "Your calendar is empty." }] }];
        tasks.set(ids.id, { ...ids, status: { state: "TASK_STATE_COMPLETED" }, artifacts });
      });
      if (!streams) return result({ task: waits });
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { task: waits } })}\n\n`);
    })();
  });
  return { url, asked };
}

test.each([true, false])("J18: a person logs in, and the answer comes by itself (streams: %s)", async (streams) => {
  const agent = await startAgent(3_000, streams);
  const { zone } = await startAsked({ registered: { calendar: agent.url } });
  const rpc = async (method: string, params: object): Promise<Json> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params });
    return ((await (await fetch(`${zone.url}/rpc`, { method: "POST", headers, body })).json()) as Json).result;
  };
  const asked = { channel: "C1", text: "today?", bot_token: "none", agent: "calendar", user_id: "U1", team_id: "T1" };
  const waits = await rpc("execute_task", { ...asked, context_id: randomUUID() });
  expect(waits).toMatchObject({ status: "input_required", input_requests: [], text: expect.stringContaining(link) });
  expect(waits.text).toContain("I go on by myself");
  const { task_id } = waits;
  await expect
    .poll(async () => rpc("get_async_task_result", { task_id }), { timeout: 30_000, interval: 500 })
    .toMatchObject({ status: "success", response_text: "Your calendar is empty." });
  expect(agent.asked.filter((method) => method.startsWith("Send"))).toHaveLength(1);
});

test("J18: a program reads auth-required, and then the answer, without a message", async () => {
  const agent = await startAgent(3_000, true);
  const url = (await startAsked({ registered: { calendar: agent.url } })).urlOf("calendar");
  const call = async (method: string, params: object): Promise<Json> => {
    const headers = { "content-type": "application/json", "a2a-version": "1.0", authorization: "Bearer ci" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return ((await (await fetch(url, { method: "POST", headers, body })).json()) as Json).result;
  };
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text: "today?" }] };
  const { task } = await call("SendMessage", { message });
  expect(task.status).toMatchObject({ state: "TASK_STATE_AUTH_REQUIRED", message: { parts: [{ text: link }] } });
  await expect
    .poll(() => call("GetTask", { id: task.id }), { timeout: 30_000, interval: 500 })
    .toMatchObject({
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "Your calendar is empty." }] }],
    });
  expect(agent.asked.filter((method) => method.startsWith("Send"))).toHaveLength(1);
});
