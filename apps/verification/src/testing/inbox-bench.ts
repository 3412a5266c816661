import type { Emit } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import { type Mock, onTestFinished, vi } from "vitest";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { LeasedRecord } from "../inbox/records.ts";
import type { InboxWork } from "../inbox/inbox-work.ts";
import { createInboxWorker, type InboxWorker } from "../inbox/inbox-worker.ts";
import type { RecordWorkDeps } from "../inbox/work-on-record.ts";
import { createTestInbox, openTestDatabase } from "./test-inbox.ts";

/** The lease of a bench's processes, milliseconds. */
export const leaseMs = 1_000;
const backoff = { firstMs: 40, longestMs: 1_000 };

/** A process with an inbox and its worker. */
export interface InboxBench {
  readonly database: VerificationDatabase;
  readonly inbox: Inbox;
  /** How each lease ended: outcome, request id, attempt. */
  readonly ended: [string, string, number][];
  readonly emit: Mock<Emit<VerificationEvent>>;
  /** The inbox of another process. */
  readonly other: Inbox;
  readonly work: (
    handle: (question: LeasedRecord<"ask">, lease: AbortSignal) => Promise<void>,
    more?: Partial<InboxWork<"ask">>,
  ) => InboxWorker;
  /** Makes this process's database fail, until it is called with false. */
  readonly cutOff: (isCut: boolean) => void;
}

export async function startInboxBench(): Promise<InboxBench> {
  const database = await openTestDatabase();
  let isCut = false;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      if (isCut) throw new Error("gone");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const inbox = createTestInbox({ ...database, db }, { leaseMs, attempts: 3 });
  const ended: InboxBench["ended"] = [];
  const emit = vi.fn<Emit<VerificationEvent>>();
  const onEnded: RecordWorkDeps["onEnded"] = ({ record, attempt }, { outcome }) =>
    void ended.push([outcome, record.request_id, attempt]);
  return {
    database,
    inbox,
    ended,
    emit,
    other: createTestInbox(database, { leaseMs, attempts: 3 }),
    work: (handle, more) => {
      const work = { ask: { concurrency: 10, handle, ...more } };
      const reasonOf = (error: unknown): string => (error as Error).name;
      const worker = createInboxWorker({ inbox, work, pollMs: 50, backoff, emit, onEnded, reasonOf });
      onTestFinished(() => worker.stop(0, 0));
      worker.start();
      return worker;
    },
    cutOff: (cut) => (isCut = cut),
  };
}
