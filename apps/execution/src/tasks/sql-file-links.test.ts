// suite: both
import { randomUUID } from "node:crypto";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { openExecutionDatabase } from "../store/open-execution-database.ts";
import { createOpenLinkedFile, createSqlFileLinks } from "./file-links.ts";
import type { GrantFiles } from "./task-files.ts";
import { openTaskStore } from "./store/task-store.ts";
import { newTask, newVault } from "../testing/new-task.ts";

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

  test("I5: a token returns its file, every link has its own token, and the database has none", async () => {
    const { database, links, add } = await start();
    const [one, two] = [await add(), await add()];
    expect(one).toMatch(/^czf_[\w-]{43}$/);
    expect(one).not.toBe(two);
    const rows = await database.db.selectFrom("agent_file_link").selectAll().execute();
    expect(rows).toHaveLength(2);
    for (const token of [one, two]) {
      expect(await links.find(token)).toEqual({ task_id: "t1", file_id: "F1" });
      expect(JSON.stringify(rows)).not.toContain(token);
    }
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

const { signal } = new AbortController();
const handle = "czh_of-the-task";
const attachments = [
  { id: "F1", name: "large.csv", mime_type: "text/csv" },
  { id: "F2", mime_type: "text/x\r\ny: z" },
];

onBothEngines("opening linked files", (newDatabase) => {
  const start = async () => {
    const vault = newVault();
    const { store, database } = await openTaskStore({ url: await newDatabase(), vault });
    onTestFinished(() => database.close());
    const links = createSqlFileLinks(database);
    const { task } = await store.create({ ...newTask({ params: { channel: "C1", text: "", attachments } }), handle });
    const grantFiles = vi.fn<GrantFiles>(() => async (id) => Buffer.from(`lent ${id}`));
    const open = (readerOf = (_taskId: string) => undefined as ReturnType<GrantFiles> | undefined) =>
      createOpenLinkedFile({ links, store, readerOf, grantFiles });
    const link = (file_id = "F1", task_id = task.task_id) =>
      links.add({ task_id, file_id, team: undefined, forMs: 60_000 });
    return { store, task, grantFiles, open, link };
  };

  test("I5: a process that runs the task reads the file with the task's own reader", async () => {
    const { open, link, grantFiles, task } = await start();
    const readerOf = (taskId: string) => (taskId === task.task_id ? async () => Buffer.from("own") : undefined);
    const file = await open(readerOf)(await link(), signal);
    expect(file?.mediaType).toBe("text/csv");
    expect(String(await file?.read())).toBe("own");
    expect(grantFiles).not.toHaveBeenCalled();
  });

  test("I5: after a restart the file is read with the stored handle", async () => {
    const { open, link, grantFiles } = await start();
    const file = await open()(await link(), signal);
    expect(String(await file?.read())).toBe("lent F1");
    expect(grantFiles.mock.calls).toEqual([[{ handle, signal }]]);
  });

  test("an invalid media type is not sent", async () => {
    const { open, link } = await start();
    expect((await open()(await link("F2"), signal))?.mediaType).toBe("application/octet-stream");
  });

  test("links to files of other tasks, of unknown tasks and of ended tasks return no file", async () => {
    const { open, link, store, task } = await start();
    const known = await link();
    expect(await open()(known, signal)).toBeDefined();
    await store.cancel(task.task_id, { error: { kind: "canceled", data: {} } });
    for (const token of [known, await link("F9"), await link("F1", randomUUID()), "czf_no"])
      expect(await open()(token, signal)).toBeUndefined();
  });
});
