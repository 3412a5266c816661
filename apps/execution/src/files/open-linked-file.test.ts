import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { contractOnSameTables } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import type { GrantFiles } from "../tasks/grant-files.ts";
import { openTaskStore } from "../tasks/sql/open-task-store.ts";
import { newTask } from "../testing/new-task.ts";
import { createOpenLinkedFile } from "./open-linked-file.ts";
import { createSqlFileLinks } from "./file-links.ts";

const { signal } = new AbortController();
const handle = "czh_of-the-task";
const attachments = [
  { id: "F1", name: "large.csv", mime_type: "text/csv" },
  { id: "F2", mime_type: "text/x\r\ny: z" },
];

contractOnSameTables("opening linked files", (newDatabase) => {
  const start = async () => {
    const vault = createVault([{ id: "k", key: createSecretKey(randomBytes(32)) }]);
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
