import type { WorkflowDefinition } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { adminToken } from "../harness/runs-api.ts";
import { startHttpAgent } from "../harness/start-http-agent.ts";
import { startTaskProcess } from "../harness/start-task-process.ts";

const headers = { "content-type": "application/json", authorization: `Bearer ${adminToken}` };

const shout: WorkflowDefinition = {
  workflow_id: "shout",
  name: "Shout",
  version: "1",
  start_step: "once",
  steps: { once: { id: "once", type: "agent", agent_name: "shouter", input_mapping: "${workflow.input.text}" } },
};

test("the zone's API registers an agent, stores a workflow and streams a run; a zone that stops does not wait for the stream", async () => {
  const answers = Promise.withResolvers<void>();
  const agent = await startHttpAgent(async (text) =>
    text === "wait" ? answers.promise.then(() => text) : text.toUpperCase(),
  );
  const env = { AGENT_ORIGINS: agent.origin, ADMIN_TOKENS: adminToken };
  const zone = await startTaskProcess(await newSqliteDatabase(), env);
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${zone.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect([path, response.status]).toEqual([path, 201]);
    return (await response.json()) as Record<string, unknown>;
  };
  const watch = (run: Record<string, unknown>) =>
    fetch(`${zone.url}/api/v1/runs/${String(run["run_id"])}/events`, { headers });

  const document = (await (await fetch(`${zone.url}/api/v1/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/agents", "/workflows", "/runs/{run_id}/events"]),
  );
  await post("/agents", { name: "shouter", url: agent.url });
  await post("/workflows", shout);
  const done = await watch(await post("/runs", { workflow_id: "shout", input: { text: "hello" } }));
  expect(await done.text()).toMatch(/"state":"succeeded"/);

  const open = await watch(await post("/runs", { workflow_id: "shout", input: { text: "wait" } }));
  const stopped = zone.stop();
  const text = await open.text();
  expect(text).toMatch(/^retry: 1000\n\n/);
  expect(text).not.toMatch(/"state":"succeeded"/);
  answers.resolve();
  await stopped;
  expect(zone.log).toContainEqual(expect.objectContaining({ event: "stop_finished", failed: [] }));
});

const viewToken = "a-view-token-of-at-least-32-characters";

test("B24: a view token reads every documented path of the zone's API, every other method refuses it, and only the document is served without a token", async () => {
  const env = { ADMIN_TOKENS: adminToken, VIEW_TOKENS: viewToken };
  const zone = await startTaskProcess(await newSqliteDatabase(), env);
  const statusOf = async (method: string, path: string, token = viewToken): Promise<number> => {
    const { status, body } = await fetch(`${zone.url}/api/v1${path.replaceAll(/\{\w+\}/g, "none")}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    await body?.cancel();
    return status;
  };
  const document = (await (await fetch(`${zone.url}/api/v1/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.entries(document.paths).flatMap(([path, one]) =>
    Object.keys(one)
      .filter((member) => member !== "parameters")
      .map((method) => [method.toUpperCase(), path] as const),
  );
  const statuses = await Promise.all(
    operations.map(async ([method, path]) => [method, path, await statusOf(method, path)] as const),
  );
  const reads = statuses.filter(([method]) => method === "GET");
  const changes = statuses.filter(([method]) => method !== "GET");
  expect(Math.min(reads.length, changes.length)).toBeGreaterThan(8);
  expect(changes.filter(([, , status]) => status !== 403)).toEqual([]);
  expect(reads.filter(([, , status]) => ![200, 400, 404].includes(status))).toEqual([]);
  for (const path of ["/agents", "/workflows", "/runs"]) expect(await statusOf("GET", path)).toBe(200);
  const withoutToken = await Promise.all(
    operations.map(async ([method, path]) => `${path} ${await statusOf(method, path, "a-stranger")}`),
  );
  expect(withoutToken.filter((served) => !served.endsWith(" 401"))).toEqual(["/openapi.json 200"]);
});
