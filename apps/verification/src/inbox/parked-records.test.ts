import { expect, onTestFinished, test, vi } from "vitest";
import { questionRecord } from "../testing/question-record.ts";
import { createTestInbox } from "../testing/create-test-inbox.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { Inbox } from "./inbox.ts";
import type { LeasedRecord, StoredAnswer } from "./records.ts";
import type { InboxObserver } from "./inbox-work.ts";
import { createInboxWorker, type InboxWorker } from "./inbox-worker.ts";
import { createParkedRecords } from "./parked-records.ts";

const sorry: StoredAnswer = { state: "failed", parts: ["Something went wrong."] };

async function start(handle: (question: LeasedRecord<"ask">) => Promise<void>): Promise<{
  readonly inbox: Inbox;
  readonly ended: string[];
  readonly parked: ReturnType<typeof createParkedRecords>;
}> {
  const database = await openTestDatabase();
  const inbox = createTestInbox(database, { attempts: 1 });
  await inbox.accept(questionRecord({ request_id: "1" }));
  const ended: string[] = [];
  const observer: InboxObserver = {
    unavailable: () => undefined,
    available: () => undefined,
    ended: (_question, outcome) => void ended.push(outcome),
  };
  const worker: InboxWorker = createInboxWorker({
    inbox,
    work: { ask: { concurrency: 1, handle, lastAnswer: () => sorry } },
    pollMs: 50,
    backoff: { firstMs: 1, longestMs: 2 },
    observer,
    reasonOf: String,
  });
  onTestFinished(() => worker.stop(0, 0));
  worker.start();
  return { inbox, ended, parked: createParkedRecords(database) };
}

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
