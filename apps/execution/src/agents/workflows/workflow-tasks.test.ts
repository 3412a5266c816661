// suite: both
import type { InputRequest, JsonRpcResponse, TaskProgress } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { startFakeBridge } from "../../testing/fake-bridge.ts";
import { startExecutor, stepResult, storeWorkflow } from "../../testing/start-executor.ts";
import { echo, startZone, task } from "../../testing/start-zone.ts";

/** Starts a whole zone with workflows, on a database that others may share. */
async function startProcess(url: string, syncWindowMs = 1) {
  const executor = await startExecutor(url);
  const limits = { syncWindowMs, maxWaitMs: 60_000, taskDeadlineMs: 60_000 };
  const zone = await startZone([echo], { database: url, env: { EXECUTION_ROLES: "rpc,workflow" }, ...limits });
  return { ...executor, zone };
}

type Zone = Awaited<ReturnType<typeof startZone>>;

const resultOf = (answer: JsonRpcResponse): Record<string, unknown> =>
  "result" in answer ? (answer.result as Record<string, unknown>) : { ...answer };

async function accepted(zone: Zone): Promise<string> {
  const { status, task_id } = resultOf(await zone.call("execute_task", task({ agent: "publish" })));
  expect(status).toBe("accepted");
  return task_id as string;
}

async function poll(zone: Zone, task_id: string, params: object = {}): Promise<Record<string, unknown>> {
  return resultOf(await zone.call("get_async_task_result", { task_id, wait_ms: 60_000, ...params }));
}

/** Polls until the task has ended. A poll without a seen revision returns after a quarter of a second. */
async function ended(zone: Zone, task_id: string): Promise<Record<string, unknown>> {
  return vi.waitUntil(async () => {
    const answer = await poll(zone, task_id);
    return !["working", "input_required"].includes(answer["status"] as string) && answer;
  });
}

const inWords = ({ progress }: Record<string, unknown>): string[] =>
  (progress as TaskProgress).steps.map(({ title, state }) => `${title} ${state}`);
const revisionOf = ({ progress }: Record<string, unknown>): number => (progress as TaskProgress).revision;

