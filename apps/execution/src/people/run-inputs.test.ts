// suite: both
import type { AgentStep, AgentTask, HumanStep, InputRequest } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { TaskPaused } from "../agents/agent.ts";
import { openInputs } from "../zone/open-inputs.ts";
import { startFakeBridge } from "../testing/fake-bridge.ts";
import { ballot, newInput, voter } from "../testing/new-input.ts";
import { startExecutor, stepResult } from "../testing/start-executor.ts";
import { createInputKind, createRunInputs, type RunInputsDeps } from "./run-inputs.ts";
import type { InputRecord } from "./input-record.ts";
import type { InputRequests } from "./input-requests.ts";

const soon = { interval: 20 };
const bob = voter("U_BOB");

const human = (more: Partial<HumanStep> = {}): HumanStep => ({
  id: "ok",
  type: "human",
  input: "approve",
  prompt: "Send ${workflow.input.text}?",
  decide: { people: ["U_BOB"] },
  next_step: "send",
  ...more,
});

const send: AgentStep = { id: "send", type: "agent", agent_name: "A", input_mapping: "${ok.output}" };

const { decide, visibility, expiresInMs, executeWithinMs, policy } = newInput();
const terms = { decide, visibility, expiresInMs, executeWithinMs, policy };

/** Starts a process that advances runs and asks people, on a database that others may share. */
async function startPeople(url: string, deps: Partial<RunInputsDeps> = {}, isStarted = true) {
  const late: { requests?: InputRequests } = {};
  const isClosed = async (id: string) => ((await late.requests?.find(id))?.request.state ?? "open") !== "open";
  const executor = await startExecutor(url, { isStarted, isClosed });
  const { database, jobs, codec } = executor;
  const { requests } = openInputs({ database, jobs, retentionMs: 60_000, emit: () => undefined });
  late.requests = requests;
  const taskOf = async () => ({ caller: "verification" });
  const check = (record: InputRecord) => requests.check(record);
  const of = { advancesRuns: isStarted, taskOf, check, termsFor: () => terms };
  const runs = createRunInputs({ runs: executor.workflows, codec, ...of, ...deps });
  const worker = jobs.workOn(createInputKind({ requests, ownerOf: () => runs }));
  worker.start();
  onTestFinished(() => worker.stop(0));
  const open = () => vi.waitUntil(async () => (await requests.list({ state: "open" }, { limit: 9 }))[0], soon);
  return { ...executor, requests, open, worker };
}

type Process = Awaited<ReturnType<typeof startPeople>>;

async function begin({ workflows }: Process, step: Partial<HumanStep> = {}, runId = "run-1"): Promise<string> {
  const steps = { ok: human(step), send };
  const definition = { workflow_id: "pay", name: "Pay", version: "1", start_step: "ok", steps };
  expect(await workflows.createVersion(definition)).toMatchObject({ outcome: "created" });
  const requester = { task_id: "task-1", requester: "U_ALICE", team_id: "T1", channel: "C1", thread_ts: "1.2" };
  const options = { runId, requester, headers: { "data-owner": "team" } };
  expect(await workflows.startRun({ workflow_id: "pay", input: { text: "100 EUR" } }, options)).toMatchObject({
    outcome: "started",
  });
  return runId;
}

async function endOf({ workflows }: Process, runId: string) {
  await workflows.waitForRun(runId);
  return (await workflows.getRun(runId))?.run;
}

const stateOf = async ({ requests }: Process, id: string): Promise<InputRequest["state"] | undefined> =>
  (await requests.find(id))?.request.state;

const jobsOf = ({ database }: Process) =>
  database.db.selectFrom("job").select(["kind", "outcome"]).where("state", "<", jobStates.ended).execute();

