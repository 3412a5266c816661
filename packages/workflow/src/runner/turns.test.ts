// suite: both
import { randomUUID } from "node:crypto";
import type { Database } from "@crosszone/sql";
import { onBothEngines, newPostgresDatabase, testOnPostgres } from "@crosszone/testkit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { type ExecutorTables, openWorkflowDatabase, addRuns, runRow } from "../testing/new-executor.ts";
import { begin, ended, openExecutor, soon } from "../testing/executors-under-test.ts";
import { startFakeAgents } from "../testing/fake-agents.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import type { ApplyEvent } from "./apply-event.ts";
import { createRetryEvent, createTimer } from "./run-timer.ts";

const time = { type: "time_passed" } as const;
const result = {
  run_id: "run-1",
  task_id: "run-1.ask.1",
  correlation_id: "c-1",
  status: "SUCCESS",
  output_data: "done",
  error_message: null,
  timestamp: "2026-01-01T00:00:00Z",
} as const;
const answered = { type: "result_received", result } as const;

onBothEngines("retried turns", (newDatabase) => {
  async function oneRun(): Promise<Database<ExecutorTables>> {
    const database = await openWorkflowDatabase(await newDatabase());
    onTestFinished(() => database.close());
    await addRuns(database, [runRow({ run_id: "run-1" })]);
    return database;
  }

  /** A process that retries turns. With `isDead`, the other processes consider it crashed. */
  function newProcess(database: Database<ExecutorTables>, { isDead = false } = {}) {
    const happened: string[] = [];
    const apply: ApplyEvent = async (_runId, { type }) => {
      happened.push(type);
      return isDead ? new Promise(() => undefined) : undefined;
    };
    return { happened, again: createRetryEvent(database, apply) };
  }

  async function die(database: Database<ExecutorTables>, event: typeof time | typeof answered): Promise<void> {
    const { happened, again } = newProcess(database, { isDead: true });
    void again("run-1", event);
    await expect.poll(() => happened.length).toBe(1);
  }

  test("I8: a turn that repeatedly ended its process is not retried: the run fails, and the result is kept", async () => {
    const database = await oneRun();
    await die(database, answered);
    await die(database, answered);
    const { happened, again } = newProcess(database);
    await again("run-1", answered);
    await again("run-1", answered);
    expect(happened).toEqual(["given_up", "result_received"]);
  });

  test("I8: a turn that ended is not counted, whether it succeeded or failed", async () => {
    const database = await oneRun();
    let turns = 0;
    const apply: ApplyEvent = async (_runId, { type }) => {
      expect(type).toBe("result_received");
      turns += 1;
      if (turns % 2 === 0) throw new Error("lost");
      return undefined;
    };
    const again = createRetryEvent(database, apply);
    for (let turn = 0; turn < 6; turn += 1) await again("run-1", answered).catch(() => undefined);
    expect(turns).toBe(6);
  });

  test("one process at a time handles an overdue run's timer, and a result for a deleted run is consumed", async () => {
    const database = await oneRun();
    await die(database, time);
    const { happened, again } = newProcess(database);
    await again("run-1", time);
    await again("run-2", answered);
    expect(happened).toEqual(["result_received"]);
  });
});

onBothEngines("run timers", (newDatabase) => {
  test("B10: many unreachable runs are not polled without a pause", async () => {
    const database = await openWorkflowDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const rows = Array.from({ length: 300 }, () => runRow({ run_id: randomUUID(), due_at: 1 }));
    await addRuns(database, rows);
    const looks = Promise.withResolvers<number>();
    const began = performance.now();
    let told = 0;
    const apply = async (): Promise<never> => {
      told += 1;
      if (told === 2000) looks.resolve(performance.now() - began);
      throw Object.assign(new Error("lost"), { code: "57P01" });
    };
    const timer = createTimer({
      database,
      apply,
      retry: apply,
      settleClock: async () => undefined,
      emit: () => undefined,
    });
    timer.start();
    onTestFinished(timer.stop);
    // Ten polls with nine pauses.
    expect(await looks.promise).toBeGreaterThan(9 * 150);
  });
});

const ids = Array.from({ length: 20 }, (_, index) => `s${index}`);
const chain = workflowOf(ids.map((id, index) => agentStep(id, { next_step: ids[index + 1] ?? null })));

/** Records the statements that are sent from now on. */
function sentTexts(): () => readonly string[] {
  const sent = vi.spyOn(Client.prototype as unknown as { query: (query: unknown) => unknown }, "query");
  onTestFinished(() => sent.mockRestore());
  return () =>
    sent.mock.calls.map(([query]) => (typeof query === "string" ? query : (query as { readonly text: string }).text));
}

testOnPostgres("on PostgreSQL, a step of a run is one round trip and one commit", async () => {
  const executor = await openExecutor(await newPostgresDatabase());
  const agents = await startFakeAgents(executor);
  // The first run waits for the worker's first poll, which tells this process the database's time.
  await ended(executor, await begin(executor, chain));
  const texts = sentTexts();
  const started = await executor.workflows.startRun({ workflow_id: "w", input: {} });
  await expect.poll(() => executor.emitted.filter(([name]) => name === "run_ended").length, soon).toBe(2);
  const all = texts();
  expect(started.outcome).toBe("started");
  expect(agents.tasks).toHaveLength(40);
  const turns = all.filter((text) => text.startsWith("with units as"));
  expect(turns).toHaveLength(1 + ids.length);
  expect(all.filter((text) => /^(begin|start transaction|commit)/i.test(text))).toEqual([]);
  // Leases, the clock, timers and shares are checked whatever the number of steps.
  const others =
    /job_worker|clock_timestamp.*as at$|^\s*with recursive|min\(due_at\)|^select \* from "workflow"|^select "id", .* from "job"/;
  expect(all.filter((text) => !turns.includes(text) && !others.test(text))).toEqual([]);
});
