import { callId } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import type { AgentRecord } from "@crosszone/contracts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { fillSettings } from "../registry/agent-settings.ts";
import { createAgentStore } from "../registry/agent-store.ts";
import { enterTasks, newTask, soon, startBridge, storedResults } from "../testing/bridge-under-test.ts";
import { createFakeCaller, echo, never } from "../testing/test-callers.ts";
import { openBridgeDatabase } from "../testing/open-bridge.ts";
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

  test("K2: returns to its stable side when the canary fails, in one of several processes, with the reason", async () => {
    const { url, database, store, ids, isOfCanary } = await open();
    const { caller } = createFakeCaller((call) => {
      if (call.agent.url === stable) return echo(call);
      return { output: null, failure: new AgentFailure("task_failed", "It is broken."), attempts: 1 };
    });
    const bridges = await Promise.all([startBridge(url, { caller }), startBridge(url, { caller })]);
    const results = storedResults(bridges[0]);
    const tasks = ids.map((id) => newTask(id));
    await Promise.all(
      bridges.map((one, index) =>
        enterTasks(
          one,
          tasks.filter((_, at) => at % 2 === index),
        ),
      ),
    );
    const ended = await results.until(tasks);
    const failed = ended.filter(({ status }) => status === "FAILURE").map(({ task_id }) => task_id);
    expect(failed.length).toBeGreaterThanOrEqual(canary.min_tasks);
    expect(failed.filter((id) => !isOfCanary(id))).toEqual([]);
    await expect.poll(async () => (await current(store)).canary, soon).toBeUndefined();
    expect(await current(store)).toMatchObject({ url: stable, revision: 2 });
    await expect.poll(() => bridges.flatMap(({ eventsOf }) => eventsOf("canaryEnded")).length, soon).toBe(1);
    const { entries } = await store.audit("A", { limit: 10, offset: 0 });
    expect(entries[0]).toMatchObject({ action: "canary_ended", actor: "bridge" });
    expect(entries[0]?.reason).toMatch(/^\d+ of \d+ tasks of the canary failed, and 0 of \d+ others\.$/);
    const later = ids.map((id) => newTask(`later-${id}`));
    const known = () => Promise.all(bridges.map(async ({ registry }) => (await registry.find("A"))?.canary));
    await expect.poll(known, soon).toEqual([undefined, undefined]);
    await enterTasks(bridges[0], later);
    expect((await results.until(later)).map(({ status }) => status)).toEqual(later.map(() => "SUCCESS"));
    await database.close();
  });

  test("K2: counts every task once, by side and result", async () => {
    const { url, database, ids, isOfCanary } = await open();
    const bridge = await startBridge(url, { caller: createFakeCaller().caller });
    await enterTasks(
      bridge,
      ids.map((id) => newTask(id)),
    );
    const counted = (): unknown[] => bridge.eventsOf("canaryTaskEnded").map(([task]) => task);
    await expect.poll(() => counted().length, soon).toBe(ids.length);
    const ofCanary = { agent_name: "A", way: "canary", result: "success" };
    expect(counted().filter((task) => JSON.stringify(task) === JSON.stringify(ofCanary))).toHaveLength(
      ids.filter(isOfCanary).length,
    );
    await database.close();
  });

  test.each(["canary", "stable"])(
    "K2: a call that started on the %s side continues there in another process, even if the agent changed",
    async (side) => {
      const { url, database, store, agent, settings, ids, isOfCanary } = await open();
      const id = ids.find((one) => isOfCanary(one) === (side === "canary")) ?? "";
      const stuck = createFakeCaller(async ({ options }) => {
        await options.onRemoteId("remote-1");
        return never();
      });
      const first = await startBridge(url, { caller: stuck.caller });
      await enterTasks(first, [newTask(id)]);
      const { db } = database;
      const remote = () => db.selectFrom("job").select("handle").executeTakeFirst();
      await expect.poll(remote, soon).toMatchObject({ handle: expect.any(String) as string });
      const { canary: _canary, ...without } = settings;
      await store.update(
        agent,
        { settings: { ...without, protocol: "a2a-1.0", url: "http://new/" }, source: "api" },
        by,
      );
      await first.bridge.stop(0);
      const quick = createFakeCaller();
      await startBridge(url, { caller: quick.caller });
      await storedResults(first).until([newTask(id)]);
      const began = side === "canary" ? canary.url : stable;
      expect(quick.calls).toMatchObject([
        { agent: { url: began, protocol: "jsonrpc-2.0" }, options: { remoteId: "remote-1" } },
      ]);
      await database.close();
    },
  );

  test("K2: a call that waited for a slot goes to the side that was stored before its first request", async () => {
    const { url, database, store, agent, settings } = await open();
    const one = { ...settings, max_concurrency: 1, canary: { ...canary, share: 1 } };
    await store.update(agent, { settings: one, source: "api" }, by);
    const { db } = database;
    const { caller, calls } = createFakeCaller(async (call) => {
      const id = callId(call.task);
      const row = await db.selectFrom("job").select("way").where("id", "=", id).executeTakeFirstOrThrow();
      return { ...echo(call), output: row.way };
    });
    const bridge = await startBridge(url, { caller });
    const tasks = ["t1", "t2", "t3"].map((id) => newTask(id));
    await enterTasks(bridge, tasks);
    const results = await storedResults(bridge).until(tasks);
    expect(results.map(({ output_data }) => typeof output_data)).toEqual(["string", "string", "string"]);
    expect(calls.map(({ agent: called }) => called.url)).toEqual([canary.url, canary.url, canary.url]);
    const rows = await db.selectFrom("job").select(["way", "trial", "took_ms"]).execute();
    for (const { way, trial, took_ms } of rows) {
      expect(JSON.parse(way ?? "")).toMatchObject({ url: canary.url, trial: { isCanary: true } });
      expect(trial).toMatch(/ canary$/);
      expect(took_ms).toBeGreaterThanOrEqual(0);
    }
    await database.close();
  });
});
