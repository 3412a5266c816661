// suite: both
import type { AgentRecord } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { openAgents } from "../testing/start-registry.ts";
import { fillSettings } from "./agent-settings.ts";
import { createAgentStore } from "./agent-store.ts";
import { createAgentRegistry } from "./cached-agents.ts";

const by = { actor: "tester", correlationId: "c1" };
const settings = fillSettings({ name: "Weather & Co?", url: "http://127.0.0.1:8001/a?b=1&c=2" });

onBothEngines("the agent store", (newDatabase) => {
  const open = async () => {
    const database = await openAgents(await newDatabase());
    return { database, store: createAgentStore(database) };
  };
  const created = async (store: ReturnType<typeof createAgentStore>): Promise<AgentRecord> =>
    (await store.create(settings, "api", by)) as AgentRecord;

  test("of two changes of the same revision, one succeeds and nothing is overwritten", async () => {
    const { store } = await open();
    const record = await created(store);
    const changes = ["http://one/", "http://two/"].map((url) => ({
      settings: { ...settings, url },
      source: "api" as const,
    }));
    const both = await Promise.all(changes.map((change) => store.update(record, change, by)));
    const changed = both.filter((agent) => agent !== undefined);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({ id: record.id, revision: 2, created_at: record.created_at });
    expect(await store.get(record.name)).toEqual(changed[0]);
    expect(await store.remove(record, by)).toBe(false);
    expect(await store.remove(changed[0] as AgentRecord, by)).toBe(true);
    expect(await store.all()).toEqual([]);
  });

  test("an agent that was deleted and created again is a different one", async () => {
    const { store } = await open();
    const first = await created(store);
    await store.remove(first, by);
    const second = await created(store);
    expect(await store.update(first, { settings, source: "api" }, by)).toBeUndefined();
    expect(await store.remove(first, by)).toBe(false);
    expect(await store.get(settings.name)).toEqual(second);
  });

  test("B7: a change is not made if its audit record cannot be written", async () => {
    const { store, database } = await open();
    const record = await created(store);
    await sql`drop table audit_content`.execute(database.db);
    await expect(store.update(record, { settings, source: "api" }, by)).rejects.toThrow(/audit_content/);
    await expect(store.remove(record, by)).rejects.toThrow(/audit_content/);
    expect(await store.get(settings.name)).toEqual(record);
  });
});

onBothEngines("the agent table", (newDatabase, engine) => {
  test("D3: a row that was imported with a name and an address is an agent with simple-a2a", async () => {
    const database = await openAgents(await newDatabase());
    const before = Date.now();
    const id = crypto.randomUUID();
    await sql`insert into agent (id, name, url) values (${id}, 'LegacyAgent', 'http://legacy:8080')`.execute(
      database.db,
    );
    const agent = await createAgentStore(database).get("LegacyAgent");
    expect(agent).toMatchObject({
      id,
      name: "LegacyAgent",
      protocol: "simple-a2a",
      protocol_config: {},
      auth: { type: "none" },
      enabled: true,
      source: "api",
      revision: 1,
    });
    const createdAt = Date.parse((agent as { created_at: string }).created_at);
    expect(createdAt).toBeGreaterThan(before - 60_000);
    expect(createdAt).toBeLessThan(Date.now() + 60_000);
  });

  test("D3: an index finds agents by protocol", async () => {
    const { db } = await openAgents(await newDatabase());
    const { rows } =
      engine === "sqlite"
        ? await sql<{ name: string }>`select name from pragma_index_list('agent')`.execute(db)
        : await sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'agent'`.execute(db);
    expect(rows.map(({ name }) => name)).toContain("agent_by_protocol");
  });
});

const named = (name: string) => fillSettings({ name, url: "http://127.0.0.1:1/" });

onBothEngines("the registry", (newDatabase) => {
  const open = async () => {
    const database = await openAgents(await newDatabase());
    const store = createAgentStore(database);
    const clock = { ms: 0 };
    const read = vi.spyOn(store, "all");
    const registry = createAgentRegistry({ store, now: () => clock.ms });
    return { store, clock, read, registry };
  };

  test("answers from memory for two seconds, and concurrent lookups share one read", async () => {
    const { store, clock, read, registry } = await open();
    await store.create(named("a"), "api", by);
    const found = await Promise.all(Array.from({ length: 50 }, () => registry.find("a")));
    expect(new Set(found).size).toBe(1);
    clock.ms = 1_999;
    expect(await registry.listEnabled()).toEqual([found[0]]);
    expect(read).toHaveBeenCalledOnce();
  });

  test("a change of another process is visible after two seconds, its own change immediately", async () => {
    const { store, clock, registry } = await open();
    expect(await registry.find("a")).toBeUndefined();
    const record = (await store.create(named("a"), "api", by)) as AgentRecord;
    expect(await registry.find("a")).toBeUndefined();
    clock.ms += 2_000;
    expect(await registry.find("a")).toEqual(record);
    await store.update(record, { settings: { ...named("a"), enabled: false }, source: "api" }, by);
    registry.invalidate();
    expect(await registry.find("a")).toMatchObject({ enabled: false });
    expect(await registry.listEnabled()).toEqual([]);
  });
});

test("a change during a read is not lost: the next lookup reads again", async () => {
  const first = Promise.withResolvers<readonly AgentRecord[]>();
  const answers = [first.promise, Promise.resolve([])];
  let reads = 0;
  const registry = createAgentRegistry({ store: { all: () => answers[reads++] as Promise<AgentRecord[]> } });
  const early = registry.find("a");
  registry.invalidate();
  expect(await registry.find("a")).toBeUndefined();
  first.resolve([{ id: "1", name: "a", enabled: true } as AgentRecord]);
  expect(await early).toMatchObject({ name: "a" });
  expect(await registry.find("a")).toBeUndefined();
  expect(reads).toBe(2);
});

test("while the database is unreachable, the last read stays valid; without one, the failure is reported", async () => {
  const down = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  let failure: Error | undefined = down;
  const record = { id: "1", name: "a", enabled: true } as AgentRecord;
  const store = { all: () => (failure === undefined ? Promise.resolve([record]) : Promise.reject(failure)) };
  const registry = createAgentRegistry({ store, maxAgeMs: 0 });
  await expect(registry.find("a")).rejects.toBe(down);
  failure = undefined;
  expect(await registry.find("a")).toBe(record);
  failure = down;
  expect(await registry.find("a")).toBe(record);
  failure = new Error("no such table: agent");
  await expect(registry.find("a")).rejects.toBe(failure);
});
