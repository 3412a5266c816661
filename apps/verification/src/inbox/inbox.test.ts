import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createStreamPace } from "../showing/streams/streams.ts";
import { createTestInbox, openTestDatabase, questionRecord } from "../testing/test-inbox.ts";
import { directMessage, startTestApp } from "../testing/start-test-app.ts";
import { createHandles } from "../link/handles.ts";
import { createStoreRetry, InboxFullError } from "./record-ends.ts";
import { createInboxWorker } from "./inbox-worker.ts";
import { createParkedRecords } from "../zone/tables.ts";
import type { LeasedRecord, StoredAnswer } from "./records.ts";
import { ThreadStore } from "./thread-store.ts";

const sorry: StoredAnswer = { state: "failed", parts: ["Something went wrong."] };

async function start(handle: (question: LeasedRecord<"ask">) => Promise<void>) {
  const database = await openTestDatabase();
  const inbox = createTestInbox(database, { attempts: 1 });
  await inbox.accept(questionRecord({ request_id: "1" }));
  const ended: string[] = [];
  const worker = createInboxWorker({
    inbox,
    work: { ask: { concurrency: 1, handle, lastAnswer: () => sorry } },
    pollMs: 50,
    backoff: { firstMs: 1, longestMs: 2 },
    emit: () => undefined,
    onEnded: (_question, { outcome }) => void ended.push(outcome),
    reasonOf: String,
  });
  onTestFinished(() => worker.stop(0, 0));
  worker.start();
  return { inbox, ended, parked: createParkedRecords(database) };
}

const failing = (error: unknown, times: number): (() => Promise<string>) => {
  const ask = vi.fn<() => Promise<string>>(async () => "stored");
  for (let time = 0; time < times; time += 1) ask.mockRejectedValueOnce(error);
  return ask;
};

describe("parked records", () => {
  test("S13: a parked question that is retried runs again, instead of a repeated apology", async () => {
    const answers: unknown[] = [];
    const { ended, parked } = await start(async ({ progress }) => {
      answers.push(progress.answer);
      if (answers.length < 3) throw new Error("no");
    });
    await vi.waitFor(() => expect(ended).toEqual(["retried", "parked"]));
    expect(await parked.retry("1")).toBe(true);
    await vi.waitFor(() => expect(ended).toEqual(["retried", "parked", "done"]));
    expect(answers).toEqual([undefined, sorry, undefined]);
  });

  test("a stored answer is posted when its parked question is retried", async () => {
    const kept: StoredAnswer = { state: "done", parts: ["kept"] };
    const answers: unknown[] = [];
    const { inbox, ended, parked } = await start(async (question) => {
      answers.push(question.progress.answer);
      if (answers.length > 1) return;
      await inbox.note(question, { answer: kept });
      throw new Error("no");
    });
    await vi.waitFor(() => expect(ended.at(-1)).toBe("parked"));
    expect(await parked.retry("1")).toBe(true);
    await vi.waitFor(() => expect(ended.at(-1)).toBe("done"));
    expect(answers).toEqual([undefined, kept]);
  });
});

test("a question with a fast answer takes five writes in three tables; the thread's next question, four in two", async () => {
  const database = await openTestDatabase();
  const { db } = database;
  await sql`create table written (what text)`.execute(db);
  for (const table of ["job", "claim", "thread", "handle", "stream_pace"])
    for (const verb of ["insert", "update", "delete"])
      await sql
        .raw(
          `create trigger of_${table}_${verb} after ${verb} on ${table} begin insert into written values ('${verb} ${table}'); end`,
        )
        .execute(db);
  const written = async (): Promise<string[]> => {
    const { rows } = await sql<{ what: string }>`select what from written order by rowid`.execute(db);
    await sql`delete from written`.execute(db);
    return rows.map(({ what }) => what);
  };

  const stores = {
    threads: new ThreadStore(database),
    streamPace: createStreamPace(database),
    handles: createHandles(database, { now: Date.now, ttlMs: 60_000 }),
  };
  const inbox = createTestInbox(database);
  const looks = vi.spyOn(inbox.jobs.store, "waitingShares");
  const app = await startTestApp({ inbox, ...stores, limits: { SHOW_WORK_AFTER_MS: 10_000 } });
  app.zone.on("execute_task", () => ({ status: "success", response_text: "hi", agent: "scout" }));
  // After an empty poll, a question starts when it arrives.
  await vi.waitFor(() => expect(looks.mock.settledResults.map(({ type }) => type)).toContain("fulfilled"));
  const asks = async (message: ReturnType<typeof directMessage>): Promise<string[]> => {
    await app.deliver(message);
    await app.idle();
    return written();
  };
  const first = directMessage("hi");
  const [event, place] = ["insert claim", "insert claim"];
  const answer = "update job";
  expect((await asks(first)).toSorted()).toEqual(
    [event, place, "insert job", answer, "insert thread", "delete job"].toSorted(),
  );
  expect((await asks(directMessage("again", { thread_ts: first.ts }))).toSorted()).toEqual(
    [event, place, "insert job", answer, "delete job"].toSorted(),
  );
});

describe("store retry", () => {
  test("S5: after a short database failure the statement is retried, and its result is returned", async () => {
    const ask = failing(new Error("connection lost"), 3);
    expect(await createStoreRetry(2_000)(ask)).toBe("stored");
    expect(ask).toHaveBeenCalledTimes(4);
  });

  test("S5: after the deadline a call rejects with its last error, and later calls fail too", async () => {
    const retryStore = createStoreRetry(300);
    await expect(retryStore(failing(new Error("gone"), 1_000))).rejects.toThrow("gone");
    await expect(retryStore(failing(new Error("still gone"), 1_000))).rejects.toThrow(/still gone|not done within/);
  });

  test("a full inbox is not retried", async () => {
    const ask = failing(new InboxFullError("full"), 1);
    await expect(createStoreRetry(2_000)(ask)).rejects.toThrow(InboxFullError);
    expect(ask).toHaveBeenCalledOnce();
  });
});
