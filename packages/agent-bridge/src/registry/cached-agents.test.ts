import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { AgentRecord } from "@crosszone/contracts";
import { openAgents } from "../testing/start-registry.ts";
import type { UnreadableAgent } from "./agent-row.ts";
import { fillSettings } from "./agent-settings.ts";
import { createAgentStore } from "./agent-store.ts";
import { createAgentRegistry } from "./cached-agents.ts";

const by = { actor: "tester", correlationId: "c1" };
const named = (name: string) => fillSettings({ name, url: "http://127.0.0.1:1/" });

onBothEngines("the registry", (newDatabase) => {
  const open = async () => {
    const database = await openAgents(await newDatabase());
    const store = createAgentStore(database);
    const clock = { ms: 0, reads: 0 };
    const unreadable: UnreadableAgent[] = [];
    const counted = {
      all: () => {
        clock.reads += 1;
        return store.all();
      },
    };
    const registry = createAgentRegistry({
      store: counted,
      now: () => clock.ms,
      onUnreadable: (agent) => unreadable.push(agent),
    });
    return { database, store, clock, registry, unreadable };
  };

  test("answers from memory for two seconds, and concurrent lookups share one read", async () => {
    const { store, clock, registry } = await open();
    await store.create(named("a"), "api", by);
    const found = await Promise.all(Array.from({ length: 50 }, () => registry.find("a")));
    expect(new Set(found).size).toBe(1);
    clock.ms = 1_999;
    expect(await registry.listEnabled()).toEqual([found[0]]);
    expect(clock.reads).toBe(1);
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

  test("a row that is no valid agent is logged once, and does not hide other agents", async () => {
    const { database, store, clock, registry, unreadable } = await open();
    await store.create(named("good"), "api", by);
    await sql`insert into agent (id, name, url) values (${crypto.randomUUID()}, 'bad', 'ftp://a/')`.execute(
      database.db,
    );
    for (let look = 0; look < 3; look += 1) {
      expect((await registry.listEnabled()).map(({ name }) => name)).toEqual(["good"]);
      expect(await registry.find("bad")).toBeUndefined();
      clock.ms += 2_000;
    }
    expect(unreadable).toMatchObject([{ name: "bad", reason: expect.stringContaining("/url") }]);
    await sql`update agent set url = 'http://a/' where name = 'bad'`.execute(database.db);
    expect(await registry.find("bad")).toMatchObject({ name: "bad" });
    await sql`update agent set url = 'ftp://a/' where name = 'bad'`.execute(database.db);
    clock.ms += 2_000;
    await registry.listEnabled();
    expect(unreadable).toHaveLength(2);
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
