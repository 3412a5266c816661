import { createSecretKey, randomBytes } from "node:crypto";
import { jobStates } from "@crosszone/jobs";
import { createMetrics, createRecordCodec, createVault, type RecordCodec } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAppEmit } from "./create-emit.ts";
import { loggerInto } from "../testing/start-test-app.ts";
import {
  questionRecord,
  createTestInbox,
  takeOne,
  untilIdle,
  openTestDatabase,
  release,
} from "../testing/test-inbox.ts";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import { createParkedRecords } from "./tables.ts";

const codec = (): RecordCodec => createRecordCodec(createVault([{ id: "k", key: createSecretKey(randomBytes(32)) }]));

test("records and their answers are sealed, and can be opened", async () => {
  const database = await openTestDatabase();
  const inbox = createTestInbox(database, { codec: codec() });
  const record = questionRecord({ text: "a secret question" });
  await inbox.accept(record);
  const question = await takeOne(inbox, "ask");
  if (question === undefined) throw new Error("nothing was taken");
  const answer = { state: "done", parts: ["a secret answer"] } as const;
  await inbox.note(question, { answer });
  expect(JSON.stringify(await database.db.selectFrom("job").selectAll().execute())).not.toContain("secret");
  await release(inbox, question);
  expect(await takeOne(inbox, "ask")).toMatchObject({ record, progress: { answer } });
});

test("a record whose key is missing blocks no other, is parked in the end, and can be retried", async () => {
  const database = await openTestDatabase();
  const right = codec();
  const retried = vi.fn<() => void>();
  await createTestInbox(database, { codec: right }).accept(questionRecord({ request_id: "sealed" }));
  const inbox = createTestInbox(database, { codec: codec(), attempts: 2 });
  vi.spyOn(inbox.jobs.store, "release").mockImplementationOnce(async ([lease]) => {
    retried();
    // Its pause is over.
    await database.db
      .updateTable("job")
      .set({ state: jobStates.ready, due_at: 0 })
      .where("id", "=", lease?.id ?? "")
      .execute();
    return [true];
  });
  await inbox.accept(questionRecord({ request_id: "other", thread_ts: "2.0" }));
  const handled: string[] = [];
  const logs: Record<string, unknown>[] = [];
  const metrics = createMetrics();
  const handle = async ({ record }: { record: { request_id: string } }): Promise<void> =>
    void handled.push(record.request_id);
  const worker = createInboxWorker({
    inbox,
    work: { ask: { concurrency: 1, handle } },
    emit: createAppEmit(loggerInto(logs), metrics.registry, createTracer()),
    reasonOf: String,
  });
  onTestFinished(() => worker.stop(0, 0));
  worker.start();
  await untilIdle(inbox, worker);
  expect([retried.mock.calls.length, handled]).toEqual([1, ["other"]]);

  const parked = createParkedRecords(database);
  const why = "the record cannot be read: a key may be missing";
  const line = { request_id: "sealed", kind_of_record: "ask", cause: expect.anything() };
  expect(logs.filter(({ level }) => level !== "debug")).toMatchObject([
    { event: "question_retried", level: "warn", ...line, attempt: 1, wait_ms: expect.any(Number) },
    { event: "question_parked", level: "error", ...line, attempt: 2, why },
  ]);
  const { body } = await metrics.render();
  for (const outcome of ["retried", "parked", "done"])
    expect(body).toContain(`inbox_attempts_total{kind="ask",outcome="${outcome}"} 1`);
  expect(await parked.list()).toMatchObject([{ request_id: "sealed", team_id: "T1", attempts: 2, why }]);
  expect([await parked.retry("sealed"), await parked.retry("sealed"), await parked.list()]).toEqual([true, false, []]);
  expect(await takeOne(createTestInbox(database, { codec: right }), "ask")).toMatchObject({
    record: { request_id: "sealed" },
    tries: "more",
  });
});

test("a start with wrong keys parks nothing for an hour, and does not count as an outage of the inbox", async () => {
  const database = await openTestDatabase();
  await createTestInbox(database, { codec: codec() }).accept(questionRecord({ request_id: "sealed" }));
  const inbox = createTestInbox(database, { codec: codec() });
  const releaseNow = inbox.jobs.store.release.bind(inbox.jobs.store);
  const waits: number[] = [];
  vi.spyOn(inbox.jobs.store, "release").mockImplementation(async (leases, { counted, afterMs = 0 }) => {
    waits.push(afterMs);
    return releaseNow(leases, { counted });
  });
  const told: string[] = [];
  const worker = createInboxWorker({
    inbox,
    work: { ask: { concurrency: 1, handle: async () => undefined } },
    pollMs: 50,
    emit: (event, ...[fields]) => void told.push(`${event} ${String((fields as { attempt?: number }).attempt)}`),
    reasonOf: String,
  });
  onTestFinished(() => worker.stop(0, 0));
  worker.start();
  await untilIdle(inbox, worker);
  const ofRecord = told.filter((event) => !event.startsWith("job_"));
  expect(ofRecord).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7].map((attempt) => `question_retried ${attempt}`),
    "question_parked 8",
  ]);
  expect(waits[0]).toBeLessThanOrEqual(60_000);
  expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(3_600_000);
});
