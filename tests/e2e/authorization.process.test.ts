// suite: rest
// @module-tag judge
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { token } from "@crosszone/execution/testing";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { startAsked } from "../harness/start-called-zone.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
type Json = any;

const link = "Log in at https://idp.example.com/a";

/**
 * Starts an agent of A2A 1.0 that needs an authorization, gets it seven seconds later and goes on by itself. Until then it knows its task, or
 * not. Returns its URL and what it was asked.
 */
async function startAgent(knowsTask: boolean) {
  const [tasks, asked] = [new Map<string, object>(), [] as string[]];
  const url = await serve((request, response) => answer(request.toArray(), response));
  const answer = async (read: Promise<unknown[]>, response: { readonly end: (text: string) => unknown }) => {
    const { id, method, params } = JSON.parse(Buffer.concat((await read) as Buffer[]).toString() || "{}");
    const supportedInterfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    if (method === undefined)
      return response.end(JSON.stringify({ supportedInterfaces, capabilities: { streaming: true } }));
    asked.push(method);
    const say = (content: object) => response.end(JSON.stringify({ jsonrpc: "2.0", id, ...content }));
    const task = tasks.get(params.id);
    if (method === "GetTask")
      return say(task === undefined ? { error: { code: -32_001, message: "?" } } : { result: task });
    if (method !== "SendMessage") return say({ error: { code: -32_601, message: "no" } });
    const ids = { id: randomUUID(), contextId: "ctx-1" };
    const message = { role: "ROLE_AGENT", messageId: "m1", parts: [{ text: link }] };
    const waits = { ...ids, status: { state: "TASK_STATE_AUTH_REQUIRED", message } };
    if (knowsTask) tasks.set(ids.id, waits);
    const artifacts = [{ artifactId: "a", parts: [{ text: "Your calendar is empty." }] }];
    void delay(7_000).then(() => tasks.set(ids.id, { ...ids, status: { state: "TASK_STATE_COMPLETED" }, artifacts }));
    return say({ result: { task: waits } });
  };
  return { url, asked };
}

test("J18: a person or a program reads what to do, and then the answer, without a message", async () => {
  const [one, other] = await Promise.all([startAgent(true), startAgent(false)]);
  const { zone, urlOf } = await startAsked({ registered: { one: one.url, other: other.url } });
  const call = async (url: string, by: string, request: object): Promise<Json> =>
    (await postAs(by, { "a2a-version": "1.0", accept: "application/json" })(url, request)).json<Json>().result;
  const rpc = (method: string, params: object) => call(`${zone.url}/rpc`, token, rpcOf(method, params));
  const asked = { channel: "C1", text: "today?", bot_token: "none", agent: "one", user_id: "U1", team_id: "T1" };
  const waits = await rpc("execute_task", { ...asked, context_id: randomUUID() });
  expect(waits).toMatchObject({ status: "input_required", input_requests: [], text: expect.stringContaining(link) });
  const program = (method: string, params: object) => call(urlOf("other"), "ci", rpcOf(method, params));
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text: "today?" }] };
  const { task } = await program("SendMessage", { message });
  expect(task.status).toMatchObject({ state: "TASK_STATE_AUTH_REQUIRED", message: { parts: [{ text: link }] } });
  const soon = { timeout: 30_000, interval: 500 };
  const person = () => rpc("get_async_task_result", { task_id: waits.task_id });
  await expect.poll(person, soon).toMatchObject({ status: "success", response_text: "Your calendar is empty." });
  const ended = {
    status: { state: "TASK_STATE_COMPLETED" },
    artifacts: [{ parts: [{ text: "Your calendar is empty." }] }],
  };
  await expect.poll(() => program("GetTask", { id: task.id }), soon).toMatchObject(ended);
  for (const agent of [one, other]) expect(agent.asked.filter((method) => method === "SendMessage")).toHaveLength(1);
});
