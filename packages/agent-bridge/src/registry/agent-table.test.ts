import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openAgents } from "../testing/start-registry.ts";
import { createAgentStore } from "./agent-store.ts";

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
