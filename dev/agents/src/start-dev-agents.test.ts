import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { faults } from "./faults/switchboard.ts";
import { startDevAgents, type DevAgents } from "./start-dev-agents.ts";

async function start(): Promise<DevAgents> {
  const agents = await startDevAgents({ slowMs: 20, taskMs: 600_000 });
  onTestFinished(() => agents.close());
  return agents;
}

const a2aRequest = (id: string, text = "This is is wrong"): object => ({
  jsonrpc: "2.0",
  id,
  method: "message/send",
  params: { message: { role: "user", messageId: `msg-${id}`, parts: [{ kind: "text", text }] } },
});

async function post(url: string, body: unknown) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const { status, text } = await fetch(url, init).then(async (answer) => ({
    status: answer.status,
    text: await answer.text(),
  }));
  return { status, text, json: () => JSON.parse(text) as Record<string, unknown> };
}

test("a slow A2A agent returns a task that callers can poll and cancel, and refuses unknown tasks", async () => {
  const { url } = await start();
  const ask = async (method: string, id?: unknown) =>
    (await post(`${url}/keywords`, { jsonrpc: "2.0", id: "t1", method, params: { id } })).json();
  const { result: task } = (await post(`${url}/keywords`, a2aRequest("t1"))).json();
  expect(task).toMatchObject({ kind: "task", status: { state: "working" } });
  const { id } = task as { readonly id: string };
  expect((await ask("tasks/cancel", id))["result"]).toMatchObject({ id, status: { state: "canceled" } });
  expect((await ask("tasks/get", id))["result"]).toMatchObject({ id, status: { state: "canceled" } });
  expect((await ask("tasks/get", "other"))["error"]).toMatchObject({ code: -32001 });
  expect((await ask("message/stream"))["error"]).toMatchObject({ code: -32601 });
  expect((await ask("message/send"))["error"]).toMatchObject({ code: -32602 });
});

test("a fault is set by name, for one request or until it is changed; received requests are stored until a reset", async () => {
  const { url, control } = await start();
  expect((await post(`${url}/fingerprint?fault=rpc_error`, { task_id: "t1", input: 1 })).json()).toMatchObject({
    task_id: "t1",
    status: "error",
  });
  expect((await post(`${url}/fingerprint`, { task_id: "t1", input: 1 })).json()).toMatchObject({ status: "success" });
  for (const name of ["no_such", "constructor"]) {
    expect((await post(`${url}/fingerprint?fault=${name}`, {})).text).toContain("rate_limited");
    expect((await post(`${url}/fingerprint/control`, { fault: name })).status).toBe(400);
  }
  await post(`${url}/fingerprint/control`, { fault: "server_error" });
  const shown: unknown = await (await fetch(`${url}/fingerprint/control`)).json();
  expect(shown).toMatchObject({
    fault: "server_error",
    asked: [{ fault: "rpc_error", left: false }, { body: { task_id: "t1" } }],
  });
  await fetch(`${url}/fingerprint/control`, { method: "DELETE" });
  expect(control("fingerprint")).toMatchObject({ fault: "ok", asked: [] });
  expect(() => control("other")).toThrow('There is no sample agent "other".');
});

test("the front page lists agents and faults; a request under another host name is refused", async () => {
  const { url } = await start();
  const front = (await (await fetch(url)).json()) as Readonly<Record<"agents" | "faults", unknown>>;
  expect(front.agents).toMatchObject(["proofreader", "keywords", "fingerprint", "billing"].map((name) => ({ name })));
  expect(front.faults).toEqual(faults);
  const status = await new Promise((resolve) => {
    request(url, { headers: { host: "evil.example" } }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(403);
  const headers = { "content-type": "application/json" };
  const unreadable = await fetch(`${url}/proofreader`, { method: "POST", headers, body: "{" });
  expect([unreadable.status, await unreadable.json()]).toMatchObject([400, { error: { code: -32700 } }]);
});
