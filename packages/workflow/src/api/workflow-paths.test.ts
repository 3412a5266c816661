import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test } from "vitest";
import { startWorkflowApi } from "../testing/executors-under-test.ts";
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
    expect(other).toMatchObject({
      status: 409,
      body: { title: "The version exists with different content" },
    });
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
    const list = async (line: string): Promise<unknown> => {
      const { body } = await ask(line);
      const workflows = body?.["workflows"] as { workflow_id: string; version: string }[];
      return [workflows.map((one) => `${one.workflow_id} ${one.version}`), body?.["total"]];
    };
    expect(await list("GET /workflows")).toEqual([["B 1", "a 1", "b 1+x", "validate 1"], 4]);
    expect(await list("GET /workflows?limit=1&offset=2")).toEqual([["b 1+x"], 4]);
    expect(await list("GET /workflows/b/versions")).toEqual([["b 1+x", "b 2"], 2]);
    expect(await list("GET /workflows/b/versions?limit=1&offset=1")).toEqual([["b 2"], 2]);
    expect((await ask("GET /workflows/b/versions/1%2Bx")).body).toMatchObject({ version: "1+x" });
    expect((await ask("GET /workflows/validate")).body).toMatchObject({ workflow_id: "validate" });
  });

  test("B21: a plan in the old format, whose steps have no type, is accepted and stored with explicit types", async () => {
    const { ask } = await startWorkflowApi({ databaseUrl: await newDatabase() });
    const { type: _type, ...untyped } = agentStep("a");
    const old = { ...workflowOf([]), start_step: "a", steps: { a: untyped } };
    expect((await ask("POST /workflows/validate", old)).body).toEqual({ valid: true, problems: [] });
    const { status, body } = await ask("POST /workflows", old);
    expect([status, body]).toMatchObject([201, { definition: { steps: { a: { type: "agent" } } } }]);
  });

  test("an id with unusual characters returns 404 and causes no database error", async () => {
    const { ask } = await startWorkflowApi({ databaseUrl: await newDatabase() });
    for (const id of [
      "none",
      "a%00b",
      "%F0%9F%A4%96",
      "a%2Fb",
      "%27%3B%20drop%20table%20workflow",
      "x".repeat(200),
      "__proto__",
    ])
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
    expect(body).toMatchObject({ title: "The workflow is not valid" });
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

  test.each(["null", "[]", "1", '"x"', "{}", '{"__proto__":{}}'])("is reported for %s", async (source) => {
    const { ask } = await startWorkflowApi();
    expect((await ask("POST /workflows", source)).status).toBe(422);
    expect((await ask("POST /workflows/validate", source)).body).toMatchObject({ valid: false });
  });

  test("is read up to 1 MiB, more than an agent's settings", async () => {
    const { ask } = await startWorkflowApi();
    const description = "x".repeat(3_000);
    const steps = Array.from({ length: 100 }, (_, index) =>
      agentStep(`s${index}`, { description, next_step: index < 99 ? `s${index + 1}` : null }),
    );
    expect((await ask("POST /workflows", workflowOf(steps))).status).toBe(201);
    for (const line of ["POST /workflows", "POST /workflows/validate", "POST /runs"])
      expect([line, (await ask(line, `"${"x".repeat(1_048_576)}"`)).status]).toEqual([line, 413]);
  });

  test("is read only as JSON", async () => {
    const { ask } = await startWorkflowApi();
    for (const line of ["POST /workflows", "POST /workflows/validate", "POST /runs"]) {
      expect((await ask(line, "{")).status).toBe(400);
      const yaml = await ask(line, "a: 1", { "content-type": "application/yaml" });
      expect([yaml.status, yaml.headers.get("accept-post")]).toEqual([415, "application/json"]);
    }
  });
});
