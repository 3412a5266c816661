// suite: rest
import type { OpenApiDocument } from "@crosszone/contracts/openapi";
import type { WorkflowDefinition } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { startOnDatabase } from "@crosszone/testkit/process";
import { startAgent } from "@crosszone/testkit";
import { adminToken } from "../harness/runs-api.ts";

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
  const agent = await startAgent(async (text) =>
    text === "wait" ? answers.promise.then(() => text) : text.toUpperCase(),
  );
  const env = { AGENT_ORIGINS: agent.origin, ADMIN_TOKENS: adminToken };
  const zone = await startOnDatabase(await newSqliteDatabase(), env);
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

test("B24: each operation of the zone's API needs the scope that its document names, and only the document is served without a token", async () => {
  const zone = await startOnDatabase(await newSqliteDatabase(), { ADMIN_TOKENS: adminToken });
  const ask = (line: readonly [method: string, path: string], token: string, body?: object) =>
    fetch(`${zone.url}/api/v1${line[1].replaceAll(/\{\w+\}/g, "none")}`, {
      method: line[0],
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
  const document = (await (await ask(["GET", "/openapi.json"], "")).json()) as OpenApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, one]) =>
    Object.entries(one as Record<string, { security?: readonly { adminToken: readonly string[] }[] }>)
      .filter(([member]) => member !== "parameters")
      .map(([method, { security }]) => [method.toUpperCase(), path, security?.[0]?.adminToken[0] ?? ""] as const),
  );
  const scopes = [...new Set(operations.map(([, , scope]) => scope))].filter((scope) => scope !== "");
  expect(scopes.toSorted()).toEqual([
    "agents:write",
    "ask",
    "audit:read",
    "content:read",
    "runs:act",
    "runs:read",
    "tokens:write",
  ]);
  const tokens = new Map<string, string>();
  for (const scope of ["", ...scopes]) {
    // The first one has every scope, so that ADMIN_TOKENS no longer work.
    const body = {
      name: `no-${scope.replace(":", "-")}`,
      scopes: scopes.filter((one) => one !== scope),
      expires_in: scope === "" ? 600 : 300,
    };
    const maker = tokens.get("") ?? adminToken;
    const created = await ask(["POST", "/tokens"], maker, body);
    expect(created.status).toBe(201);
    tokens.set(scope, ((await created.json()) as { token: string }).token);
  }
  for (const [method, path, scope] of operations.filter((operation) => operation[2] !== "")) {
    const [without, stranger] = await Promise.all(
      [tokens.get(scope) ?? "", "a-stranger"].map((token) => ask([method, path], token)),
    );
    expect([path, method, without?.status, stranger?.status]).toEqual([path, method, 403, 401]);
    expect(without?.headers.get("www-authenticate")).toContain(`scope="${scope}"`);
    if (method !== "GET") continue;
    const { status, body } = await ask([method, path], tokens.get("") ?? "");
    await body?.cancel();
    expect([path, [200, 400, 404].includes(status)]).toEqual([path, true]);
  }
  expect((await ask(["GET", "/agents"], adminToken)).status).toBe(403);
});
