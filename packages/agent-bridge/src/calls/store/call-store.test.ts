import { createSecretKey, randomUUID } from "node:crypto";
import { createVault, type Vault } from "@crosszone/service-kit";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import type { BusMessage } from "@crosszone/bus";
import { expect, inject, onTestFinished, test } from "vitest";
import { failureResult, successResult } from "../../bridge/agent-results.ts";
import { AgentFailure } from "../../agent-failure.ts";
import { newTask } from "../../testing/bridge-under-test.ts";
import { openBridgeDatabase } from "../../testing/open-bridge-database.ts";
import type { CallResult, CallStore } from "../call-store.ts";
import { createCallStore } from "./sql-call-store.ts";

const any = { running: [], onlyNobodys: false };
const headers = { "data-owner": "team", traceparent: "00-1" };
const task = newTask("t1", { input_data: { text: "what was asked" } });
const success: CallResult = { state: "succeeded", result: successResult(task, "what was said", {}), headers };
const canceled: CallResult = {
  state: "canceled",
  result: failureResult(task, new AgentFailure("canceled", "Enough.")),
  headers: {},
};

contractOnBothEngines("the store of calls", (newDatabase) => {
  const open = async ({ vault, url }: { readonly vault?: Vault; readonly url?: string } = {}) => {
    const database = await openBridgeDatabase(url ?? (await newDatabase()));
    onTestFinished(() => database.close());
    const published: BusMessage[] = [];
    let isFull = false;
    const outbox = {
      add: async (_: unknown, messages: readonly BusMessage[]) => {
        if (isFull) throw new Error("the outbox takes nothing");
        published.push(...messages);
      },
      wake: () => undefined,
    };
    const other = {
      database,
      bus: { kind: "embedded" as const, outbox },
      leaseMs: 60_000,
      retentionMs: 3_600_000,
      vault,
    };
    const newStore = (): CallStore => createCallStore({ ...other, owner: randomUUID() });
    const rows = () => database.db.selectFrom("agent_call").selectAll().execute();
    return { database, published, newStore, rows, setFull: (full: boolean) => void (isFull = full) };
  };
  const add = (store: CallStore, id = "t1") =>
    store.add({ task: { ...task, task_id: id }, headers, deadlineMs: 60_000, isHeld: false });
  const takeOne = async (store: CallStore) => {
    const [taken] = await store.take([{ agent: "A", most: 1 }], any);
    if (taken === undefined) throw new Error("nothing to take");
    return taken;
  };

  test("N5: a call is added once, taken by one, and ended by who holds it, in the attempt that it holds", async () => {
    const { newStore, published, rows, database } = await open();
    const [mine, theirs] = [newStore(), newStore()];
    expect(await Promise.all([add(mine), add(theirs)])).toContain(true);
    expect(await add(mine)).toBe(false);
    expect(await mine.waitingAgents(any)).toEqual(["A"]);
    const taken = await takeOne(mine);
    expect(taken).toMatchObject({ task, headers, attempt: 1, isReadable: true, remoteId: undefined });
    expect(taken.remainingMs).toBeLessThanOrEqual(60_000);
    expect(await theirs.waitingAgents(any)).toEqual([]);
    expect(await theirs.take([{ agent: "A", most: 9 }], any)).toEqual([]);
    expect(await theirs.end(taken, success)).toBe(false);
    expect(await mine.end({ ...taken, attempt: 2 }, success)).toBe(false);
    expect(await mine.keepRemoteId(taken, "r")).toBe(true);
    expect(await theirs.keepRemoteId(taken, "r")).toBe(false);
    expect(published).toEqual([]);
    // The answer to the first end may be lost with the connection: the second says the same, and publishes nothing.
    expect([await mine.end(taken, success), await mine.end(taken, success)]).toEqual([true, true]);
    expect(published).toEqual([{ channel: "agent_results", value: success.result, headers }]);
    expect(await mine.cancel(task, canceled)).toBeUndefined();
    expect(await rows()).toMatchObject([{ state: "succeeded", team: "team", input: null, remote_id: null }]);
    expect(await mine.repeatResult(task)).toBe(true);
    expect(published[1]).toEqual(published[0]);
    await database.db.updateTable("agent_call").set({ finished_at: 0 }).execute();
    expect(await mine.forget(10)).toBe(1);
    expect(await mine.repeatResult(task)).toBe(false);
  });

  test("N5: a call that its process lost and took again has one result, also when both attempts end at once", async () => {
    const { newStore, published, database } = await open();
    const store = newStore();
    await add(store);
    const first = await takeOne(store);
    await database.db.updateTable("agent_call").set({ lease_until: 0 }).execute();
    const second = await takeOne(store);
    expect([first.attempt, second.attempt]).toEqual([1, 2]);
    expect(await Promise.all([store.end(first, success), store.end(second, success)])).toEqual([false, true]);
    expect(published).toHaveLength(1);
  });

  test("B7, N5: a result that the outbox does not take leaves the call as it was, alone of its group", async () => {
    const { newStore, published, setFull } = await open();
    const store = newStore();
    await Promise.all([add(store, "t1"), add(store, "t2")]);
    const taken = await store.take([{ agent: "A", most: 2 }], any);
    setFull(true);
    const failed = await Promise.allSettled(taken.map((one) => store.end(one, success)));
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(store.cancel(task, canceled)).rejects.toThrow("takes nothing");
    setFull(false);
    expect(await store.lost(taken)).toEqual([]);
    expect(await Promise.all(taken.map((one) => store.end(one, success)))).toEqual([true, true]);
    expect(published).toHaveLength(2);
  });

  test("B12: a canceled call is lost to who held it, and cannot be ended, renewed or handed back", async () => {
    const { newStore, published, rows } = await open();
    const [mine, theirs] = [newStore(), newStore()];
    await add(mine);
    const taken = await takeOne(mine);
    expect(await theirs.cancel(task, canceled)).toMatchObject({ agentName: "A" });
    expect(await theirs.cancel(task, canceled)).toBeUndefined();
    expect(published).toEqual([{ channel: "agent_results", value: canceled.result, headers }]);
    expect(await mine.lost([taken])).toEqual([{ id: taken.id, state: "canceled" }]);
    await mine.renew([taken]);
    await mine.handBack([taken]);
    expect(await mine.end(taken, success)).toBe(false);
    expect(await rows()).toMatchObject([{ state: "canceled", owner: null, input: null }]);
    expect(published).toHaveLength(1);
  });

  test("N5: a lease that ran out makes the call another's; after an outage such are left alone, and what is nobody's is taken", async () => {
    const { newStore, database } = await open();
    const [mine, theirs] = [newStore(), newStore()];
    await add(mine);
    const taken = await takeOne(mine);
    await add(mine, "fresh");
    await database.db.updateTable("agent_call").set({ lease_until: 0 }).where("id", "=", taken.id).execute();
    const quiet = { running: [], onlyNobodys: true };
    expect(await theirs.waitingAgents(quiet)).toEqual(["A"]);
    const nobodys = await theirs.take([{ agent: "A", most: 9 }], quiet);
    expect(nobodys.map(({ task: { task_id } }) => task_id)).toEqual(["fresh"]);
    expect(await mine.take([{ agent: "A", most: 9 }], { ...any, running: [taken.id] })).toEqual([]);
    expect(await mine.take([{ agent: "A", most: 9 }], { ...any, running: undefined })).toEqual([]);
    await mine.renew([taken]);
    expect(await theirs.take([{ agent: "A", most: 9 }], any)).toEqual([]);
    await database.db.updateTable("agent_call").set({ lease_until: 0 }).where("id", "=", taken.id).execute();
    const again = await takeOne(theirs);
    expect(again).toMatchObject({ id: taken.id, attempt: 2 });
    expect(await mine.lost([taken])).toEqual([{ id: taken.id, state: "open" }]);
    await theirs.handBack([again]);
    expect(await takeOne(mine)).toMatchObject({ id: taken.id, attempt: 2 });
  });

  test("of many agents, those that wait longest come first; calls that run or have ended are nobody's to take", async () => {
    const { newStore, database } = await open();
    const store = newStore();
    const names = Array.from({ length: 30 }, (_, index) => `agent ${index}`);
    const addFor = (agent_name: string, id: string) =>
      store.add({ task: { ...task, task_id: id, agent_name }, headers: {}, deadlineMs: 1_000, isHeld: false });
    await Promise.all(names.flatMap((name) => ["1", "2"].map((id) => addFor(name, `${name} ${id}`))));
    await database.db.updateTable("agent_call").set({ lease_until: 7 }).where("agent", "=", "agent 9").execute();
    const [first, ...rest] = await store.waitingAgents(any);
    expect(first).toBe("agent 9");
    expect(rest.toSorted()).toEqual(names.filter((name) => name !== "agent 9").toSorted());
    const taken = await store.take(
      names.map((agent) => ({ agent, most: 1 })),
      any,
    );
    expect(taken.map((one) => one.task.agent_name).toSorted()).toEqual(names.toSorted());
    expect(await store.readings()).toMatchObject({ open: 60, waiting: 30 });
  });

  test("thousands of calls that run here are in no statement's way", async () => {
    const { newStore } = await open();
    const store = newStore();
    const names = Array.from({ length: 100 }, (_, index) => `agent ${index}`);
    const shares = names.map((agent) => ({ agent, most: 1 }));
    await Promise.all(
      names.map((agent_name) =>
        store.add({ task: { ...task, task_id: agent_name, agent_name }, headers, deadlineMs: 1, isHeld: false }),
      ),
    );
    const running = Array.from({ length: inject("engines") === "both" ? 10_000 : 2_000 }, (_, index) =>
      String(index).padStart(64, "0"),
    );
    expect(await store.take(shares, { ...any, running })).toHaveLength(100);
  });

  test("with a key, what was asked and answered is sealed at rest; without it a call says that it cannot be read", async () => {
    const url = await newDatabase();
    const vault = createVault([{ id: "k1", key: createSecretKey(Buffer.alloc(32, 7)) }]);
    const sealed = await open({ vault, url });
    const store = sealed.newStore();
    await add(store);
    await store.keepRemoteId(await takeOne(store), "their name of it");
    const [row] = await sealed.rows();
    expect(JSON.stringify(row)).not.toMatch(/what was asked|their name/);
    await sealed.database.db.updateTable("agent_call").set({ lease_until: 0 }).execute();
    const blind = (await open({ url })).newStore();
    expect(await takeOne(blind)).toMatchObject({ isReadable: false, remoteId: undefined, task: { task_id: "t1" } });
    await sealed.database.db.updateTable("agent_call").set({ lease_until: 0 }).execute();
    const taken = await takeOne(store);
    expect(taken).toMatchObject({ task, remoteId: "their name of it" });
    expect(await store.end(taken, success)).toBe(true);
    expect(JSON.stringify(await sealed.rows())).not.toMatch(/what was said/);
    expect(await store.repeatResult(task)).toBe(true);
    expect(sealed.published[1]?.value).toEqual(success.result);
  });
});
