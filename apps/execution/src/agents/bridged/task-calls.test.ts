// suite: both
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { AgentTask, ZoneError } from "@crosszone/contracts";
import { callId, type CallIntake } from "@crosszone/agent-calls";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { agentResult, startFakeBridge } from "../../testing/fake-bridge.ts";
import { endTask, leasedTask, newVault } from "../../testing/new-task.ts";
import { openProcess, type TestProcess } from "../../testing/start-executor.ts";
import { createTaskCalls, taskHeaders } from "./task-calls.ts";
import { createCallPreviews } from "./call-previews.ts";

const taskWith = (task_id: string = randomUUID()): AgentTask => ({
  run_id: task_id,
  task_id,
  agent_name: "A",
  input_data: { text: "hi" },
  correlation_id: "c-1",
});
const forever = new AbortController().signal;
const jobsOf = ({ database }: TestProcess) => database.db.selectFrom("job").selectAll();

onBothEngines("calls of agents for tasks", (newDatabase) => {
  test("a call is stored once, however often it is requested, with its team and span; all callers get the result", async () => {
    const url = await newDatabase();
    const [one, other] = [await openProcess(url), await openProcess(url)];
    const task = taskWith();
    const about = { headers: taskHeaders({ team: "digest", traceparent: "00-1-2-01" }) };
    const answers = [one, other].map(({ calls }) => calls.call(task, forever, about));
    const { tasks } = await startFakeBridge(other, ({ task_id }) => agentResult(task_id));
    expect(await Promise.all(answers)).toEqual([agentResult(task.task_id), agentResult(task.task_id)]);
    const headers = { "reply-to": "execution", "data-owner": "digest", traceparent: "00-1-2-01" };
    expect(tasks).toEqual([{ ...task, headers }]);
    expect(await jobsOf(one).execute()).toMatchObject([{ parent: task.task_id, team: "digest", outcome: "succeeded" }]);
  });

  test("the end of a task's own call is committed together with the end of the task", async () => {
    const commits: number[] = [];
    const onCommit = ({ jobs }: { readonly jobs: number }): void => void commits.push(jobs);
    const process = await openProcess(await newDatabase(), { onCommit });
    const leased = await leasedTask(process.store);
    const task = taskWith(leased.task.task_id);
    await startFakeBridge(process, ({ task_id }) => agentResult(task_id));
    await process.calls.call(task, forever);
    await endTask(process, leased);
    expect(commits).toEqual([1, 1, 2]);
    await expect.poll(() => jobsOf(process).where("state", "=", 4).execute()).toHaveLength(2);
  });

  test("an unwanted call is canceled once, in any process; a released one is not", async () => {
    const url = await newDatabase();
    const [one, other] = [await openProcess(url), await openProcess(url)];
    const { tasks, cancellations } = await startFakeBridge(other);
    const [task, left] = [taskWith(), taskWith()];
    const [unwanted, stopped] = [new AbortController(), new AbortController()];
    const { ZoneError } = await import("@crosszone/contracts");
    const asked = [one.calls.call(task, unwanted.signal), one.calls.call(left, stopped.signal)];
    const settled = Promise.allSettled(asked);
    await vi.waitFor(() => expect(tasks).toHaveLength(2));
    unwanted.abort(new ZoneError("canceled"));
    stopped.abort(new ZoneError("shutting_down"));
    expect(await settled).toMatchObject([{ reason: { kind: "canceled" } }, { reason: { kind: "shutting_down" } }]);
    other.calls.cancel(task, "canceled");
    await Promise.all([one.calls.stop(), other.calls.stop()]);
    await vi.waitFor(() => expect(cancellations.map(({ task_id }) => task_id)).toEqual([task.task_id]));
    const open = jobsOf(one).where("state", "<", 4).execute();
    expect((await open).map(({ id }) => id)).toEqual([callId(left)]);
  });

  test("a call that a power loss removed from the database is stored again", async () => {
    const process = await openProcess(await newDatabase());
    const task = taskWith();
    const answer = process.calls.call(task, forever);
    await expect.poll(() => jobsOf(process).execute()).toHaveLength(1);
    await process.database.db.deleteFrom("job").execute();
    await startFakeBridge(process, ({ task_id }) => agentResult(task_id));
    expect(await answer).toEqual(agentResult(task.task_id));
  });

  test("O31: results are sealed with keys; a result whose key another process has is no failure, and blocks no other", async () => {
    const url = await newDatabase();
    const [old, late] = [newVault("old"), newVault("new")];
    const [one, other] = [await openProcess(url, { vault: old }), await openProcess(url, { vault: late })];
    const [task, readable] = [taskWith(), taskWith()];
    const secret = { output_data: "only the asker reads this" };
    const first = await startFakeBridge(one, ({ task_id }) => agentResult(task_id, secret));
    expect(await one.calls.call(task, forever)).toMatchObject(secret);
    expect(first.tasks).toHaveLength(1);
    await expect.poll(() => jobsOf(one).where("state", "=", 4).execute()).toHaveLength(1);
    expect(JSON.stringify(await jobsOf(one).execute())).not.toContain("only the");
    await other.jobs.store.add({
      ...(await other.intake.enter({ task: readable, headers: {}, deadlineMs: 1_000 })).job,
      as: "waiting",
    });
    const result = agentResult(readable.task_id);
    const output = other.codec.toColumn(result, `agent_call output ${callId(readable)}`);
    await other.jobs.store.endOpen(callId(readable), { outcome: "succeeded", output });
    const found = (id: AgentTask) => other.calls.call(id, forever);
    await expect(found(task)).rejects.toMatchObject({ reason: "unknown_key" });
    expect(await found(readable)).toEqual(result);
  });
});

