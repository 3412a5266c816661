import { hash } from "node:crypto";
import type { Entered, JobSchema, JobStore, JobTable, LeasedJob, LaneGuard } from "@crosszone/jobs";
import { isKeyMissing, type RecordCodec } from "@crosszone/service-kit";
import { nowText, rowsStatement, type Engine } from "@crosszone/sql";
import type { InboxJobTable, VerificationDatabase } from "../database.ts";
import { InboxFullError, type RecordJob, UnreadableRecordError } from "./record-ends.ts";
import {
  type InboxRecord,
  isMessageClaim,
  type LeasedRecord,
  type PersonInThread,
  type Progress,
  type StopTarget,
  type TeamThread,
  type Tries,
  waitingKinds,
} from "./records.ts";

/** The columns that records have besides those of every job. */
export type InboxColumn = Exclude<keyof InboxJobTable, keyof JobTable>;

export const inboxJobs: JobSchema<InboxColumn> = {
  own: {
    channel: "text",
    placeholder: "text",
    answer: "text",
    attached: "bigint",
    shown: "text",
    stopped_by: "text",
    author: "text",
    parked_because: "text",
    uncounted: "bigint",
  },
  ended: [],
  cleared: [],
  uncounted: "uncounted",
};

/** Returns the contexts that seal columns to their row. */
export const sealContexts = {
  record: (requestId: string): string => `inbox.record ${requestId}`,
  answer: (requestId: string): string => `inbox.answer ${requestId}`,
};

export interface ReadOptions {
  /** Maximum number of attempts per record. */
  readonly attempts: number;
  readonly codec: RecordCodec;
}

/** `left`: how many attempts may follow, below 0 when there were more than may be. */
export function triesOf(left: number): Tries {
  if (left > 0) return "more";
  if (left === 0) return "last";
  return left === -1 ? "spent" : "over";
}

/** How long a record waits for a process that has its key, milliseconds. Then it counts as unreadable, and is parked in the end. */
const keyWaitMs = 86_400_000;

/** Reads the record of a leased job. Throws while it waits for a process that has its key. */
export function readRecord<K extends InboxRecord["kind"]>(
  job: LeasedJob<InboxColumn>,
  { attempts, codec }: ReadOptions,
): RecordJob<K> {
  const { id, attempt, placeholder, answer, attached, shown, stopped_by } = job;
  const lease = { id, attempt, lane: job.lane ?? "", tries: triesOf(attempts - (attempt - Number(job.uncounted))) };
  try {
    return {
      ...lease,
      record: codec.fromColumn(job.input ?? "", sealContexts.record(id)) as LeasedRecord<K>["record"],
      progress: {
        isWithdrawn: endingOf(stopped_by)?.reason === "withdrawn" || undefined,
        placeholder: placeholder === null ? undefined : String(placeholder),
        answer:
          answer === null
            ? undefined
            : (codec.fromColumn(String(answer), sealContexts.answer(id)) as Progress["answer"]),
        attached: attached === 1 || undefined,
        shown: shown === null ? undefined : (JSON.parse(String(shown)) as Progress["shown"]),
      },
    };
  } catch (error) {
    if (isKeyMissing(error) && job.waited_ms < keyWaitMs) throw error;
    return new UnreadableRecordError(lease, error);
  }
}

/** How a question is ended from outside, and by whom, if known. */
export interface OutsideEnd {
  readonly reason: "stopped" | "withdrawn";
  readonly by: string | undefined;
}

/** Stands in `stopped_by` in place of a stop record, if the question's author deleted it. */
export const withdrawnMark = "withdrawn";

/** Reads `stopped_by`. */
export function endingOf(stoppedBy: unknown): OutsideEnd | undefined {
  if (typeof stoppedBy !== "string") return undefined;
  const [mark, by] = stoppedBy.split(" ");
  return { reason: mark === withdrawnMark ? "withdrawn" : "stopped", by };
}

interface AcceptOptions {
  readonly lanes: JobStore<InboxColumn>["lanes"];
  readonly codec: RecordCodec;
  /** How to store the record if its lane is free. */
  readonly as: "leased" | "ready";
}

/**
 * Stores the claims of a record that was stored in the same transaction. The claims of a record that was accepted before exist already. If
 * a process of a version without locks stored one meanwhile, the statement and its transaction fail.
 */
const claiming = rowsStatement({
  columns: { digest: "text", request_id: "text", of_message: "bigint" },
  text: (rows, engine) => `
    insert into claim (digest, request_id, claimed_at, of_message)
    select digest, request_id, ${nowText[engine]}, of_message from ${rows}
    where exists (select 1 from job where job.id = new.request_id)
      and not exists (select 1 from claim where claim.digest = new.digest and claim.request_id = new.request_id)`,
});

