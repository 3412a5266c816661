// suite: rest
// inputs: packages/workflow/**
import { setTimeout as delay } from "node:timers/promises";
import { cpuMsOf } from "@crosszone/testkit/cpu";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openExecutor } from "../testing/executors-under-test.ts";
import { agentStep, workflowOf } from "../testing/workflow-of.ts";
import { checkInputOnThread } from "./request-thread.ts";

/** A schema that takes years to check, however fast the machine is: each definition checks the one before it twice. */
const slowSchema = {
  $ref: "#/$defs/s50",
  $defs: Object.fromEntries(
    Array.from({ length: 51 }, (_none, n) => {
      const before = { $ref: `#/$defs/s${n - 1}` };
      return [`s${n}`, n === 0 ? { minProperties: 0 } : { allOf: [before, before] }];
    }),
  ),
};

/** Returns the longest CPU time for which the event loop was blocked during `run`, milliseconds. */
async function standstill(run: () => Promise<unknown>): Promise<number> {
  let [before, longest] = [process.threadCpuUsage(), 0];
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }, 5);
  await run();
  await delay(50);
  clearInterval(timer);
  return longest;
}

/** Takes a number, so that no schema is like one before. */
const newSlowSchema = (title: number) => ({ ...slowSchema, title: String(title) });

describe("responsive", () => {
  test("I8: a definition whose schema takes too long is refused and does not block the event loop", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase());
    await workflows.validate(workflowOf([agentStep("a")]));
    const outcomes: unknown[] = [];
    const stood = await standstill(async () => {
      for (const version of ["1", "2"])
        outcomes.push(
          await workflows.createVersion(workflowOf([agentStep("a")], { version, input_schema: slowSchema })),
        );
    });
    const problem = {
      pointer: "/input_schema",
      message: expect.stringMatching(/took longer than .* to check; use fewer/),
    };
    expect(outcomes).toEqual([1, 2].map(() => ({ outcome: "invalid", problems: [problem] })));
    expect(stood).toBeLessThan(800);
  });

  test("I8: a stored definition whose schema takes too long is compiled once and does not block the event loop", async () => {
    const { workflows, database } = await openExecutor(await newSqliteDatabase());
    const definition = workflowOf([agentStep("a")], { input_schema: { type: "object" } });
    await workflows.createVersion(definition);
    const stored = JSON.stringify({ ...definition, input_schema: slowSchema });
    await sql`update workflow set definition = ${stored}`.execute(database.db);
    const start = (): Promise<unknown> => workflows.startRun({ workflow_id: definition.workflow_id, input: {} });
    const stood = await standstill(async () => {
      expect(await start()).toMatchObject({ outcome: "invalid_input" });
    });
    expect(stood).toBeLessThan(800);
    const againMs = await cpuMsOf(async () => {
      expect(await start()).toMatchObject({ outcome: "invalid_input" });
    });
    expect(againMs).toBeLessThan(800);
  });

  test("starts of runs waited behind every definition that was being checked", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase());
    const definition = workflowOf([agentStep("a")], { input_schema: { type: "object" } });
    await workflows.createVersion(definition);
    const order: string[] = [];
    const checks = [1, 2, 3].map(async (title) => {
      await workflows.validate(workflowOf([agentStep("a")], { input_schema: newSlowSchema(title) }));
      order.push("definition");
    });
    const started = await workflows.startRun({ workflow_id: definition.workflow_id, input: {} });
    order.push(started.outcome);
    await Promise.all(checks);
    expect(order.slice(0, 2)).toContain("started");
  });

  test("definitions waited in an endless queue, also those whose requests had ended", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase());
    const gone = new AbortController();
    const check = (title: number, signal?: AbortSignal) =>
      workflows.validate(workflowOf([agentStep("a")], { input_schema: newSlowSchema(100 + title) }), { signal });
    const first = check(0);
    const waiting = Array.from({ length: 60 }, (_, at) => check(1 + at, gone.signal).catch((error: unknown) => error));
    const small = workflows.validate(workflowOf([agentStep("a")]));
    await expect(small).rejects.toMatchObject({ kind: "rate_limited", data: { retry_after_ms: 2_000 } });
    gone.abort(new Error("the client is gone"));
    await first;
    const outcomes = (await Promise.all(waiting)).map(String);
    expect(new Set(outcomes)).toEqual(new Set(["Error: the client is gone", expect.stringMatching(/^ZoneError/)]));
    expect(await workflows.validate(workflowOf([agentStep("a")]))).toEqual({ problems: [] });
  });

  test("twenty slow definitions of one caller made a good one of another wait for all of them", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase());
    const check = (caller: string, input_schema: Record<string, unknown>) =>
      workflows.validate(workflowOf([agentStep("a")], { input_schema }), { caller });
    const order: string[] = [];
    const slow = Array.from({ length: 20 }, (_, at) =>
      check("token:slow", newSlowSchema(200 + at)).then(
        () => order.push("slow"),
        () => order.push("refused"),
      ),
    );
    const good = check("token:good", { type: "object" }).then((found) => order.push(`good ${found.problems.length}`));
    await good;
    // One that was being checked, and the next one in turn.
    expect(order.filter((one) => one === "slow").length).toBeLessThanOrEqual(2);
    await Promise.all(slow);
    expect(Map.groupBy(order, (one) => one).get("refused")?.length).toBeGreaterThan(0);
  });
});

