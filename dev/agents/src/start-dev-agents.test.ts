import { isA2AAgentCard, isA2ASendResult, isSimpleA2AResponse } from "@crosszone/contracts";
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { faults, type Fault } from "./faults/switchboard.ts";
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

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

async function post(url: string, body: unknown): Promise<Answer> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url, { ...init, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as never };
}

test("a fast A2A agent answers with a message, and serves its card", async () => {
  const { url } = await start();
  const { id, result } = (await post(`${url}/proofreader`, a2aRequest("t1"))).json();
  expect([id, isA2ASendResult(result)]).toEqual(["t1", true]);
  expect(JSON.stringify(result)).toContain("twice in a row");
  const card: unknown = await (await fetch(`${url}/proofreader/.well-known/agent-card.json`)).json();
  expect(isA2AAgentCard(card)).toBe(true);
  expect(card).toMatchObject({ name: "proofreader", url: `${url}/proofreader` });
});

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

test("an agent of the older protocol answers any input, and refuses invalid requests", async () => {
  const { url } = await start();
  for (const input of [{ text: "abc" }, "abc"]) {
    const answer = (await post(`${url}/fingerprint`, { task_id: "t1", input })).json();
    expect(isSimpleA2AResponse(answer)).toBe(true);
    expect(answer).toMatchObject({ task_id: "t1", status: "success" });
    expect(JSON.stringify(answer)).toContain("ba7816bf8f01cfea");
  }
  expect((await post(`${url}/fingerprint`, { task: 1 })).json()).toMatchObject({ status: "error", output: null });
});

/** What a caller receives for each fault, and how to read it. `hang` sends nothing and has its own test. */
const received: Record<
  Exclude<Fault, "hang">,
  readonly [expected: unknown, look: (answers: readonly Answer[]) => unknown]
> = {
  ok: [[200, true], ([first]) => [first?.status, first?.text.includes("twice")]],
  rpc_error: [{ id: "t1", error: { code: -32000 } }, ([first]) => first?.json()],
  bad_request: [400, ([first]) => first?.status],
  server_error: [500, ([first]) => first?.status],
  slow: [true, ([first]) => first?.text.includes("twice")],
  malformed: ['{"jsonrpc": "2.0", "result": ', ([first]) => first?.text],
  oversized: [true, ([first]) => (first?.text.length ?? 0) > 64_000_000],
  wrong_id: [{ id: "of-another-request", result: { kind: "message" } }, ([first]) => first?.json()],
  redirect: [[302, "/proofreader/elsewhere"], ([first]) => [first?.status, first?.headers.get("location")]],
  working: [{ result: { status: { state: "working" } } }, ([first]) => first?.json()],
  flaky: [[503, 503, 200], (answers) => answers.map(({ status }) => status)],
  rate_limited: [
    [429, "1", 200, 200],
    ([first, ...later]) => [first?.status, first?.headers.get("retry-after"), ...later.map(({ status }) => status)],
  ],
};

test.each(Object.entries(received))("an agent with the fault %s", async (fault, [expected, look]) => {
  const { url } = await start();
  await post(`${url}/proofreader/control`, { fault });
  const answers: Answer[] = [];
  for (let times = 0; times < (fault === "oversized" ? 1 : 3); times += 1)
    answers.push(await post(`${url}/proofreader`, a2aRequest("t1")));
  expect({ sees: look(answers) }).toMatchObject({ sees: expected });
});

test("a hanging request is recorded, and ends when its caller disconnects", async () => {
  const { url, control } = await start();
  control("fingerprint").fault = "hang";
  const left = new AbortController();
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"task_id":"t1","input":1}' };
  const asking = fetch(`${url}/fingerprint`, { ...init, signal: left.signal }).catch((error: unknown) => error);
  await expect.poll(() => control("fingerprint").asked.length).toBe(1);
  left.abort();
  expect(await asking).toMatchObject({ name: "AbortError" });
  await expect.poll(() => control("fingerprint").asked).toMatchObject([{ left: true }]);
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
  const front = (await (await fetch(url)).json()) as { readonly agents: unknown; readonly faults: unknown };
  expect(front.agents).toMatchObject([{ name: "proofreader" }, { name: "keywords" }, { name: "fingerprint" }]);
  expect(front.faults).toEqual(faults);
  const status = await new Promise((resolve) => {
    request(url, { headers: { host: "evil.example" } }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(403);
  const headers = { "content-type": "application/json" };
  const unreadable = await fetch(`${url}/proofreader`, { method: "POST", headers, body: "{" });
  expect([unreadable.status, await unreadable.json()]).toMatchObject([400, { error: { code: -32700 } }]);
});
