import { createSecretKey, randomBytes } from "node:crypto";
import { createRecordCodec, createVault, type RecordCodec } from "@crosszone/service-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { askRecord } from "../testing/ask-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createInboxWorker } from "./inbox-worker.ts";
import { createParkedRecords } from "./parked-records.ts";

const codec = (): RecordCodec => createRecordCodec(createVault([{ id: "k", key: createSecretKey(randomBytes(32)) }]));

test("what was written and answered is sealed, and opens", async () => {
  const database = await openTestDatabase();
  const inbox = createTestInbox(database, { codec: codec() });
  const record = askRecord({ text: "a secret question" });
  await inbox.accept(record);
  const entry = await inbox.take("ask");
  if (entry === undefined) throw new Error("nothing was taken");
  const answer = { state: "done", parts: ["a secret answer"] } as const;
  await inbox.note(entry, { answer });
  expect(JSON.stringify(await database.db.selectFrom("inbox").selectAll().execute())).not.toContain("secret");
  await inbox.handBack(entry);
  expect(await inbox.take("ask")).toMatchObject({ record, progress: { answer } });
});

test("a record whose key is missing holds up no other, is parked in the end, and can be tried again", async () => {
  const database = await openTestDatabase();
  const right = codec();
  const retried = vi.fn<() => void>();
  await createTestInbox(database, { codec: right }).accept(askRecord({ request_id: "sealed" }));
  const inbox = createTestInbox(database, { codec: codec(), attempts: 2 });
  vi.spyOn(inbox, "retryLater").mockImplementationOnce(async ({ record }) => {
    retried();
    // Its minute is over.
    await database.db
      .updateTable("inbox")
      .set({ state: "waiting", due_at: 0 })
      .where("request_id", "=", record.request_id)
      .execute();
  });
  await inbox.accept(askRecord({ request_id: "other", thread_ts: "2.0" }));
  const handled: string[] = [];
  const watch = { away: () => undefined, back: () => undefined, ended: () => undefined };
  const handle = async ({ record }: { record: { request_id: string } }): Promise<void> =>
    void handled.push(record.request_id);
  const worker = createInboxWorker({
    inbox,
    work: { ask: { concurrency: 1, handle } },
    leaseMs: 10_000,
    watch,
    reasonOf: String,
  });
  onTestFinished(worker.pause);
  worker.wake();
  await worker.idle();
  expect([retried.mock.calls.length, handled]).toEqual([1, ["other"]]);

  const parked = createParkedRecords(database);
  const why = "it cannot be read: is a key missing?";
  expect(await parked.list()).toMatchObject([{ request_id: "sealed", team_id: "T1", attempts: 2, why }]);
  expect([await parked.retry("sealed"), await parked.retry("sealed"), await parked.list()]).toEqual([true, false, []]);
  expect(await createTestInbox(database, { codec: right }).take("ask")).toMatchObject({
    record: { request_id: "sealed" },
    triesLeft: 7,
  });
});