/**
 * Accepts a record with its claims in one round trip, unless the guard refuses it. Resolves with how it was stored; `again` if it was accepted
 * before and may be done.
 */
export async function acceptRecord(
  { db }: VerificationDatabase,
  record: InboxRecord,
  { lanes, codec, as }: AcceptOptions,
): Promise<Entered | "again" | "duplicate"> {
  const { request_id: id, kind, team_id: team } = record;
  const digests = claimsOf(record);
  const ofMessage = new Set(record.claims.filter(isMessageClaim).map(claimOf));
  const input = codec.toColumn(record, sealContexts.record(id));
  const own = { channel: channelDigest(record), author: followerOf(record), attached: 0, uncounted: 0 };
  const entered = await lanes.enter(
    { id, kind, share: kind, lane: laneOfRecord(record), team, record: "{}", input, as, own },
    {
      columns: { claims: JSON.stringify(digests) },
      locks: digests,
      after: {
        statement: claiming,
        rows: digests.map((digest) => ({ digest, request_id: id, of_message: Number(ofMessage.has(digest)) })),
      },
    },
  );
  if (entered !== undefined) return entered;
  const holders = await db.selectFrom("claim").select("request_id").where("digest", "in", digests).execute();
  if (holders.length === 0) throw new InboxFullError("the inbox is full");
  const isSame = holders.length === digests.length && holders.every(({ request_id }) => request_id === id);
  return isSame ? "again" : "duplicate";
}

/** Lookup keys are stored as digests, because external text can have any length and characters that an index rejects. */
function digestOf(...parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}

/** Records of one lane are processed one after the other: those of one kind in one thread. */
export function laneOf(kind: InboxRecord["kind"], { team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("lane", kind, team_id, channel, thread_ts);
}

/** Returns the lane of a record. A deletion waits for nothing, so it has a lane of its own. So has a fire, and what waits for people; the presses on one input request or answer share one. */
export function laneOfRecord(record: InboxRecord): string {
  const { kind, request_id } = record;
  if (kind === "stop" && record.withdraws !== undefined) return digestOf("lane", "withdraw", record.withdraws);
  if (kind === "press") return digestOf("lane", kind, record.press.id);
  if (kind === "fire") return digestOf("lane", kind, request_id);
  return waitingKinds.some((waiting) => waiting === kind) ? digestOf("lane", kind, request_id) : laneOf(kind, record);
}

export function channelDigest({ team_id, channel }: StopTarget): string {
  return digestOf("channel", team_id, channel);
}

export function threadDigest({ team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("thread", team_id, channel, thread_ts);
}

/** Returns how a thread names a person whom it follows: a short digest of one length, and a space. */
export function followerOf({ team_id, user_id }: PersonInThread): string {
  return `${digestOf("author", team_id, user_id).slice(0, followerLength - 1)} `;
}

export const followerLength = 13;

/**
 * Returns the context id of a thread whose first answer is that of this question: the same in every attempt. It reveals nothing of the thread,
 * because request ids are random. UUID.
 */
export function threadContextId(requestId: string): string {
  return hash("sha256", `context ${requestId}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
}

export const claimOf = (claim: string): string => digestOf("claim", claim);

/**
 * Returns the claims of a record, in a global order that prevents deadlocks. A record without claims claims its own id, which then shows
 * that it was accepted.
 */
function claimsOf({ claims, request_id }: InboxRecord): string[] {
  const digests = new Set(claims.map(claimOf));
  return digests.size > 0 ? [...digests].toSorted() : [digestOf("request", request_id)];
}

/** Records that wait for people do not count. */
export const countedRecords = `kind not in (${waitingKinds.map((kind) => `'${kind}'`).join(", ")})`;

/**
 * Returns the guard that refuses records with an existing claim, and all records while `most` are open. The count stops at `most` and reads
 * only records that are not parked, so it is cheap while few are open.
 */
export function recordGuard(engine: Engine, most: number): LaneGuard {
  const claims =
    engine === "sqlite"
      ? "in (select value from json_each(new.claims))"
      : "= any(array(select jsonb_array_elements_text(new.claims::jsonb)))";
  const open = [0, 1, 2]
    .map((state) => `select 1 from job where state = ${state} and ${countedRecords}`)
    .join(" union all ");
  const isFull = `exists (select 1 from (${open}) as open limit 1 offset ${most - 1})`;
  return { columns: { claims: "text" }, refused: `exists (select 1 from claim where digest ${claims}) or ${isFull}` };
}