test.each([
  ["waits for Kafka", "waiting", "no result of the agent came over Kafka"],
  ["waits for a place", "ready", "the call of the agent waited for a free place"],
  ["is with a bridge, which says itself who was slow", "leased", undefined],
] as const)("O14: the fault of a call that %s at its deadline is ours", async (_, as, problem) => {
  const { jobs, intake } = await openProcess("sqlite::memory:");
  const cancel = vi.fn<CallIntake["cancel"]>(intake.cancel);
  const enter: CallIntake["enter"] = async (call) => {
    const arrival = await intake.enter(call);
    return { ...arrival, job: { ...arrival.job, as } };
  };
  const deps = { intake: { enter, cancel }, jobs, vault: undefined, deadlineMs: 10, onFailure: () => undefined };
  const calls = createTaskCalls(deps);
  const ended = calls.call(taskWith(), forever).catch((error: unknown) => error);
  const end = await Promise.race([ended, setTimeout(problem === undefined ? 1_000 : 30_000)]);
  await calls.stop();
  expect(cancel).toHaveBeenCalledTimes(problem === undefined ? 0 : 1);
  const { kind, data } = (end ?? {}) as Partial<ZoneError>;
  expect([kind, data?.problems?.[0]?.message]).toEqual([problem && "zone_unavailable", problem]);
});

test("during a database outage a call is stored once the database returns; other errors end the wait", async () => {
  const lost = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  const { jobs, intake } = await openProcess("sqlite::memory:");
  vi.spyOn(jobs.store, "add").mockRejectedValueOnce(lost).mockRejectedValueOnce(new TypeError("broken"));
  const settle = vi.fn<(isStored: boolean) => void>();
  const entering: CallIntake = { ...intake, enter: async (call) => ({ ...(await intake.enter(call)), settle }) };
  const onFailure = (): void => undefined;
  const { call } = createTaskCalls({ intake: entering, jobs, vault: undefined, deadlineMs: 1_000, onFailure });
  await expect(call(taskWith(), forever)).rejects.toThrow("broken");
  expect(settle.mock.calls).toEqual([[false], [false]]);
});

const artifacts = [{ parts: [{ kind: "text", text: "One" }] }];
const watched = () => {
  const shown: string[] = [];
  const preview = {
    text: (delta: string) => void shown.push(delta),
    progress: ({ text = "" }) => void shown.push(text),
    showsProgress: () => undefined,
  };
  return { shown, preview };
};

test("a task gets the stream of its own call, and not of a workflow step or another task", () => {
  const { open, show } = createCallPreviews();
  const { shown, preview } = watched();
  const close = open("t1", preview);
  show({ run_id: "run-1", task_id: "t1" }, artifacts);
  show({ run_id: "t2", task_id: "t2" }, artifacts);
  expect(shown).toEqual([]);
  show({ run_id: "t1", task_id: "t1" }, artifacts);
  expect(shown).toEqual(["One"]);
  close();
  show({ run_id: "t1", task_id: "t1" }, [...artifacts, ...artifacts]);
  expect(shown).toEqual(["One"]);
});

test("a task gets the progress of its own call, with the revision that is stored", () => {
  const { open, showProgress } = createCallPreviews();
  const progress = vi.fn<(progress: object) => void>();
  open("t1", { ...watched().preview, progress });
  showProgress({ run_id: "run-1", task_id: "t1" }, { revision: 6, text: "a step" });
  showProgress({ run_id: "t1", task_id: "t1" }, { revision: 7, text: "halfway" });
  expect(progress.mock.calls).toEqual([[{ revision: 7, text: "halfway", steps: [] }]]);
});

test("a run that ends late leaves the preview of the task's next run open", () => {
  const { open, show } = createCallPreviews();
  const [first, second] = [watched(), watched()];
  const closeFirst = open("t1", first.preview);
  open("t1", second.preview);
  closeFirst();
  show({ run_id: "t1", task_id: "t1" }, artifacts);
  expect([first.shown, second.shown]).toEqual([[], ["One"]]);
});
