import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Agent } from "@crosszone/execution";
import { expect, test } from "vitest";
import { askingAgent } from "../harness/asking-agent.ts";
import { startAskedZone } from "../harness/start-asked-zone.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
type Json = any;

/** Calls a method of A2A 1.0 as a program. */
async function call(url: string, method: string, params: object): Promise<Json> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0", authorization: "Bearer ci" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return response.json();
}

const send = async (url: string, text: string, members: object = {}): Promise<Json> => {
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...members };
  return (await call(url, "SendMessage", { message })).result.task;
};

test("P3: a question crosses three zones, and its answer goes on exactly there, once", async () => {
  const runs: unknown[] = [];
  const asking: Agent = {
    ...askingAgent,
    run: async (input, context) => {
      runs.push([input.text, input.hops]);
      return askingAgent.run(input, context);
    },
  };
  const third = await startAskedZone({ agents: [asking] });
  const second = await startAskedZone({ registered: { third: third.urlOf("asking") } });
  const first = await startAskedZone({ registered: { second: second.urlOf("third") } });
  const url = first.urlOf("second");

  const paused = await send(url, "go");
  expect(paused.status).toMatchObject({
    state: "TASK_STATE_INPUT_REQUIRED",
    message: { parts: [{ text: "Why?\nIn a word." }] },
  });
  const ended = await send(url, "it rains", { taskId: paused.id });
  expect(ended).toMatchObject({
    id: paused.id,
    status: { state: "TASK_STATE_COMPLETED" },
    artifacts: [{ parts: [{ text: "go because it rains" }] }],
  });
  expect(runs).toEqual([
    ["go", 2],
    ["go", 2],
  ]);
});

test("Zones that ask each other in a loop end with a sentence, and so does a task that a person began", async () => {
  const limits = { syncWindowMs: 10_000 };
  const first = await startAskedZone({ registered: { next: "http://127.0.0.1:9/" }, limits });
  const second = await startAskedZone({ registered: { next: first.urlOf("next") } });
  const auth = { type: "bearer", token: "env:AGENT_SECRET_ZONE" };
  writeFileSync(first.agentsFile, JSON.stringify({ agents: [{ name: "next", url: second.urlOf("next"), auth }] }));
  const asked = { channel: "C1", text: "go", bot_token: "none", agent: "next" };
  const failed = async (): Promise<Json> => {
    const ask = async (): Promise<Json> => send(first.urlOf("next"), "go");
    return (await ask()).status;
  };
  await expect.poll(failed, { timeout: 15_000, interval: 500 }).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: { parts: [{ text: expect.stringContaining("Agent failed") }] },
  });
  const { execution } = first;
  const rpc = await fetch(`${execution.url}/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${execution.token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method: "execute_task", params: asked }),
  });
  expect(((await rpc.json()) as Json).error.data.kind).toBe("agent_failed");
  expect(JSON.stringify([first.log, second.log])).toContain("passed on 8 times");
});
