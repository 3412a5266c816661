import { createSecretKey, randomBytes } from "node:crypto";
import { createRecordCodec, createVault } from "@crosszone/service-kit";
import { openDatabase } from "@crosszone/sql";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { verificationMigrations } from "./migrations.ts";
import { openVerificationDatabase, type VerificationDatabase } from "./open-verification-database.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { untilIdle } from "../testing/take-one.ts";
import { channelOf, laneOf } from "../inbox/digests.ts";
import type { LeasedRecord } from "../inbox/records.ts";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import { jobsStep } from "./jobs-step.ts";
import { createParkedRecords } from "../inbox/parked-records.ts";

const codec = createRecordCodec(createVault([{ id: "k", key: createSecretKey(randomBytes(32)) }]));

interface OldRow {
  readonly id: string;
  readonly thread: string;
  readonly state: "waiting" | "in_work" | "parked";
  readonly attempt?: number;
  readonly uncounted?: number;
  readonly dueInMs?: number;
  readonly placeholder?: string;
  readonly isAnswered?: boolean;
  readonly isPlain?: boolean;
}

/** Records that wait, are leased, retried, released or parked, some with progress. All but one are sealed. */
const rows: readonly OldRow[] = [
  { id: "in work", thread: "a", state: "in_work", attempt: 1, dueInMs: 300, placeholder: "1.5" },
  { id: "behind it", thread: "a", state: "waiting" },
  { id: "last", thread: "a", state: "waiting", isPlain: true },
  { id: "parked", thread: "b", state: "parked", attempt: 9, isAnswered: true },
  { id: "after it", thread: "b", state: "waiting" },
  { id: "retried", thread: "c", state: "waiting", attempt: 3, uncounted: 1, dueInMs: 200 },
  { id: "behind retried", thread: "c", state: "waiting" },
];

/** Stores rows as the previous version did. */
async function plant(url: string): Promise<void> {
  const { "0008_jobs": _jobs, "0009_add_messages": _messages, ...migrations } = verificationMigrations;
  const database = await openDatabase<never>({ url, schema: "verification", migrations });
  for (const row of rows) {
    const record = questionRecord({ request_id: row.id, thread_ts: row.thread, text: `text of ${row.id}` });
    const sealed = codec.toColumn(record, `inbox.record ${row.id}`);
    const answer = codec.toColumn({ state: "done", parts: ["kept"] }, `inbox.answer ${row.id}`);
    const now = Date.now();
    await sql`
      insert into inbox (request_id, kind, team_id, lane, channel, record, state, due_at, attempt, uncounted, owner,
        placeholder, answer, accepted_at, parked_at, parked_because)
      values (${row.id}, 'ask', 'T1', ${laneOf("ask", record)}, ${channelOf(record)},
        ${row.isPlain ? JSON.stringify(record) : sealed}, ${row.state},
        ${row.state === "parked" ? null : now + (row.dueInMs ?? -1_000)}, ${row.attempt ?? 0}, ${row.uncounted ?? 0},
        ${row.state === "in_work" ? "old process" : null}, ${row.placeholder ?? null}, ${row.isAnswered ? answer : null},
        ${now - 1_000}, ${row.state === "parked" ? now : null}, ${row.state === "parked" ? "why" : null})`.execute(
      database.db,
    );
  }
  for (const [digest, joined] of [
    ["joined", 1],
    ["not joined", 0],
  ])
    await sql`insert into thread (digest, team_id, joined, used_at) values (${digest}, 'T1', ${joined}, 1)`.execute(
      database.db,
    );
  await database.close();
}

contractOnBothEngines("an inbox of the previous version", (newDatabase) => {
  const open = async (url: string): Promise<VerificationDatabase> => {
    const database = await openVerificationDatabase({ url });
    onTestFinished(() => database.close());
    return database;
  };

  test("is migrated: each record is answered once, in order, with its notes; a parked record when it is retried", async () => {
    const url = await newDatabase();
    await plant(url);
    const database = await open(url);
    const parked = createParkedRecords(database);
    expect(await parked.list()).toMatchObject([{ request_id: "parked", team_id: "T1", attempts: 9, why: "why" }]);
    const inbox = createTestInbox(database, { codec, leaseMs: 500 });
    expect(await inbox.load()).toMatchObject({ waiting: 5, inWork: 1, parked: 1 });
    const questions: LeasedRecord<"ask">[] = [];
    const worker = createInboxWorker({
      inbox,
      pollMs: 50,
      work: { ask: { concurrency: 10, handle: async (question) => void questions.push(question) } },
      observer: { unavailable: () => undefined, available: () => undefined, ended: () => undefined },
      reasonOf: String,
    });
    onTestFinished(() => worker.stop(0, 0));
    worker.start();
    await untilIdle(inbox, worker);
    expect(await parked.retry("parked")).toBe(true);
    await untilIdle(inbox, worker);

    expect(questions.map(({ record }) => record.text).toSorted()).toEqual(
      rows.map(({ id }) => `text of ${id}`).toSorted(),
    );
    const inThread = (thread: string): unknown[] =>
      questions.flatMap(({ record, attempt }) => (record.thread_ts === thread ? [[record.request_id, attempt]] : []));
    expect(inThread("a")).toEqual([
      ["in work", 2],
      ["behind it", 1],
      ["last", 1],
    ]);
    expect(inThread("b")).toEqual([
      ["after it", 1],
      ["parked", 10],
    ]);
    expect(inThread("c")).toEqual([
      ["retried", 4],
      ["behind retried", 1],
    ]);
    const progress = new Map(questions.map(({ record, progress: noted }) => [record.request_id, noted]));
    expect(progress.get("in work")).toEqual({ placeholder: "1.5" });
    expect(progress.get("parked")).toEqual({ answer: { state: "done", parts: ["kept"] } });
    const threads = await database.db.selectFrom("thread").select("digest").execute();
    expect(threads).toEqual([{ digest: "joined" }]);
  });

  test("is restored when the step is undone", async () => {
    const url = await newDatabase();
    await plant(url);
    const { "0008_jobs": _jobs, "0009_add_messages": _messages, ...before } = verificationMigrations;
    const all = sql<Record<string, unknown>>`select * from inbox order by sequence`;
    const old = await openDatabase<never>({ url, schema: "verification", migrations: before });
    const planted = (await all.execute(old.db)).rows;
    await old.close();
    const database = await open(url);
    await database.transaction((within) => jobsStep.down(within as never, database.engine));
    expect((await all.execute(database.db)).rows).toEqual(planted);
  });
});
