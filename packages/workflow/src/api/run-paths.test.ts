// suite: both
import { noStoredTokens } from "@crosszone/admin-api";
import { isWorkflowRun, type RunList, type WorkflowRun } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { begin, ended, startWorkflowApi } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, loopStep, workflowOf } from "../testing/workflow-of.ts";

const definition = workflowOf([
  agentStep("a", { input_mapping: "${workflow.input.text}", next_step: "b" }),
  agentStep("b", { input_mapping: { said: "${a.output}" } }),
]);

onBothEngines("the API of runs", (newDatabase) => {
  const start = async (...[options]: Parameters<typeof startWorkflowApi>) => {
    const api = await startWorkflowApi({ databaseUrl: await newDatabase(), ...options });
    await api.executor.workflows.createVersion(definition);
    return api;
  };

  test("B25: runs are listed newest first, by workflow, state and correlation id, page by page", async () => {
    const { ask, executor } = await start();
    const ids: string[] = [];
    for (const correlation_id of ["c-1", "c-2", "c-2"]) {
      const { body } = await ask("POST /runs", { workflow_id: "w", input: { text: "x" }, correlation_id });
      ids.unshift(String(body?.["run_id"]));
    }
    const other = await begin(executor, { ...definition, workflow_id: "other" }, { text: "x" });
    await ask(`POST /runs/${other}/cancel`);
    const list = async (query: string): Promise<unknown> => {
      const { body = {} } = await ask(`GET /runs${query}`);
      const runs = body["runs"] as WorkflowRun[];
      return runs.map(({ run_id }) => run_id).toSorted();
    };
    expect(await list("")).toEqual([other, ...ids].toSorted());
    expect(await list("?workflow_id=w")).toEqual(ids.toSorted());
    expect(await list("?state=canceled")).toEqual([other]);
    expect(await list("?correlation_id=c-1")).toEqual([ids[2]]);
    expect(await list("?correlation_id=c-2&state=running&workflow_id=w")).toEqual(ids.slice(0, 2).toSorted());
    const [third = "", second = "", first = ""] = ids;
    const moments = { [first]: 1, [second]: 2, [third]: 2, [other]: 3 };
    for (const [run_id, created_at] of Object.entries(moments))
      await executor.database.db.updateTable("workflow_run").set({ created_at }).where("run_id", "=", run_id).execute();
    const inOrder: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const { body } = await ask(`GET /runs?limit=1${cursor && `&cursor=${cursor}`}`);
      const { next_cursor, runs } = body as unknown as RunList;
      inOrder.push(...runs.map(({ run_id }) => run_id));
      cursor = next_cursor;
    }
    expect(inOrder).toEqual([other, ...[second, third].toSorted().toReversed(), first]);
    expect(await list("?correlation_id=nobody")).toEqual([]);
    expect(await list("?until=1970-01-01T00:00:00.002Z")).toEqual([first]);
    expect(await list("?since=1970-01-01T00:00:00.003Z")).toEqual([other]);
  });

  test("O7, Q32: runs are found by their requester, by what has not ended, and by the beginning of their id", async () => {
    const { ask, executor } = await start();
    const { body } = await ask("POST /runs", { workflow_id: "w", input: { text: "x" } });
    const options = { runId: "asked", requester: { requester: "U0ALICE0001" }, requesterName: "Alice Carter" };
    await executor.workflows.startRun({ workflow_id: "w", input: { text: "x" } }, options);
    await ask("POST /runs/asked/cancel");
    const found = async (query: string) => {
      const { body: list = {} } = await ask(`GET /runs?${query}`);
      return (list["runs"] as WorkflowRun[]).map(({ run_id }) => run_id);
    };
    for (const person of ["U0ALICE0001", "alice", "Alice%20Carter"])
      expect(await found(`person=${person}`)).toEqual(["asked"]);
    expect(await found("person=bootstrap")).toEqual([body?.["run_id"]]);
    expect(await found("open=true")).toEqual([body?.["run_id"]]);
    expect(await found("open=false&person=carter")).toEqual(["asked"]);
    expect(await found("person=nobody")).toEqual([]);
    const whole = String(body?.["run_id"]);
    for (const length of [4, 8, whole.length]) expect(await found(`id=${whole.slice(0, length)}`)).toEqual([whole]);
    for (const none of ["aske_", "zzzz", `${whole}0`.slice(1)]) expect(await found(`id=${none}`)).toEqual([]);
    const { body: list } = await ask("GET /runs?person=alice");
    expect((list as unknown as RunList).runs).toMatchObject([
      { requester: "U0ALICE0001", names: { U0ALICE0001: "Alice Carter" } },
    ]);
  });

  test("a repeated request with the same key starts one run; a different request with that key is refused", async () => {
    const { ask, executor } = await start({
      tokens: () => ["first-token-of-32-characters-0001"],
      stored: { ...noStoredTokens, find: async () => ({ actor: "token:other", scopes: ["ask"] }) },
    });
    const key = { "idempotency-key": "k 1", authorization: "Bearer first-token-of-32-characters-0001" };
    const request = { workflow_id: "w", input: { text: "x" } };
    const both = await Promise.all([ask("POST /runs", request, key), ask("POST /runs", request, key)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(both[0]?.body?.["run_id"]).toBe(both[1]?.body?.["run_id"]);
    expect(both[0]?.headers.get("location")).toBe(both[1]?.headers.get("location"));
    expect((await ask("POST /runs", { ...request, input: {} }, key)).body).toMatchObject({
      status: 422,
      title: /key/ as unknown as string,
    });
    const others = await ask("POST /runs", request, {
      ...key,
      authorization: "Bearer other-token-of-32-characters-0002",
    });
    expect(others.status).toBe(201);
    expect((await executor.workflows.listRuns({ limit: 10 })).runs).toHaveLength(2);
  });

  test("a run can be canceled once, and only a failed run can be retried", async () => {
    const { ask, executor } = await start();
    let isBroken = true;
    await startFakeAgents(executor, ({ input_data }) => {
      if (input_data === "wait") return undefined;
      if (isBroken) throw new Error("not today");
      return input_data;
    });
    const id = await begin(executor, definition, { text: "x" });
    await ended(executor, id);
    expect(await ask(`POST /runs/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { title: "The run can't be canceled", detail: "The run has already failed." },
    });
    isBroken = false;
    expect(await ask(`POST /runs/${id}/retry`)).toMatchObject({ status: 200, body: { run_id: id, state: "running" } });
    await ended(executor, id);
    expect(await ask(`POST /runs/${id}/retry`)).toMatchObject({
      status: 409,
      body: { title: "The run has not failed" },
    });
    const open = await begin(executor, definition, { text: "wait" });
    const canceled = await ask(`POST /runs/${open}/cancel`);
    expect(canceled).toMatchObject({ status: 200, body: { run_id: open, state: "canceled" } });
    expect(await ask(`POST /runs/${open}/cancel`)).toMatchObject({
      status: 409,
      body: { detail: "The run has already been canceled." },
    });
  });

  test("a retry that would fail the same way is not offered and is rejected, with the reason", async () => {
    const { ask, executor } = await start();
    await startFakeAgents(executor, ({ input_data }) => input_data);
    const id = await begin(
      executor,
      { ...definition, version: "2", output_mapping: "${a.output.nothing}" },
      { text: "x" },
    );
    await ended(executor, id);
    expect((await ask(`GET /runs/${id}`)).body).toMatchObject({ state: "failed", retryable: false });
    expect((await ask("GET /runs")).body).toMatchObject({ runs: [{ run_id: id, retryable: false }] });
    expect(await ask(`POST /runs/${id}/retry`)).toMatchObject({
      status: 409,
      body: {
        title: "The run would fail the same way again",
        detail: "Fix the workflow, store it as a new version, and start a new run.",
      },
    });
  });

  test("values that look like secrets are hidden from people and sent to programs", async () => {
    const { ask, executor } = await start();
    const secret = "hunter2-secret";
    await startFakeAgents(executor, ({ agent_name }) => {
      if (agent_name === "b-agent") throw new Error(`no: Bearer ${secret}`);
      return { password: secret, said: "hello" };
    });
    const id = await begin(executor, definition, { text: "x", api_key: secret });
    await ended(executor, id);
    for (const path of ["/runs", `/runs/${id}`, `/runs/${id}/attempts?path=a`, `/runs/${id}/attempts?path=b`]) {
      const plain = JSON.stringify((await ask(`GET ${path}`)).body);
      const { status, body } = await ask(`GET ${path}${path.includes("?") ? "&" : "?"}redact=true`);
      expect([path, plain.includes(secret), status, JSON.stringify(body).includes(secret)]).toEqual([
        path,
        true,
        200,
        false,
      ]);
    }
    expect((await ask(`GET /runs/${id}?redact=true`)).body).toMatchObject({
      steps: [{ output: { said: "hello" } }, {}],
    });
  });

  test("values that look like secrets in a run's definition are hidden from people, and it remains a valid definition", async () => {
    const { ask, executor } = await start();
    const secret = "hunter2-secret";
    const given = { password: secret, said: `Bearer ${secret}`, to: "${workflow.input.text}" };
    const careless = workflowOf(
      [
        agentStep("token", { input_mapping: given, next_step: "loop" }),
        loopStep("loop", { collection: [given], loop_body: ["body"] }, { next_step: "if" }),
        agentStep("body"),
        {
          id: "if",
          type: "conditional",
          condition: { expression: `workflow.input.text == "Bearer ${secret}"` },
          if_true_step: "then",
        },
        agentStep("then"),
      ],
      { workflow_id: "careless", output_mapping: given },
    );
    const id = await begin(executor, careless, { text: "x" });
    expect(JSON.stringify((await ask(`GET /runs/${id}`)).body)).toContain(secret);
    const { body } = await ask(`GET /runs/${id}?redact=true`);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(isWorkflowRun(body)).toBe(true);
    const { to } = given;
    const { token: asked, loop } = (body as unknown as WorkflowRun).definition.steps;
    expect([asked, loop]).toMatchObject([{ input_mapping: { to } }, { loop_config: { collection: [{ to }] } }]);
  });
});