describe("X16: the thread for others' schemas", () => {
  const title = { type: "string", pattern: "^([a-z]+ ?)+$" };
  const evil = `${"a".repeat(40)}!`;

  /** Lets callers fill their shares, behind checks that take a while, until the test ends or the controller aborts. */
  function fillShares(...callers: readonly string[]): AbortController {
    const controller = new AbortController();
    const check = (schema: object, caller: string): void =>
      void checkInputOnThread(schema, evil, { caller, signal: controller.signal }).catch(() => undefined);
    for (const name of ["token:a", "token:b", "token:c"]) check(title, name);
    for (const caller of callers) for (let count = 0; count < 201; count += 1) check({ type: "string" }, caller);
    onTestFinished(() => controller.abort());
    return controller;
  }

  test("a caller has a fifth of the queue, and who leaves gives its place back at once", async () => {
    const check = (caller: string) => checkInputOnThread({ type: "string" }, "x", { caller });
    const full = fillShares("hook:slow");
    await expect(check("hook:slow")).rejects.toMatchObject({ kind: "rate_limited", data: { retry_after_ms: 2_000 } });
    expect(await check("hook:other")).toEqual([]);
    const waiting = checkInputOnThread(title, evil, { caller: "token:gone", signal: full.signal });
    full.abort(new Error("the client is gone"));
    await expect(waiting).rejects.toThrow("the client is gone");
    expect(await check("hook:slow")).toEqual([]);
  });

  test("a run's share is that of the hook, token, program or person who wrote its input", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase(), { isStarted: false });
    await workflows.createVersion(workflowOf([agentStep("a")], { input_schema: { type: "object" } }));
    const start = (options: Parameters<typeof workflows.startRun>[1]) =>
      workflows.startRun({ workflow_id: "w", input: {} }, options).then(
        ({ outcome }) => outcome,
        ({ kind }: { readonly kind: string }) => kind,
      );
    const alice = { requester: { team_id: "T1", requester: "U1" } };
    fillShares("hook:ci", "token:ci", "T1 U1");
    const full = [{ ...alice, caller: "hook:ci" }, { requester: { requester: "token:ci" } }, alice];
    expect(await Promise.all(full.map(start))).toEqual(Array(3).fill("rate_limited"));
    const others = [{ requester: { team_id: "T2", requester: "U1" } }, { ...alice, caller: "hook:other" }, {}];
    expect(await Promise.all(others.map(start))).toEqual(Array(3).fill("started"));
  });

  test("an input that ended the thread refused every later input of its schema", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = checkInputOnThread(title, evil);
    // As if it took the thread all its time.
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await ending)[0]?.message).toMatch(/^cannot be checked: it took longer than 15000 ms/);
    expect(await checkInputOnThread(title, "fine")).toEqual([]);
    // The same input is not tried again.
    expect((await checkInputOnThread(title, evil))[0]?.message).toMatch(/15000 ms/);
  });

  test("a prompt step whose schema takes too long refused every definition without an input schema", async () => {
    const { workflows } = await openExecutor(await newSqliteDatabase(), { isStarted: false });
    const prompt = { id: "a", type: "prompt", prompt: "x", schema: slowSchema };
    const { problems } = await workflows.validate(workflowOf([prompt as never]));
    expect(problems).toMatchObject([{ message: expect.stringMatching(/^took longer than/) }]);
    expect(await workflows.validate(workflowOf([agentStep("a")]))).toEqual({ problems: [] });
  });
});
