import { openZoneAudit, type ZoneAudit } from "@crosszone/audit";
import type { AuditEvent } from "@crosszone/contracts";
import type { LaneJob } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { expect, onTestFinished, vi } from "vitest";
import { type VerificationDatabase, openVerificationDatabase } from "../database.ts";
import type { InboxWorker } from "../inbox/inbox-worker.ts";
import { Inbox, type InboxOptions } from "../inbox/inbox.ts";
import type { InboxRecord, LeasedRecord, RecordHead, Question } from "../inbox/records.ts";

/** Makes the inbox of a separate process, on a database that others can share. */
export function createTestInbox(database: VerificationDatabase, options: Partial<InboxOptions> = {}): Inbox {
  const codec = createRecordCodec(undefined);
  return new Inbox(database, { leaseMs: 10_000, attempts: 8, most: 10_000, codec, ...options });
}

/** Opens an audit log that is never signed. */
export const openTestAudit = (database: VerificationDatabase, vault?: Vault): Promise<ZoneAudit> =>
  openZoneAudit({
    zone: "verification",
    config: { DATA_DIR: "", AUDIT_RETENTION_MS: 1 },
    database,
    vault,
    emit: () => undefined,
    onlyAppends: true,
  });

/** Returns the acts in the audit log, oldest first. */
export async function actsIn({ db }: VerificationDatabase): Promise<readonly AuditEvent[]> {
  const rows = await db.selectFrom("audit_event").select("event").orderBy("id").execute();
  return rows.map(({ event }) => JSON.parse(event) as AuditEvent);
}

/** Leases the oldest available record of a kind, as a worker does. */
export async function takeOne<K extends InboxRecord["kind"]>(
  inbox: Pick<Inbox, "jobs" | "read">,
  kind: K,
): Promise<LeasedRecord<K> | undefined> {
  const [job] = await inbox.jobs.store.take([{ share: kind, most: 1 }]);
  const record = job && inbox.read<K>(job);
  if (record instanceof Error) throw record;
  return record;
}

/** Leases a record that must exist. */
export async function taken<K extends InboxRecord["kind"]>(inbox: Inbox, kind: K): Promise<LeasedRecord<K>> {
  const leased = await takeOne(inbox, kind);
  if (leased === undefined) throw new Error(`no ${kind} is available`);
  return leased;
}

const jobOf = ({ id, attempt, lane }: LaneJob): LaneJob => ({ id, attempt, lane });

/** Ends a record, as a worker does. Returns false when its lease is lost. */
export const complete = ({ jobs }: Inbox, lease: LaneJob): Promise<boolean> => jobs.store.lanes.remove(jobOf(lease));

/** Releases a record to any process; the attempt does not count. Returns false when its lease is lost. */
export const release = async ({ jobs }: Inbox, lease: LaneJob, afterMs = 0): Promise<boolean | undefined> =>
  (await jobs.store.release([jobOf(lease)], { counted: false, afterMs }))[0];

/** Releases a record for another attempt. Returns false when its lease is lost. */
export const retryLater = async ({ jobs }: Inbox, lease: LaneJob, afterMs: number): Promise<boolean | undefined> =>
  (await jobs.store.release([jobOf(lease)], { counted: true, afterMs }))[0];

/** Parks a record. Returns false when its lease is lost. */
export const park = ({ jobs }: Inbox, lease: LaneJob, why: string): Promise<boolean> =>
  jobs.store.lanes.park(jobOf(lease), { parked_because: why });

/** Renews the lease of an inbox's process until the test ends, without a worker. */
export async function openInbox({ jobs }: Inbox): Promise<void> {
  await jobs.start();
  onTestFinished(jobs.stop);
}

/** Waits until no record is open. */
export async function untilIdle(inbox: Pick<Inbox, "load">, worker: Pick<InboxWorker, "running">): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await inbox.load()).toMatchObject({ waiting: 0, inWork: 0 });
      expect(worker.running()).toBe(0);
    },
    { interval: 10 },
  );
}

/** Opens a database, for tests above the stores in memory. It closes after the test. */
export async function openTestDatabase(url = "sqlite::memory:"): Promise<VerificationDatabase> {
  const database = await openVerificationDatabase({ url });
  onTestFinished(() => database.close());
  return database;
}

let count = 0;

/** Makes what a record has in common with a question, with unique ids and claims. */
export function recordHead(more: Partial<RecordHead> = {}): RecordHead {
  const { kind: _kind, ts: _ts, text: _text, files: _files, files_unknown: _unknown, ...head } = questionRecord();
  return { ...head, ...more };
}

/** Makes a question of a member, in a channel, with unique ids and claims. */
export function questionRecord(more: Partial<Question> = {}): Question {
  count += 1;
  return {
    kind: "ask",
    request_id: `r${count}`,
    correlation_id: `c${count}`,
    claims: [`event ${count}`],
    team_id: "T1",
    teams: ["T1"],
    author_teams: [],
    channel: "C1",
    thread_ts: "1.0",
    in_thread: false,
    ts: "1.0",
    user_id: "U1",
    text: "hi",
    files: [],
    files_unknown: false,
    received_at: 0,
    ...more,
  };
}
