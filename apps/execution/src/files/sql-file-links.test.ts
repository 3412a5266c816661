import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { createSqlFileLinks } from "./file-links.ts";

onBothEngines("links of files", (newDatabase) => {
  const start = async () => {
    const database = await openExecutionDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const links = createSqlFileLinks(database);
    const add = (forMs = 60_000) => links.add({ task_id: "t1", file_id: "F1", team: "team", forMs });
    const fetchedAgo = (ms: number) =>
      database.db
        .updateTable("agent_file_link")
        .set({ fetched_at: sql`fetched_at - ${ms}` })
        .execute();
    return { database, links, add, fetchedAgo };
  };

  test("I5: a token returns its file, and every link has its own token", async () => {
    const { links, add } = await start();
    const [one, two] = [await add(), await add()];
    expect(one).toMatch(/^czf_[\w-]{43}$/);
    expect(one).not.toBe(two);
    for (const token of [one, two]) expect(await links.find(token)).toEqual({ task_id: "t1", file_id: "F1" });
  });

  test("S14: the token is not in the database", async () => {
    const { database, add } = await start();
    const token = await add();
    const rows = await database.db.selectFrom("agent_file_link").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("unknown and expired tokens return no file, and expired links are purged", async () => {
    const { links, add } = await start();
    const [expired, current] = [await add(-1), await add()];
    for (const token of [expired, "", "czf_", `czf_${"a".repeat(43)}`, "\u0000", `${current}x`])
      expect(await links.find(token)).toBeUndefined();
    expect(await links.purge.purge(10)).toBe(1);
    expect(await links.find(current)).toBeDefined();
  });

  test("a file can be downloaded again for a minute after the first complete download", async () => {
    const { links, add, fetchedAgo } = await start();
    const token = await add();
    await links.markFetched(token);
    await fetchedAgo(50_000);
    await links.markFetched(token);
    expect(await links.find(token)).toBeDefined();
    await fetchedAgo(20_000);
    expect(await links.find(token)).toBeUndefined();
  });
});
