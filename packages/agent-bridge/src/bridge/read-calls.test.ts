// suite: both
import { createSecretKey } from "node:crypto";
import { isAgentCall, isAgentTask } from "@crosszone/contracts";
import { createVault, type Vault } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { assert, property, stringMatching } from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deadlineMsOf } from "./leased-call.ts";
import { createReadAgentCalls, createReadAgentProgress } from "./read-calls.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { enterTasks, newTask, soon, startBridge, storedResults } from "../testing/open-bridge.ts";
import { createFakeCaller, type FakeCall } from "../testing/start-call.ts";

const task = newTask("t1", { input_data: { text: "what was asked" }, files: [] });
const unreachable = new AgentFailure("unreachable", "No route to the agent of T1.");
const newVault = (): Vault => createVault([{ id: "k1", key: createSecretKey(Buffer.alloc(32, 7)) }]);

onBothEngines("the agent calls of a task", (newDatabase) => {
  const start = async (vault?: Vault) => {
    const gate = Promise.withResolvers<void>();
    const { caller } = createFakeCaller(async ({ options }: FakeCall) => {
      await options.onRemoteId("their-id");
      options.onProgress?.("Counting");
      await gate.promise;
      return { output: null, failure: unreachable, attempts: 4 };
    });
    const opened = await startBridge(await newDatabase(), { caller, vault });
    await enterTasks(opened, [task]);
    const { db } = opened.database;
    const rows = () => db.selectFrom("job").selectAll().execute();
    await expect.poll(async () => (await rows())[0]?.progress, soon).toBeTypeOf("string");
    return {
      opened,
      rows,
      end: gate.resolve,
      read: () => createReadAgentCalls(opened.database)(task),
    };
  };

  test("an open call shows operators the agent's task id and its latest progress, but not the question", async () => {
    const { read, opened } = await start();
    const [call, ...others] = await read();
    expect(others).toEqual([]);
    expect(isAgentCall(call)).toBe(true);
    const { created_at, deadline, ...rest } = call as NonNullable<typeof call>;
    expect(rest).toEqual({ agent: "A", state: "open", remote_id: "their-id", progress: "Counting" });
    expect(Date.parse(deadline) - Date.parse(created_at)).toBe(60_000);
    const progress = await createReadAgentProgress(opened.database)(task);
    expect(progress).toMatchObject({ text: "Counting" });
  });

  test("with keys, the failure and the attempts of a call are read without unsealing anything, and sealed values are left out", async () => {
    const vault = newVault();
    const { opened, end, read, rows } = await start(vault);
    const [open] = await read();
    expect(open?.remote_id).toBeUndefined();
    expect(open?.progress).toBeUndefined();
    expect(JSON.stringify(await rows())).not.toMatch(/what was asked|their-id|Counting/);
    end();
    await expect.poll(async () => (await read())[0]?.state, soon).toBe("failed");
    const calls = await read();
    expect(calls).toMatchObject([{ state: "failed", attempts: 4, error_kind: "unreachable" }]);
    expect(calls.every(isAgentCall)).toBe(true);
    expect(JSON.stringify(calls)).not.toMatch(/No route|what was asked/);
    expect(JSON.stringify(await rows())).not.toMatch(/No route/);
    const ended = await storedResults(opened, vault).of(task.task_id, task.run_id);
    expect(ended).toMatchObject({ status: "FAILURE", error_message: unreachable.message });
    await expect(storedResults(opened).of(task.task_id, task.run_id)).rejects.toThrow("DATA_KEYS");
  });

  test("a call of an unreachable agent shows operators the sentence about its connection, not only the kind", async () => {
    const { end, read } = await start();
    end();
    await expect.poll(async () => (await read())[0]?.state, soon).toBe("failed");
    const calls = await read();
    expect(calls).toMatchObject([{ error_kind: "unreachable", error_message: unreachable.message }]);
    expect(calls.every(isAgentCall)).toBe(true);
  });

  test("a canceled call shows it, and the columns that only its execution needs are cleared", async () => {
    const { opened, read, rows } = await start();
    await opened.intake.cancel(task, "Enough.");
    expect(await read()).toMatchObject([{ agent: "A", state: "canceled", error_kind: "canceled" }]);
    expect(await rows()).toMatchObject([{ input: null, files: null, handle: null, progress: null }]);
  });
});

const days = (count: number): number => count * 24 * 3_600_000;

describe("a deadline", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-03-01T12:00:00Z") }));
  afterEach(() => void vi.useRealTimers());

  test("a deadline is read with its offset, and as UTC without one, whatever the machine's time zone", () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    for (const deadline of [
      "2026-03-01T12:01:00Z",
      "2026-03-01T12:01:00",
      "2026-03-01T12:01:00.000000001",
      "2026-03-01T21:01:00+09:00",
    ])
      expect(deadlineMsOf({ deadline }, 5)).toBe(60_000);
    vi.unstubAllEnvs();
    expect(deadlineMsOf({ deadline: "2026-03-01T12:00:60Z" }, 5)).toBe(59_000);
  });

  test("without a deadline the default applies; a past deadline leaves no time, a distant one seven days", () => {
    expect(deadlineMsOf({}, 5)).toBe(5);
    expect(deadlineMsOf({ deadline: "0001-01-01T00:00:00Z" }, 5)).toBe(0);
    expect(deadlineMsOf({ deadline: "9999-12-31T23:59:60Z" }, 5)).toBe(days(7));
  });

  test("every deadline that the contract accepts converts to milliseconds", () => {
    const form = stringMatching(
      /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/,
    );
    assert(
      property(form, (deadline) => {
        expect(isAgentTask(newTask("t1", { deadline }))).toBe(true);
        const ms = deadlineMsOf({ deadline }, 5);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(days(7));
      }),
    );
  });
});