onBothEngines("input requests of runs", (newDatabase) => {
  test("a step asks in the name of its requester, and its run goes on with the decision", async () => {
    const process = await startPeople(await newDatabase());
    const { tasks } = await startFakeBridge(process, (one) => stepResult(one, { output_data: one.input_data }));
    const action = { tool: "billing", arguments: { text: "${workflow.input.text}" } };
    const runId = await begin(process, { action, visibility: "private", expires_in_ms: 600_000 });
    const { request_id, created_at, expires_at, action: asked } = await process.open();
    expect(await process.requests.find(request_id)).toMatchObject({
      caller: "verification",
      request: {
        task_id: "task-1",
        run_id: runId,
        step_id: "ok",
        agent: "pay",
        title: "Send 100 EUR?",
        requester: "U_ALICE",
        team_id: "T1",
        channel: "C1",
        thread_ts: "1.2",
        visibility: "private",
        action: { agent: "pay", tool: "billing", arguments: { text: "100 EUR" } },
        decide: { people: ["U_BOB"], groups: [], requester: false, approve: 1, deny: 1 },
      },
    });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(600_000);
    expect(tasks).toEqual([]);
    await process.requests.answer(request_id, ballot(bob, { digest: asked?.digest }));
    const output = { verdict: "approve", by: ["U_BOB"], request_id };
    expect(await endOf(process, runId)).toMatchObject({ state: "succeeded", output });
    expect(await jobsOf(process)).toEqual([]);
  });

  test("a task that sleeps already is woken when the request of its run is there", async () => {
    const process = await startPeople(await newDatabase());
    const { store } = process.jobs;
    const sleeping = { id: "task-1", kind: "task", share: "task", as: "ready", record: "{}" } as const;
    await store.add({ ...sleeping, dueInMs: 3_600_000 });
    await begin(process);
    await process.open();
    const { due_at, created_at } = await process.database.db
      .selectFrom("job")
      .select(["due_at", "created_at"])
      .where("id", "=", "task-1")
      .executeTakeFirstOrThrow();
    expect((due_at ?? 0) - created_at).toBeLessThan(3_600_000);
  });

  test.each<[string, Partial<HumanStep>, Parameters<typeof ballot>[1], object]>([
    ["a denial", {}, { answer: { verdict: "deny", reason: "No." } }, { error: { kind: "input_denied" } }],
    [
      "a denial that the workflow handles",
      { on_denied: "continue" },
      { answer: { verdict: "deny", reason: "No." } },
      { output: { verdict: "deny", reason: "No.", by: ["U_BOB"] } },
    ],
    [
      "a choice",
      { input: "choose", options: [{ value: "a", label: "A" }] },
      { answer: { verdict: "answer", value: "a" } },
      { output: { verdict: "answer", value: "a" } },
    ],
    [
      "a form",
      { input: "form", schema: { type: "object", properties: { n: { type: "integer" } } } },
      { answer: { verdict: "answer", values: { n: 7 } } },
      { output: { values: { n: 7 } } },
    ],
  ])("after %s the run ends with it", async (...[, step, answer, end]) => {
    const process = await startPeople(await newDatabase());
    await startFakeBridge(process, (one) => stepResult(one, { output_data: one.input_data }));
    const runId = await begin(process, step);
    const { request_id } = await process.open();
    await process.requests.answer(request_id, ballot(bob, answer));
    expect(await endOf(process, runId)).toMatchObject(end);
  });

  test("nobody answered in time", async () => {
    const process = await startPeople(await newDatabase(), { termsFor: () => ({ ...terms, expiresInMs: 100 }) });
    const message = 'The step "ok" was not answered in time: No decision was made in time.';
    expect(await endOf(process, await begin(process))).toMatchObject({ state: "failed", error: { message } });
  });

  test.each([
    [
      "names no one who can decide",
      { decide: { requester: true } },
      "run-1",
      "The input request names no eligible approver",
    ],
    ["has an empty title", { prompt: "${workflow.input.text}" }, "run-2", "The input request is invalid: /title"],
  ])("a step that %s fails and says so", async (...[, step, runId, reason]) => {
    const process = await startPeople(await newDatabase());
    const { workflows } = process;
    const steps = { ok: human(step), send };
    await workflows.createVersion({ workflow_id: "pay", name: "Pay", version: "1", start_step: "ok", steps });
    await workflows.startRun({ workflow_id: "pay", input: { text: "" } }, { runId });
    const message = expect.stringContaining(`The step "ok" could not be asked: ${reason}`) as unknown;
    expect(await endOf(process, runId)).toMatchObject({ state: "failed", error: { kind: "input_denied", message } });
  });

  test("a canceled run withdraws its request", async () => {
    const process = await startPeople(await newDatabase());
    const runId = await begin(process);
    const { request_id } = await process.open();
    await process.workflows.cancel(runId);
    await expect.poll(() => stateOf(process, request_id), soon).toBe("withdrawn");
    await expect.poll(() => jobsOf(process), soon).toEqual([]);
  });

  test("a run that goes on without the decision withdraws its request, too", async () => {
    const process = await startPeople(await newDatabase());
    const { workflows } = process;
    const branches = { people: { steps: ["ok"] }, agent: { steps: ["quick"] } };
    const first = { id: "first", type: "fork_join", fork_join_config: { branches, join_policy: "any" } } as const;
    const quick = { ...send, id: "quick", input_mapping: 1 };
    const steps = { first: { ...first, next_step: "send" }, ok: human({ next_step: null }), quick };
    const definition = { workflow_id: "race", name: "Race", version: "1", start_step: "first" };
    await workflows.createVersion({ ...definition, steps: { ...steps, send: { ...send, input_mapping: 2 } } });
    await process.requests.follow("verification");
    await workflows.startRun({ workflow_id: "race", input: { text: "1" } }, { runId: "run-1" });
    const { request_id } = await process.open();
    const { publish, tasks } = await startFakeBridge(process);
    await vi.waitUntil(() => tasks[0], soon);
    await publish(stepResult(tasks[0] as AgentTask, { output_data: 1 }));
    await expect.poll(() => stateOf(process, request_id), soon).toBe("withdrawn");
    expect((await workflows.getRun("run-1"))?.run.state).toBe("running");
  });

  test("a process that advances no runs takes the decision, and another one that starts later goes on", async () => {
    const url = await newDatabase();
    const asking = await startPeople(url, {}, false);
    const runId = await begin(asking);
    const { request_id } = await asking.open();
    await asking.requests.answer(request_id, ballot(bob));
    await expect.poll(async () => (await jobsOf(asking)).map(({ kind }) => kind), soon).toEqual(["agent_result"]);
    const advancing = await startPeople(url);
    await startFakeBridge(advancing, (one) => stepResult(one, { output_data: one.input_data }));
    expect(await endOf(advancing, runId)).toMatchObject({ state: "succeeded", output: { by: ["U_BOB"] } });
  });

  test("the task of a run waits for its request, and after the decision for the run", async () => {
    const url = await newDatabase();
    const process = await startPeople(url);
    await startFakeBridge(process, (one) => stepResult(one, { output_data: "Sent." }));
    const run_id = await begin(process);
    const { request_id } = await process.open();
    const agent = await process.agents.find("pay");
    const run = async () => {
      const context = {
        signal: new AbortController().signal,
        now: () => new Date(),
        readFile: async () => Buffer.of(),
      };
      const place = { text: '{"text":"100 EUR"}', thread: [], attachments: [] };
      return agent?.run({ task_id: run_id, correlation_id: "c", ...place }, context);
    };
    const paused = await run()?.catch((error: unknown) => error);
    expect(paused).toBeInstanceOf(TaskPaused);
    expect(paused).toMatchObject({ awaited: [{ waits_for: request_id }], continuation: null });
    // Woken by the decision, the task can be sooner than the run.
    await process.worker.stop(0);
    await process.requests.answer(request_id, ballot(bob));
    const answered = run();
    const [first] = await Promise.allSettled([answered, startPeople(url)]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(await answered).toMatchObject({ response_text: "Sent." });
  });
});
