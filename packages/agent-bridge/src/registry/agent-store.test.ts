import { isAgentRecord, type AgentRecord } from "@crosszone/contracts";
import { contractOnBothEngines, onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { agentDefaults, fillSettings, settingsOf } from "./agent-settings.ts";
import { createAgentStore } from "./agent-store.ts";
import { openAgents } from "../testing/start-registry.ts";

const by = { actor: "tester", correlationId: "c1" };
const settings = fillSettings({ name: "Weather & Co?", url: "http://127.0.0.1:8001/a?b=1&c=2" });

contractOnBothEngines("the agent store", (newDatabase) => {
  const open = async () => {
    const database = await openAgents(await newDatabase());
    return { database, store: createAgentStore(database) };
  };
  const created = async (store: ReturnType<typeof createAgentStore>): Promise<AgentRecord> =>
    (await store.create(settings, "api", by)) as AgentRecord;

  test("D3, B17: a created agent is found unchanged, with every default set", async () => {
    const { store } = await open();
    const record = await created(store);
    expect(isAgentRecord(record)).toBe(true);
    expect(settingsOf(record)).toEqual({ ...agentDefaults, name: "Weather & Co?", url: settings.url });
    expect(record).toMatchObject({ source: "api", revision: 1 });
    expect(await store.get("Weather & Co?")).toEqual(record);
    expect(await store.all()).toEqual([record]);
    expect(await store.get("weather & co?")).toBeUndefined();
  });

  test("a name can be used once, even by two concurrent creates", async () => {
    const { store } = await open();
    const both = await Promise.all([store.create(settings, "api", by), store.create(settings, "api", by)]);
    expect(both.filter((agent) => agent !== undefined)).toHaveLength(1);
    expect((await store.audit(settings.name, { limit: 10, offset: 0 })).total).toBe(1);
  });

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

  test("B25: the audit trail has each change, newest first, with before and after, and correct totals", async () => {
    const { store } = await open();
    const record = await created(store);
    const disabled = { ...settings, enabled: false };
    const second = (await store.update(record, { settings: disabled, source: "api" }, by)) as AgentRecord;
    const third = { ...disabled, description: "x", enabled: true };
    const last = (await store.update(second, { settings: third, source: "file" }, by)) as AgentRecord;
    await store.remove(last, { actor: "another", correlationId: "c2" });
    const { entries, total } = await store.audit(settings.name, { limit: 3, offset: 0 });
    expect(total).toBe(4);
    expect(entries).toMatchObject([
      { action: "deleted", revision: 3, actor: "another", correlation_id: "c2", after: null },
      { action: "enabled", revision: 3, actor: "tester", correlation_id: "c1" },
      { action: "disabled", revision: 2, after: JSON.stringify(disabled) },
    ]);
    expect(JSON.parse(entries[1]?.before ?? "")).toEqual(disabled);
    expect(JSON.parse(entries[1]?.after ?? "")).toEqual(third);
    const rest = await store.audit(settings.name, { limit: 3, offset: 3 });
    expect(rest).toMatchObject({ total: 4, entries: [{ action: "created", before: null }] });
    expect(await store.audit("nobody", { limit: 3, offset: 0 })).toEqual({ entries: [], total: 0 });
  });

  test("B7: a change is not made if its audit record cannot be written", async () => {
    const { store, database } = await open();
    const record = await created(store);
    await sql`drop table agent_audit`.execute(database.db);
    await expect(store.update(record, { settings, source: "api" }, by)).rejects.toThrow(/agent_audit/);
    await expect(store.remove(record, by)).rejects.toThrow(/agent_audit/);
    expect(await store.get(settings.name)).toEqual(record);
  });

  test("B23: a manually inserted row with a plaintext secret is no agent, is not shown, and can be deleted", async () => {
    const { store, database } = await open();
    const secret = JSON.stringify({ auth: { type: "bearer", token: "s3cret-in-clear" } });
    await sql`insert into agent (id, name, url, settings) values (${crypto.randomUUID()}, 'bad', 'http://a/', ${secret})`.execute(
      database.db,
    );
    await sql`insert into agent (id, name, url, settings) values (${crypto.randomUUID()}, 'worse', 'http://a/', '{')`.execute(
      database.db,
    );
    const all = await store.all();
    expect(all).toMatchObject([
      { name: "bad", reason: expect.stringContaining("/auth/token must match") },
      { name: "worse", reason: "a column with JSON or a time can't be read" },
    ]);
    expect(JSON.stringify(all)).not.toContain("s3cret");
    for (const agent of all) expect(await store.remove(agent, by)).toBe(true);
    expect(JSON.stringify(await store.audit("bad", { limit: 1, offset: 0 }))).not.toContain("s3cret");
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
