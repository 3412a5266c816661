import { createHash } from "node:crypto";
import type { Entered, JobSchema, JobStore, JobTable, LaneGuard, LeasedJob, LeaseId } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { type Engine, nowText, rowsStatement } from "@crosszone/sql";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import type { InboxJobTable } from "../database/tables.ts";
import { InboxFullError, UnreadableRecordError } from "./endings.ts";
import type { Kind } from "./inbox-work.ts";
import {
  type InboxRecord,
  isMessageClaim,
  type Progress,
  type StopTarget,
  type TakenRecord,
  type TeamThread,
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

export interface RecordJob<K extends Kind = Kind> extends LeaseId {
  readonly leased: TakenRecord<K> | UnreadableRecordError;
}

/** Returns the job of a leased record. */
export function recordJob<K extends Kind>(leased: RecordJob<K>["leased"]): RecordJob<K> {
  const { record, attempt, lane } = leased instanceof UnreadableRecordError ? leased.lease : leased;
  return { id: record.request_id, attempt, lane, leased };
}

/** Reads the record of a leased job. */
export function readRecord<K extends InboxRecord["kind"]>(
  job: LeasedJob<InboxColumn>,
  { attempts, codec }: ReadOptions,
): TakenRecord<K> | UnreadableRecordError {
  const { id, attempt, placeholder, answer, attached, shown, stopped_by } = job;
  const lease = { attempt, lane: job.lane ?? "", triesLeft: attempts - (attempt - Number(job.uncounted)) };
  try {
    return {
      ...lease,
      record: codec.fromColumn(job.input ?? "", sealContexts.record(id)) as TakenRecord<K>["record"],
      progress: {
        ...(endingOf(stopped_by)?.reason === "withdrawn" && { isWithdrawn: true }),
        ...(placeholder !== null && { placeholder: String(placeholder) }),
        ...(answer !== null && {
          answer: codec.fromColumn(String(answer), sealContexts.answer(id)) as NonNullable<Progress["answer"]>,
        }),
        ...(attached === 1 && { attached: true }),
        ...(shown !== null && { shown: JSON.parse(String(shown)) as NonNullable<Progress["shown"]> }),
      },
    };
  } catch (error) {
    return new UnreadableRecordError({ ...lease, record: { request_id: id } }, error);
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

export interface AcceptOptions {
  readonly lanes: JobStore<InboxColumn>["lanes"];
  readonly codec: RecordCodec;
  /** How to store the record if its lane is free. */
  readonly as: "leased" | "ready";
}

/**
 * Returns the guard that refuses records with an existing claim, and all records while `most` are open. The count stops at `most` and reads
 * only records that are not parked, so it is cheap while few are open. Records that wait for people do not count.
 */
export function recordGuard(engine: Engine, most: number): LaneGuard {
  const claims =
    engine === "sqlite"
      ? "in (select value from json_each(new.claims))"
      : "= any(array(select jsonb_array_elements_text(new.claims::jsonb)))";
  const counted = `kind not in (${waitingKinds.map((kind) => `'${kind}'`).join(", ")})`;
  const open = [0, 1, 2].map((state) => `select 1 from job where state = ${state} and ${counted}`).join(" union all ");
  const isFull = `exists (select 1 from (${open}) as open limit 1 offset ${most - 1})`;
  return { columns: { claims: "text" }, refused: `exists (select 1 from claim where digest ${claims}) or ${isFull}` };
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
  { db, engine }: VerificationDatabase,
  record: InboxRecord,
  { lanes, codec, as }: AcceptOptions,
): Promise<Entered | "again" | "duplicate"> {
  const { request_id: id, kind, team_id: team } = record;
  const digests = claimsOf(record);
  const ofMessage = new Set(record.claims.filter(isMessageClaim).map(claimOf));
  const input = codec.toColumn(record, sealContexts.record(id));
  const own = { channel: channelOf(record), author: followerOf(record), attached: 0, uncounted: 0 };
  const entered = await lanes.enter(
    { id, kind, share: kind, lane: laneOfRecord(record), team, record: "{}", input, as, own },
    {
      columns: { claims: JSON.stringify(digests) },
      locks: digests,
      after: [
        claiming.query(
          engine,
          digests.map((digest) => ({ digest, request_id: id, of_message: Number(ofMessage.has(digest)) })),
        ),
      ],
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
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Records of one lane are processed one after the other: those of one kind in one thread. */
export function laneOf(kind: InboxRecord["kind"], { team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("lane", kind, team_id, channel, thread_ts);
}

/** Returns the lane of a record. A deletion waits for nothing, so it has a lane of its own. What waits for people has a lane of its own; the presses on one input request or answer share one. */
export function laneOfRecord(record: InboxRecord): string {
  const { kind, request_id } = record;
  if (kind === "stop" && record.withdraws !== undefined) return digestOf("lane", "withdraw", record.withdraws);
  if (kind === "press") return digestOf("lane", kind, record.press.id);
  return waitingKinds.some((waiting) => waiting === kind) ? digestOf("lane", kind, request_id) : laneOf(kind, record);
}

export function channelOf({ team_id, channel }: StopTarget): string {
  return digestOf("channel", team_id, channel);
}

export function threadOf({ team_id, channel, thread_ts }: TeamThread): string {
  return digestOf("thread", team_id, channel, thread_ts);
}

/** Returns how a thread names a person whom it follows: a short digest of one length, and a space. */
export function followerOf({ team_id, user_id }: Pick<InboxRecord, "team_id" | "user_id">): string {
  return `${digestOf("author", team_id, user_id).slice(0, followerLength - 1)} `;
}

export const followerLength = 13;

/**
 * Returns the context id of a thread whose first answer is that of this question: the same in every attempt. It reveals nothing of the thread,
 * because request ids are random. UUID.
 */
export function contextIdOf({ request_id }: Pick<InboxRecord, "request_id">): string {
  const hex = createHash("sha256").update(`context ${request_id}`).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
}

export const claimOf = (claim: string): string => digestOf("claim", claim);

/**
 * Returns the claims of a record, in a global order that prevents deadlocks. A record without claims claims its own id, which then shows
 * that it was accepted.
 */
export function claimsOf({ claims, request_id }: InboxRecord): string[] {
  const digests = new Set(claims.map(claimOf));
  return digests.size > 0 ? [...digests].toSorted() : [digestOf("request", request_id)];
}
