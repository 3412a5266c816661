import { createSecretKey, randomUUID } from "node:crypto";
import { isAgentCall } from "@crosszone/contracts";
import { createVault, type Vault } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { AgentFailure } from "../../agent-failure.ts";
import { failureResult } from "../../bridge/agent-results.ts";
import { newTask } from "../../testing/bridge-under-test.ts";
import { openBridgeDatabase } from "../../testing/open-bridge-database.ts";
import { createReadAgentCalls } from "./read-calls.ts";
import { createCallStore } from "./sql-call-store.ts";

const task = newTask("t1", { input_data: { text: "what was asked" } });
const unreachable = new AgentFailure("unreachable", "No route to the agent of T1.");

onBothEngines("the agent calls of a task, as operators see them", (newDatabase) => {
  const start = async (vault?: Vault) => {
    const database = await openBridgeDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const bus = { kind: "embedded" as const, outbox: { add: async () => undefined, wake: () => undefined } };
    const times = { leaseMs: 60_000, retentionMs: 3_600_000 };
    const store = createCallStore({ database, bus, owner: randomUUID(), vault, ...times });
    await store.add({ task, headers: {}, deadlineMs: 60_000, isHeld: false });
    const [held] = await store.take([{ agent: "A", most: 1 }], { running: [], onlyNobodys: false });
    if (held === undefined) throw new Error("nothing to take");
    await store.keepRemoteId(held, "their-id");
    await store.keepProgress(held, { revision: 1, text: "Counting" });
    return { store, held, read: () => createReadAgentCalls(database)(task) };
  };

  test("an open call shows the agent's task id and its last progress, but not the question", async () => {
    const { read } = await start();
    const [call, ...others] = await read();
    expect(others).toEqual([]);
    expect(isAgentCall(call)).toBe(true);
    const { created_at, deadline, ...rest } = call as NonNullable<typeof call>;
    expect(rest).toEqual({ agent: "A", state: "open", remote_id: "their-id", progress: "Counting" });
    expect(Date.parse(deadline) - Date.parse(created_at)).toBe(60_000);
  });

  test("with keys, the failure and the attempts of a call are read without unsealing anything, and sealed values are left out", async () => {
    const { store, held, read } = await start(createVault([{ id: "k1", key: createSecretKey(Buffer.alloc(32, 7)) }]));
    const [open] = await read();
    expect(open).not.toHaveProperty("remote_id");
    expect(open).not.toHaveProperty("progress");
    const result = { ...failureResult(task, unreachable), attempts: 4 };
    await store.end(held, { state: "failed", result, headers: {} });
    const calls = await read();
    expect(calls).toMatchObject([{ state: "failed", attempts: 4, error_kind: "unreachable" }]);
    expect(calls.every(isAgentCall)).toBe(true);
    expect(JSON.stringify(calls)).not.toMatch(/No route|what was asked/);
  });

  test("a canceled call says so", async () => {
    const { store, read } = await start();
    const canceled = failureResult(task, new AgentFailure("canceled", "Enough."));
    await store.cancel(task, { state: "canceled", result: canceled, headers: {} });
    expect(await read()).toMatchObject([{ agent: "A", state: "canceled", error_kind: "canceled" }]);
  });
});
