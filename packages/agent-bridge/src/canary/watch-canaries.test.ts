import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../agent-failure.ts";
import { fillSettings } from "../registry/agent-settings.ts";
import { createAgentStore } from "../registry/agent-store.ts";
import { newTask, publishTasks, receiveResults, soon, startBridge } from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo, never } from "../testing/fake-caller.ts";
import { openBridgeDatabase } from "../testing/open-bridge-database.ts";
import { chooseWay } from "./chosen-way.ts";

const stable = "http://stable/";
const canary = { url: "http://canary/", share: 0.5, max_error_rate: 0.2, max_latency_ratio: 2, min_tasks: 3 };
const by = { actor: "tester", correlationId: "c" };

onBothEngines("an agent with a canary", (newDatabase) => {
  async function open() {
    const url = await newDatabase();
    const database = await openBridgeDatabase(url);
    const store = createAgentStore(database);
    const settings = fillSettings({ name: "A", url: stable, protocol: "jsonrpc-2.0", canary });
    const agent = (await store.create(settings, "api", by)) as AgentRecord;
    const ids = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const isOfCanary = (task_id: string): boolean => chooseWay(agent, { task_id }).trial?.isCanary === true;
    return { url, database, store, agent, settings, ids, isOfCanary };
  }
  const current = async (store: ReturnType<typeof createAgentStore>): Promise<AgentRecord> =>
    (await store.get("A")) as AgentRecord;

  test("K2: is left alone with its stable way when the canary fails, by one of several processes, with the reason", async () => {
    const { url, database, store, ids, isOfCanary } = await open();
    const { caller } = createFakeCaller((call) => {
      if (call.agent.url === stable) return echo(call);
      return { output: null, failure: new AgentFailure("task_failed", "It is broken."), attempts: 1 };
    });
    const bridges = await Promise.all([startBridge(url, { caller }), startBridge(url, { caller })]);
    const results = await receiveResults(bridges[0].bus);
    await publishTasks(
      bridges[0].bus,
      ids.map((id) => newTask(id)),
    );
    await results.until(ids.length);
    const failed = ids.filter((id) => results.of(id)[0]?.status === "FAILURE");
    expect(failed.length).toBeGreaterThanOrEqual(canary.min_tasks);
    expect(failed.filter((id) => !isOfCanary(id))).toEqual([]);
    await expect.poll(async () => (await current(store)).canary, soon).toBeUndefined();
    expect(await current(store)).toMatchObject({ url: stable, revision: 2 });
    await expect.poll(() => bridges.flatMap(({ toldOf }) => toldOf("canaryEnded")).length, soon).toBe(1);
    const { entries } = await store.audit("A", { limit: 10, offset: 0 });
    expect(entries[0]).toMatchObject({ action: "canary_ended", actor: "bridge" });
    expect(entries[0]?.reason).toMatch(/^\d+ of \d+ tasks of the canary failed, and 0 of \d+ others\.$/);
    const later = ids.map((id) => newTask(`later-${id}`));
    const known = () => Promise.all(bridges.map(async ({ registry }) => (await registry.find("A"))?.canary));
    await expect.poll(known, soon).toEqual([undefined, undefined]);
    await publishTasks(bridges[0].bus, later);
    await results.until(ids.length + later.length);
    expect(later.map(({ task_id }) => results.of(task_id)[0]?.status)).toEqual(later.map(() => "SUCCESS"));
    await database.close();
  });

  test("K2: counts every task once, by its way and its result", async () => {
    const { url, database, ids, isOfCanary } = await open();
    const bridge = await startBridge(url, { caller: createFakeCaller().caller });
    const results = await receiveResults(bridge.bus);
    await publishTasks(
      bridge.bus,
      ids.map((id) => newTask(id)),
    );
    await results.until(ids.length);
    const told = (): unknown[] => bridge.toldOf("canaryTaskEnded").map(([task]) => task);
    await expect.poll(() => told().length, soon).toBe(ids.length);
    const ofCanary = { agent_name: "A", way: "canary", result: "success" };
    expect(told().filter((task) => JSON.stringify(task) === JSON.stringify(ofCanary))).toHaveLength(
      ids.filter(isOfCanary).length,
    );
    await database.close();
  });

  test.each(["canary", "stable"])(
    "K2: a call that began on the %s way goes on there in another process, whatever the agent is now",
    async (side) => {
      const { url, database, store, agent, settings, ids, isOfCanary } = await open();
      const id = ids.find((one) => isOfCanary(one) === (side === "canary")) ?? "";
      const stuck = createFakeCaller(async ({ options }) => {
        await options.onRemoteId("remote-1");
        return never();
      });
      const first = await startBridge(url, { caller: stuck.caller });
      const results = await receiveResults(first.bus);
      await publishTasks(first.bus, [newTask(id)]);
      const { db } = database;
      const remote = () => db.selectFrom("agent_call").select("remote_id").executeTakeFirst();
      await expect.poll(remote, soon).toMatchObject({ remote_id: expect.any(String) as string });
      const { canary: _canary, ...without } = settings;
      await store.update(
        agent,
        { settings: { ...without, protocol: "a2a-1.0", url: "http://new/" }, source: "api" },
        by,
      );
      // As if the first process had died at once.
      await db.updateTable("agent_call").set({ lease_until: 0, owner: "dead" }).execute();
      const quick = createFakeCaller();
      await startBridge(url, { caller: quick.caller });
      await results.until(1);
      const began = side === "canary" ? canary.url : stable;
      expect(quick.calls).toMatchObject([
        { agent: { url: began, protocol: "jsonrpc-2.0" }, options: { remoteId: "remote-1" } },
      ]);
      await database.close();
    },
  );

  test("K2: a call that waited for room is sent the way that was stored before its first request", async () => {
    const { url, database, store, agent, settings } = await open();
    const one = { ...settings, max_concurrency: 1, canary: { ...canary, share: 1 } };
    await store.update(agent, { settings: one, source: "api" }, by);
    const { db } = database;
    const { caller, calls } = createFakeCaller(async (call) => {
      const rows = await db.selectFrom("agent_call").select(["way", "trial"]).where("way", "is not", null).execute();
      return { ...echo(call), output: rows.length };
    });
    const bridge = await startBridge(url, { caller });
    const results = await receiveResults(bridge.bus);
    await publishTasks(
      bridge.bus,
      ["t1", "t2", "t3"].map((id) => newTask(id)),
    );
    await results.until(3);
    expect(calls.map(({ agent: called }) => called.url)).toEqual([canary.url, canary.url, canary.url]);
    const rows = await db.selectFrom("agent_call").select(["way", "trial", "took_ms"]).execute();
    for (const { way, trial, took_ms } of rows) {
      expect(JSON.parse(way ?? "")).toMatchObject({ url: canary.url, trial: { isCanary: true } });
      expect(trial).toMatch(/ canary$/);
      expect(took_ms).toBeGreaterThanOrEqual(0);
    }
    await database.close();
  });
});
