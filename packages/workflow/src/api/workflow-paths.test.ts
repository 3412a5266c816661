// suite: both
import { apiOperations } from "@crosszone/admin-api/testing";
import { openApi } from "@crosszone/contracts/openapi";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test } from "vitest";
import { startWorkflowApi, begin, ended, oddIds } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";

const definition = workflowOf([agentStep("a", { next_step: "b" }), agentStep("b")]);

onBothEngines("the API of workflows", (newDatabase) => {
  test("a version is stored once, is available at its Location, and never changes", async () => {
    const { ask } = await startWorkflowApi({ databaseUrl: await newDatabase() });
    const created = await ask("POST /workflows", definition);
    expect(created).toMatchObject({ status: 201, body: { workflow_id: "w", version: "1", definition } });
    expect(created.headers.get("location")).toBe("/api/v1/workflows/w/versions/1");
    const again = await ask("POST /workflows", definition);
    expect([again.status, again.body]).toEqual([200, created.body]);
    const other = await ask("POST /workflows", { ...definition, name: "Other" });
    expect(other).toMatchObject({ status: 409, body: { title: "The version exists with different content" } });
    expect((await ask("GET /workflows/w/versions/1")).body).toEqual(created.body);
    expect((await ask("GET /workflows/w")).body).toEqual(created.body);
  });

  test("B25: workflows are listed in their latest version, versions newest first, each page with the total", async () => {
    const { ask } = await startWorkflowApi({ databaseUrl: await newDatabase() });
    for (const [workflow_id, version] of [
      ["b", "2"],
      ["a", "1"],
      ["b", "1+x"],
      ["B", "1"],
      ["validate", "1"],
    ])
      expect((await ask("POST /workflows", { ...definition, workflow_id, version })).status).toBe(201);
    let next: string | undefined;
    const list = async (line: string): Promise<unknown> => {
      const { body } = await ask(line);
      next = body?.["next_cursor"] as string;
      const workflows = body?.["workflows"] as { workflow_id: string; version: string }[];
      return [workflows.map((one) => `${one.workflow_id} ${one.version}`), body?.["total"]];
    };
    expect(await list("GET /workflows")).toEqual([["B 1", "a 1", "b 1+x", "validate 1"], 4]);
    expect(await list("GET /workflows?limit=2")).toEqual([["B 1", "a 1"], 4]);
    expect(await list(`GET /workflows?limit=1&cursor=${next}`)).toEqual([["b 1+x"], 4]);
    expect(await list("GET /workflows/b/versions")).toEqual([["b 1+x", "b 2"], 2]);
    expect(await list("GET /workflows/b/versions?limit=1")).toEqual([["b 1+x"], 2]);
    expect(await list(`GET /workflows/b/versions?limit=1&cursor=${next}`)).toEqual([["b 2"], 2]);
    expect(next).toBeUndefined();
    expect((await ask("GET /workflows/b/versions/1%2Bx")).body).toMatchObject({ version: "1+x" });
    expect((await ask("GET /workflows/validate")).body).toMatchObject({ workflow_id: "validate" });
  });

  test("an id with unusual characters returns 404 and causes no database error", async () => {
    const { ask } = await startWorkflowApi({ databaseUrl: await newDatabase() });
    for (const id of oddIds)
      for (const rest of ["", "/versions", "/versions/1", "/versions/%00"]) {
        const line = `GET /workflows/${id}${rest}`;
        expect([line, (await ask(line)).status]).toEqual([line, 404]);
      }
  });
});

describe("an invalid definition", () => {
  const broken = { ...definition, start_step: "nobody", surprise: 1 };

  test("is refused with all of its problems, and is not stored", async () => {
    const { ask } = await startWorkflowApi();
    const { status, body } = await ask("POST /workflows", broken);
    expect(status).toBe(422);
    expect(body).toMatchObject({ title: "What was sent is not valid" });
    expect(body?.["problems"]).toEqual(
      expect.arrayContaining([
        { pointer: "/surprise", message: expect.any(String) },
        { pointer: "/start_step", message: expect.any(String) },
      ]),
    );
    expect((await ask("GET /workflows")).body).toMatchObject({ total: 0 });
    const report = await ask("POST /workflows/validate", broken);
    expect([report.status, report.body]).toEqual([200, { valid: false, problems: body?.["problems"] }]);
  });

  test("is reported if it names unknown agents", async () => {
    const { ask } = await startWorkflowApi({ agentNames: async () => ["a-agent"] });
    const { body } = await ask("POST /workflows/validate", definition);
    expect(body).toMatchObject({ valid: false, problems: [{ pointer: "/steps/b/agent_name" }] });
  });

  test("is read up to 1 MiB, more than an agent's settings", async () => {
    const { ask } = await startWorkflowApi();
    const description = "x".repeat(3_000);
    const steps = Array.from({ length: 100 }, (_, index) =>
      agentStep(`s${index}`, { description, next_step: index < 99 ? `s${index + 1}` : null }),
    );
    expect((await ask("POST /workflows", workflowOf(steps))).status).toBe(201);
  });
});

const oneStep = workflowOf([agentStep("a")]);
const operations = apiOperations(openApi("workflow"));

test("each successful response of every operation matches the document", async () => {
  const { ask, executor, answered } = await startWorkflowApi();
  const state = { isBroken: true };
  await startFakeAgents(executor, ({ agent_name, input_data }) => {
    if (agent_name === "silent") return undefined;
    if (state.isBroken) throw new Error("not today");
    return input_data;
  });
  await ask("POST /workflows", oneStep);
  await ask("POST /workflows", oneStep);
  const failed = await begin(executor, oneStep);
  const { revision } = await ended(executor, failed);
  await ask("POST /runs", { workflow_id: "w" }, { "idempotency-key": "k" });
  await ask("POST /runs", { workflow_id: "w" }, { "idempotency-key": "k" });
  await ask("POST /workflows/validate", oneStep);
  await ask("POST /events", { name: "paid", key: "1", payload: { sum: 3 } });
  for (const path of ["/workflows", "/workflows/w", "/workflows/w/versions", "/workflows/w/versions/1", "/runs"])
    await ask(`GET ${path}`);
  for (const path of ["", "/graph", "/attempts?path=a"]) await ask(`GET /runs/${failed}${path}`);
  await ask(`GET /runs/${failed}/events`, undefined, { "last-event-id": String(revision) });
  await ask(`POST /runs/${failed}/retry`);
  await ended(executor, failed);
  state.isBroken = false;
  const waiting = await begin(
    executor,
    workflowOf([agentStep("a", { agent_name: "silent" })], { workflow_id: "slow" }),
  );
  await ask(`POST /runs/${waiting}/cancel`);
  const expected = operations.flatMap(({ method, path, statuses }) =>
    statuses.filter((status) => status.startsWith("2")).map((status) => `${method} ${path} ${status}`),
  );
  // An event stream is not a single response; its route has its own test.
  expect(expected.filter((line) => !answered.has(line))).toEqual(["get /runs/{run_id}/events 200"]);
});