onBothEngines("tasks of workflows", (newDatabase) => {
  test("injected words reached an agent with side effects through a workflow that was not marked", async () => {
    const marks: Record<string, { side_effects?: boolean }> = { A: {}, B: { side_effects: false } };
    const executor = await startExecutor(await newDatabase(), { findAgent: async (name) => marks[name] });
    await storeWorkflow(executor);
    const describe = async () => (await executor.agents.find("publish"))?.describe?.();
    expect(await describe()).toMatchObject({ sideEffects: false });
    // The mark of an agent may change after the workflow was stored, and an unknown agent may change anything.
    marks["B"] = { side_effects: true };
    expect(await describe()).toMatchObject({ sideEffects: true });
    delete marks["B"];
    expect(await describe()).toMatchObject({ sideEffects: true });
    marks["B"] = {};
    await storeWorkflow(executor, { side_effects: true, version: "2.0.0" });
    expect(await describe()).toMatchObject({ sideEffects: true });
  });

  test("Z8: a task is accepted at once; each poll at any process shows its steps, the last poll its answer", async () => {
    const url = await newDatabase();
    const [runs, asked] = [await startProcess(url, 600_000), await startProcess(url)];
    await storeWorkflow(runs);
    const { tasks, publish } = await startFakeBridge(runs);
    const task_id = await accepted(runs.zone);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    const first = await poll(asked.zone, task_id, { seen_progress: 0 });
    expect(inWords(first)).toEqual(["Ask A running", "Ask B pending"]);
    const next = poll(asked.zone, task_id, { seen_progress: revisionOf(first) });
    for (const one of tasks.slice(0, 1)) await publish(stepResult(one, { output_data: "from A" }));
    const second = await next;
    expect(inWords(second)).toEqual(["Ask A succeeded", "Ask B running"]);
    expect(revisionOf(second)).toBeGreaterThan(revisionOf(first));
    const last = poll(asked.zone, task_id, { seen_progress: revisionOf(second) });
    await vi.waitFor(() => expect(tasks).toHaveLength(2));
    for (const one of tasks.slice(1))
      await publish(stepResult(one, { output_data: `B had ${String(one.input_data)}` }));
    expect(await last).toMatchObject({ status: "success", response_text: "B had from A", agent: "publish" });
    expect(inWords(await poll(asked.zone, task_id))).toEqual(["Ask A succeeded", "Ask B succeeded"]);
  });

  test("the deadline of a task does not pass while its run waits, and an event wakes the task", async () => {
    const limits = { syncWindowMs: 1, maxWaitMs: 60_000, taskDeadlineMs: 1_500 };
    const env = { EXECUTION_ROLES: "rpc,workflow" };
    const zone = await startZone([echo], { database: await newDatabase(), env, ...limits });
    const { workflows } = zone.roles;
    const event = { name: "paid", key: "4711" } as const;
    const wait = { id: "w", type: "wait", event } as const;
    const inner = { workflow_id: "inner", name: "Inner", version: "1", start_step: "w", steps: { w: wait } };
    const sub = { id: "sub", type: "workflow", workflow: "inner" } as const;
    await workflows.createVersion(inner);
    await workflows.createVersion({ ...inner, workflow_id: "publish", start_step: "sub", steps: { sub } });
    const task_id = await accepted(zone);
    const job = zone.database.db.selectFrom("job").select("state").where("id", "=", task_id);
    await expect.poll(async () => (await job.executeTakeFirst())?.state).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const asleep = await poll(zone, task_id);
    expect(asleep).toMatchObject({ status: "input_required", input_requests: [], agent: "publish" });
    expect(asleep["resumes_at"]).toBeUndefined();
    await workflows.publish({ ...event, payload: { sum: 3 } });
    expect(await ended(zone, task_id)).toMatchObject({ status: "success" });
  });

  test("a task sleeps until the next time of its run and those in it, unless one of their steps works", async () => {
    const executor = await startProcess(await newDatabase());
    const { tasks, publish } = await startFakeBridge(executor);
    const { zone, workflows } = executor;
    const wait = (id: string, until: string) => ({ id, type: "wait", until }) as const;
    const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const [sooner, later] = [inDays(180), inDays(210)];
    const call = { id: "call", type: "agent", agent_name: "A", input_mapping: {}, next_step: "inside" } as const;
    const inner = { workflow_id: "inner", name: "Inner", version: "1", start_step: "call" };
    await workflows.createVersion({ ...inner, steps: { call, inside: wait("inside", sooner) } });
    const both = { id: "both", type: "parallel", parallel_steps: ["sub", "own"] } as const;
    const steps = { both, sub: { id: "sub", type: "workflow", workflow: "inner" } as const, own: wait("own", later) };
    await workflows.createVersion({ ...inner, workflow_id: "publish", start_step: "both", steps });
    const task_id = await accepted(zone);
    await vi.waitFor(() => expect(tasks).toHaveLength(1));
    expect(await poll(zone, task_id)).toMatchObject({ status: "working" });
    for (const one of tasks) await publish(stepResult(one, {}));
    const asleep = { status: "input_required", input_requests: [], resumes_at: sooner };
    await vi.waitFor(async () => expect(await poll(zone, task_id)).toMatchObject(asleep));
  });

  test("Q24: a run that fails because an agent refuses has the agent's own words", async () => {
    const process = await startProcess(await newDatabase());
    await storeWorkflow(process);
    const data = { agent_says: "I only read English." };
    const error = { kind: "task_rejected", message: "The agent rejected the task.", retryable: false, data } as const;
    const failed = { status: "FAILURE", output_data: null, error_message: error.message, error } as const;
    await startFakeBridge(process, (one) => stepResult(one, failed));
    const { error: told } = await ended(process.zone, await accepted(process.zone));
    expect(told).toMatchObject({ data: { kind: "agent_failed", agent: "A", ...data } });
  });

  test("Q22: a failed run that an operator retries is working again at every process, and then has its new result", async () => {
    const url = await newDatabase();
    const [runs, asked] = [await startProcess(url), await startProcess(url)];
    await storeWorkflow(runs);
    let isDown = true;
    const { tasks, publish } = await startFakeBridge(runs, (one) =>
      isDown ? stepResult(one, { status: "FAILURE", output_data: null, error_message: "down" }) : undefined,
    );
    const task_id = await accepted(runs.zone);
    const failed = await ended(asked.zone, task_id);
    expect(failed).toMatchObject({ error: { data: { failed_run: { workflow: "publish" } } } });
    expect((await poll(asked.zone, task_id))["error"]).toMatchObject({ data: { kind: "agent_failed" } });
    const revisionAt = ({ error }: Record<string, unknown>): number =>
      (error as { data: { progress: TaskProgress } }).data.progress.revision;
    const hasChanged = async (seen_revision: number): Promise<unknown> =>
      resultOf(await asked.zone.call("get_run_change", { task_id, seen_revision }));
    expect(await hasChanged(revisionAt(failed))).toEqual({ changed: false });
    await runs.workflows.retry(task_id);
    await runs.workflows.waitForRun(task_id);
    expect(await hasChanged(revisionAt(failed))).toEqual({ changed: true });
    const again = await poll(asked.zone, task_id);
    expect(await hasChanged(revisionAt(again))).toEqual({ changed: false });
    expect(revisionAt(again)).toBeGreaterThan(revisionAt(failed));
    isDown = false;
    const before = tasks.length;
    await runs.workflows.retry(task_id);
    expect(await poll(asked.zone, task_id)).toEqual({ status: "working", task_id });
    for (const text of ["from A", "from B"]) {
      await vi.waitFor(() => expect(tasks.length).toBe(before + (text === "from A" ? 1 : 2)));
      const last = tasks.at(-1);
      if (last !== undefined) await publish(stepResult(last, { output_data: text }));
    }
    await runs.workflows.waitForRun(task_id);
    for (const { zone } of [asked, runs, asked])
      expect(await poll(zone, task_id)).toMatchObject({ status: "success", response_text: "from B", agent: "publish" });
  });

  test("a task waits for the people of its run, in each step anew, and then has the answer", async () => {
    const url = await newDatabase();
    const [runs, asked] = [await startProcess(url), await startProcess(url)];
    const ask = { type: "human", input: "approve", prompt: "Now?" } as const;
    const a = { ...ask, id: "a", next_step: "b", decide: { people: ["U_BOB"] } };
    const steps = { a, b: { ...ask, id: "b", decide: { requester: true } } };
    const output_mapping = "${a.output.by} ${b.output.by}";
    await storeWorkflow(runs, { start_step: "a", steps, output_mapping });
    const params = task({ agent: "publish", user_id: "U_ALICE", channel: "C1" });
    const { task_id } = resultOf(await runs.zone.call("execute_task", params)) as { task_id: string };
    for (const [step_id, user_id] of [
      ["a", "U_BOB"],
      ["b", "U_ALICE"],
    ]) {
      const waiting = await vi.waitUntil(async () => {
        const answer = await poll(asked.zone, task_id);
        const [request] = (answer["input_requests"] ?? []) as InputRequest[];
        return request !== undefined && request.step_id === step_id && { ...answer, request };
      });
      expect(waiting).toMatchObject({
        status: "input_required",
        request: { task_id, requester: "U_ALICE", channel: "C1" },
      });
      const { request_id } = waiting.request;
      const given = { request_id, answer: { verdict: "approve" }, by: { user_id, groups: [] } };
      expect(resultOf(await asked.zone.call("answer_input", given))).toMatchObject({ outcome: "decided" });
    }
    const last = await vi.waitUntil(async () => {
      const answer = await poll(asked.zone, task_id);
      return answer["status"] === "success" && answer;
    });
    expect(last).toMatchObject({ response_text: '["U_BOB"] ["U_ALICE"]' });
  });

  test("of many steps the first fifty are shown, with the number of the others", async () => {
    const { zone, ...executor } = await startProcess(await newDatabase());
    await storeWorkflow(
      executor,
      {},
      Array.from({ length: 53 }, (_, at) => `S${at}`),
    );
    const { steps, more } = (await poll(zone, await accepted(zone)))["progress"] as TaskProgress;
    expect([steps.length, steps.at(-1)?.id, more]).toEqual([50, "s49", 3]);
  });

  test("E2: a failed step is the task's error; an unknown name is an unknown agent, and agents precede workflows", async () => {
    const process = await startProcess(await newDatabase());
    const { zone, ...executor } = process;
    const input_schema = { type: "object", required: ["text"] };
    await storeWorkflow({ ...executor }, { input_schema });
    await storeWorkflow({ ...executor }, { workflow_id: "echo" });
    const failed = { status: "FAILURE", output_data: null, error_message: "no" } as const;
    await startFakeBridge(process, (one) => stepResult(one, failed));
    expect(await poll(zone, await accepted(zone), { seen_progress: 1_000 })).toMatchObject({
      error: {
        code: -32011,
        data: {
          kind: "agent_failed",
          agent: "A",
          failed_run: { workflow: "publish", step: "Ask A", reason: "agent_failed" },
          progress: { steps: [{ state: "failed" }, { state: "skipped" }] },
        },
      },
    });
    expect(await zone.call("execute_task", task({ agent: "publis" }))).toMatchObject({
      error: { code: -32000, data: { kind: "unknown_agent" } },
    });
    const asked = resultOf(await zone.call("execute_task", task({ agent: "echo" })));
    expect(await poll(zone, asked["task_id"] as string)).toMatchObject({ agent: "echo", response_text: "hello" });
    const { agents } = resultOf(await zone.call("list_agents", {})) as { agents: object[] };
    expect(agents).toMatchObject([
      { name: "publish", kind: "workflow", description: "Publish", input_schema },
      { name: "echo" },
    ]);
  });
});
