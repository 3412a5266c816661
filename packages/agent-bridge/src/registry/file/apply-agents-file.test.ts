import type { AgentRecord, AgentSettings } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openAgents } from "../../testing/start-registry.ts";
import { fillSettings } from "../agent-settings.ts";
import { createAgentStore } from "../agent-store.ts";
import { applyAgentsFile } from "./apply-agents-file.ts";

const by = { actor: "file:agents.yaml", correlationId: "start" };
const agent = (name: string, more: Partial<AgentSettings> = {}): AgentSettings => ({
  name,
  url: "http://127.0.0.1:1/",
  ...more,
});

onBothEngines("an agents file", (newDatabase) => {
  const open = async () => {
    const database = await openAgents(await newDatabase());
    return { database, store: createAgentStore(database) };
  };

  test("D4: its agents are stored, changed and removed with the file; the API's agents stay", async () => {
    const { store } = await open();
    await store.create(fillSettings(agent("api")), "api", by);
    expect(await applyAgentsFile(store, [agent("a"), agent("b"), agent("c")], by)).toMatchObject({
      created: ["a", "b", "c"],
    });
    const next = [agent("a"), agent("b", { timeout_ms: 5_000 })];
    expect(await applyAgentsFile(store, next, by)).toEqual({
      created: [],
      updated: ["b"],
      removed: ["c"],
      kept: ["a"],
      moved: [],
    });
    const other = [agent("a", { protocol: "simple-a2a" }), next[1] as AgentSettings];
    expect(await applyAgentsFile(store, other, by)).toMatchObject({ updated: ["a"], moved: ["a"] });
    await applyAgentsFile(store, next, by);
    expect(await store.all()).toMatchObject([
      { name: "a", source: "file", revision: 3 },
      { name: "api", source: "api" },
      { name: "b", source: "file", revision: 2, timeout_ms: 5_000 },
    ]);
    expect((await store.audit("a", { limit: 9, offset: 0 })).total).toBe(3);
    expect((await store.audit("c", { limit: 9, offset: 0 })).entries).toMatchObject([
      { action: "deleted", actor: "file:agents.yaml" },
      { action: "created" },
    ]);
  });

  test("an agent of the API becomes the file's, and an unreadable row is replaced", async () => {
    const { store, database } = await open();
    const before = (await store.create(fillSettings(agent("a")), "api", by)) as AgentRecord;
    await sql`insert into agent (id, name, url) values ('not a uuid', 'b', 'ftp://x')`.execute(database.db);
    const applied = await applyAgentsFile(store, [agent("a"), agent("b")], by);
    expect(applied).toMatchObject({ updated: ["a"], created: ["b"] });
    expect(await store.get("a")).toMatchObject({ id: before.id, source: "file", revision: 2 });
    expect(await store.get("b")).toMatchObject({ url: "http://127.0.0.1:1/", source: "file" });
  });

  test("several processes that start at the same time store each agent once", async () => {
    const { store } = await open();
    const agents = Array.from({ length: 10 }, (_, index) => agent(`agent ${index}`));
    const all = await Promise.all(Array.from({ length: 4 }, () => applyAgentsFile(store, agents, by)));
    expect(all.flatMap(({ created }) => created).toSorted()).toEqual(agents.map(({ name }) => name));
    expect(all.flatMap(({ updated, removed }) => [...updated, ...removed])).toEqual([]);
    expect((await store.all()).map(({ name }) => name)).toEqual(agents.map(({ name }) => name));
  });
});
