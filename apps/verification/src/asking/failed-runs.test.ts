import { ZoneError, type FailedRun } from "@crosszone/contracts";
import { beforeEach, expect, test } from "vitest";
import { ReleasedError } from "../inbox/record-ends.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { LeasedRecord, Question } from "../inbox/records.ts";
import { createZoneLink } from "../link/zone-link.ts";
import type { Denial } from "../policy/denials.ts";
import { createTestInbox, openInbox, takeOne, openTestDatabase, questionRecord } from "../testing/test-inbox.ts";
import { createFakeSlack, identity, type FakeSlack } from "../testing/fake-slack.ts";
import { createScriptedZone, failing, type ScriptedZone } from "../testing/scripted-zone.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { QuestionTasks } from "../inbox/running-tasks.ts";
import { watchFailedRun, workOnFailedRun } from "./failed-runs.ts";

const task_id = "task-12345678";
const failed_run: FailedRun = { workflow: "report", reason: "agent_failed", step: "Write" };
/** The error of a run whose progress has this revision. */
const failure = (revision: number): ZoneError =>
  new ZoneError("agent_failed", { agent: "writer", task_id, failed_run, progress: { revision, steps: [] } });

const day = 86_400_000;
let slack: FakeSlack;
let zone: ScriptedZone;
let inbox: Inbox;
let now: number;
let judged: { readonly denial?: Denial; readonly cause?: unknown };

beforeEach(async () => {
  slack = createFakeSlack();
  zone = createScriptedZone();
  inbox = createTestInbox(await openTestDatabase(), { most: 5 });
  await openInbox(inbox);
  [now, judged] = [1_000_000, {}];
});

const watch = (record: Question, error: unknown): Promise<void> => watchFailedRun(inbox, record, { error, now });

const taken = (): Promise<LeasedRecord<"failed_run"> | undefined> => takeOne(inbox, "failed_run");

/** Works on a record once. Resolves with the pause until the next look, if it waits. */
async function work(leased: LeasedRecord<"failed_run"> | undefined): Promise<number | undefined> {
  if (leased === undefined) throw new Error("no failed run is watched");
  const policies = { onRetry: async () => ({ verdicts: [], durationMs: 0, ...judged }) };
  const clock = { now: () => now, sleep: async () => undefined };
  const limits = { ...wideLimits, EXECUTION_RETRY_BUDGET_MS: 0 };
  const policy = { current: () => closedPolicy };
  const zoneContext = { clock, limits, policy, emit: () => undefined };
  const own: Partial<Record<keyof WorkspaceContext, unknown>> = { slack, identity, policies, ...zoneContext };
  const link = createZoneLink(zone.zone, { limits, clock });
  const desk = { workspace: own as WorkspaceContext, inbox, link, running: new QuestionTasks() };
  return workOnFailedRun(desk, leased, new AbortController().signal).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ReleasedError) return error.afterMs;
      throw error;
    },
  );
}

const fails = (revision: number) => (): never => {
  throw failure(revision);
};
const texts = (): string[] => slack.answers().map(({ text }) => text);

test("an unretried run is checked less and less often, and not at all after a day", async () => {
  await watch(questionRecord(), failure(7));
  const leased = await taken();
  zone.on("get_async_task_result", fails(7));
  expect(await work(leased)).toBe(5_000);
  now += 3_600_000;
  expect(await work(leased)).toBe(180_000);
  now += day / 2;
  expect(await work(leased)).toBe(300_000);
  now += day / 2;
  expect(await work(leased)).toBeUndefined();
  expect(texts()).toEqual([]);
});

test("Q22: a run that has not changed is asked about by its revision, and no call fails; a new failure is its own", async () => {
  await watch(questionRecord(), failure(7));
  const leased = await taken();
  zone.on("get_run_change", ({ seen_revision }) => ({ changed: seen_revision < 7 }));
  zone.on("get_async_task_result", fails(8));
  expect(await work(leased)).toBe(5_000);
  expect(await work(leased)).toBe(5_000);
  expect(zone.params("get_run_change")).toEqual([1, 2].map(() => ({ task_id, seen_revision: 7 })));
  expect(zone.of("get_async_task_result")).toEqual([]);
  zone.on("get_run_change", () => ({ changed: true }));
  expect(await work(leased)).toBeUndefined();
  expect((await taken())?.record.seen).toBe(8);
});

test("Q22: execution of an earlier release is asked for the result, and a deleted task ends the watch", async () => {
  await watch(questionRecord(), failure(7));
  const leased = await taken();
  zone.on("get_run_change", failing("method_not_found"));
  zone.on("get_async_task_result", fails(7));
  expect(await work(leased)).toBe(5_000);
  zone.on("get_run_change", failing("task_not_found", { task_id }));
  expect(await work(leased)).toBeUndefined();
  expect(zone.of("get_async_task_result")).toHaveLength(1);
});

test("the result of a retried run appears in its thread once, however often it is delivered", async () => {
  await watch(questionRecord({ thread_ts: "5.0" }), failure(7));
  const leased = await taken();
  zone.on("get_async_task_result", () => ({ status: "working", task_id }));
  expect(await work(leased)).toBe(2_000);
  zone.on("get_async_task_result", () => ({ status: "success", task_id, response_text: "All done." }));
  expect(await work(leased)).toBeUndefined();
  expect(texts()).toEqual(["**Retried:** All done."]);
  const answer = { state: "done" as const, parts: ["**Retried:** All done."] };
  if (leased !== undefined) await work({ ...leased, attempt: 2, progress: { answer } });
  expect(slack.answers("5.0")).toHaveLength(1);
});

test("each failure is watched once, in any number; waiting runs fill no inbox and hold up no other thread or run", async () => {
  const question = questionRecord({ thread_ts: "9.0" });
  await watch(question, failure(7));
  await watch(question, failure(7));
  for (let revision = 8; revision < 18; revision += 1) await watch(question, failure(revision));
  expect(await inbox.load()).toMatchObject({ waiting: 0, oldestMs: 0 });
  expect(await inbox.accept(questionRecord({ thread_ts: "9.0" }))).toBe("accepted");
  const all = [];
  for (let one = await taken(); one !== undefined; one = await taken()) all.push(one.record.seen);
  expect(all.toSorted((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
});

test("a person whom the policy no longer allows gets no result, and a task that is deleted ends the watch", async () => {
  zone.on("get_async_task_result", () => ({ status: "success", task_id, response_text: "All done." }));
  judged = { denial: { reason: "guest" } };
  await watch(questionRecord(), failure(7));
  expect(await work(await taken())).toBeUndefined();
  zone.on("get_async_task_result", failing("task_not_found", { task_id }));
  await watch(questionRecord(), failure(8));
  expect(await work(await taken())).toBeUndefined();
  expect(texts()).toEqual([]);
});

test("a result waits while Slack cannot say whether its requester may read it", async () => {
  await watch(questionRecord(), failure(7));
  zone.on("get_async_task_result", () => ({ status: "success", task_id, response_text: "All done." }));
  const cause = new Error("team.info: ratelimited");
  judged = { denial: { reason: "check_failed" }, cause };
  const leased = await taken();
  await expect(work(leased)).rejects.toBe(cause);
  expect(texts()).toEqual([]);
  judged = {};
  await work(leased);
  expect(texts()).toEqual(["**Retried:** All done."]);
});

test("an execution zone that cannot be reached is asked again later", async () => {
  zone.on("get_async_task_result", failing("shutting_down"));
  await watch(questionRecord(), failure(7));
  expect(await work(await taken())).toBe(5_000);
});
