import type { MessageRecord, WantedAct } from "@crosszone/contracts";
import { jobStates } from "@crosszone/jobs";
import { type CompiledQuery, type Selectable, sql } from "kysely";
import type { MessagesTable, VerificationDatabase } from "../database.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { ObservedRecord, RecordEnd } from "../inbox/record-ends.ts";
import { claimOf } from "../inbox/record-rows.ts";
import { type InboxRecord, isMessageClaim, type OpenQuestion, pausedClaim, type RecordHead } from "../inbox/records.ts";
import type { Judgment } from "../policy/policies.ts";

type Row = Selectable<MessagesTable>;

type End = Pick<Row, "state" | "rule" | "reason" | "outcome" | "attempts">;

/** What this process knows of a record until it ends. */
interface Known {
  readonly judged_at?: number;
  /** A denied question is done for the inbox; its end is the denial. */
  readonly denied?: End | undefined;
  readonly posted_at?: number;
  /** What the answer in Slack says, if it is no answer. */
  readonly said?: Pick<End, "outcome" | "reason">;
}

/** Stores what became of messages, and what execution has not been told of it. */
export type MessageEnds = ReturnType<typeof createMessageEnds>;

const turnedAway = "too many questions wait in this thread";
const decidesNothing = "a word or two in a thread that waits for a decision: a message decides nothing";
const oneWord = "one word to a question that is in work";

const states = {
  done: "answered",
  given_up: "given_up",
  unanswerable: "rejected",
  parked: "parked",
  withdrawn: "withdrawn",
} as const;

/** The outcomes after which this process may lease the record again. A denial is judged again then. */
const goesOnHere: ReadonlySet<RecordEnd["outcome"]> = new Set(["retried", "waiting"]);

/** The longest rule and reason, characters. */
const longest = { rule: 255, reason: 1_000 };

/** Makes the ends of messages, which are stored with the ends of their records. */
export function createMessageEnds(database: VerificationDatabase, now: () => number) {
  const { db } = database;
  const known = new Map<string, Known>();
  const note = ({ request_id }: RecordHead, more: Known): void =>
    void known.set(request_id, { ...known.get(request_id), ...more });

  /** The task of a question that waits for people goes on: the message is open until that ends. */
  const answered = (question: RecordHead) => {
    const digest = claimOf(pausedClaim(question.request_id));
    const paused = sql`select 1 from claim join job on job.id = claim.request_id where claim.digest = ${digest}`;
    return sql<string>`case when exists (${paused}) then 'open' else 'answered' end`;
  };

  function storing(record: InboxRecord, end: End, times: Known): CompiledQuery[] {
    const { correlation_id: reference, team_id, channel, thread_ts, user_id, received_at } = record;
    const { judged_at = null, posted_at = null } = times;
    const { request_id } = record;
    const { attempts, ...ended } = { ...end, judged_at, posted_at, ended_at: now(), request_id };
    const state = end.state === "answered" && record.kind === "ask" ? answered(record) : end.state;
    const row = { reference, team_id, channel, thread_ts, user_id, received_at, ts: tsOf(record), ...ended };
    const inserted = db.insertInto("message").values({ ...row, attempts, state });
    const updated = inserted.onConflict((same) =>
      same.column("reference").doUpdateSet((stored) => ({
        ...ended,
        state,
        // The attempts at a task that waits are not those at the message.
        attempts: /^(paused_task|failed_run)$/.test(record.kind) ? stored.ref("message.attempts") : attempts,
        judged_at: stored.fn.coalesce("excluded.judged_at", "message.judged_at"),
        revision: sql<number>`message.revision + 1`,
      })),
    );
    return [updated.compile()];
  }

  return {
    /** Notes the judgment of a record. */
    judged: (record: InboxRecord, { denial, verdicts }: Judgment): void => {
      const { rule = null } = verdicts.at(-1) ?? {};
      const denied = denial && { state: "denied", rule, reason: denial.reason, outcome: null, attempts: 0 };
      note(record, { judged_at: now(), denied });
    },
    /** Notes that the answer to a record is in Slack, and what it says. */
    posted: (record: RecordHead, { state, failure }: { state: string; failure?: string | undefined }): void =>
      note(record, { posted_at: now(), said: { outcome: state === "done" ? null : state, reason: failure ?? null } }),
    /** Returns the statements that store what became of the message of a record, if the record ends. */
    ended: (leased: ObservedRecord, { outcome, why: reason }: RecordEnd): readonly CompiledQuery[] => {
      const state = states[outcome as keyof typeof states] as MessageRecord["state"] | undefined;
      const { request_id } = leased.record;
      const { denied, said, ...times } = known.get(request_id) ?? {};
      known.delete(request_id);
      if (state === undefined && goesOnHere.has(outcome)) known.set(request_id, { ...times, said });
      // A record that can't be read has only its id.
      if (state === undefined || !("user_id" in leased.record)) return [];
      const record = leased.record as InboxRecord;
      if (denied !== undefined) return storing(record, denied, times);
      const end: End = { state, rule: null, reason: reason ?? null, outcome: null, attempts: leased.attempt };
      // What becomes of a fire that has begun is its question's.
      const isLost = record.kind === "fire" && state !== "answered";
      // The result of a run that an operator retried takes the place of its failure.
      if (state === "answered" && said !== undefined) return storing(record, { ...end, ...said }, times);
      if (record.kind === "ask" || record.kind === "paused_task" || state === "withdrawn" || isLost)
        return storing(record, end, times);
      if (record.kind === "missed")
        return storing(record, { ...end, state: "missed", reason: record.reason, attempts: 0 }, times);
      if (record.kind !== "turned_away") return [];
      const why = record.awaits ? decidesNothing : record.one_word === true ? oneWord : turnedAway;
      const rejected = { ...end, state: "rejected", reason: why, outcome: why === turnedAway ? null : "no_question" };
      return storing(record, rejected, times);
    },
    /** Returns a question that has not ended as it is reported, before any change of its row. */
    opened: ({ record, attempt: attempts }: OpenQuestion): MessageRecord => {
      const { correlation_id: reference, team_id, channel, thread_ts, user_id, received_at } = record;
      const { judged_at = null } = known.get(record.request_id) ?? {};
      const where = { team_id, channel, thread_ts, user_id, ts: tsOf(record) };
      const times = { received_at, judged_at, posted_at: null, ended_at: received_at };
      return messageOf({
        reference,
        ...where,
        ...times,
        state: "open",
        rule: null,
        reason: null,
        outcome: null,
        attempts,
        revision: 0,
      });
    },
    ...reportsOf(database),
    ...actsOf(database, now),
  };
}

const isUnreported = sql<boolean>`reported < revision`;

/** Reads and marks the changes that execution does not have. */
function reportsOf({ db, batch }: VerificationDatabase) {
  return {
    /** Returns messages whose last change execution does not have, in the order of the changes. */
    unreported: async (most: number): Promise<readonly MessageRecord[]> => {
      const rows = db.selectFrom("message").selectAll().where(isUnreported).orderBy("ended_at").limit(most);
      return (await rows.execute()).map(messageOf);
    },
    unreportedCount: async (): Promise<number> => {
      const counted = db.selectFrom("message").select(({ fn }) => fn.countAll<number>().as("count"));
      return (await counted.where(isUnreported).executeTakeFirstOrThrow()).count;
    },
    /** Stores that execution has these reports. A later change is reported again. */
    reported: async (messages: readonly MessageRecord[]): Promise<void> =>
      void (await batch(
        messages.map(({ reference, revision }) =>
          db.updateTable("message").set({ reported: revision }).where("reference", "=", reference).compile(),
        ),
      )),
  };
}

/** Does what operators want with parked messages. */
function actsOf({ db, batch }: VerificationDatabase, now: () => number) {
  const parked = sql<boolean>`state = 'parked'`;
  return {
    hasParked: async (): Promise<boolean> =>
      (await db.selectFrom("message").select("reference").where(parked).limit(1).execute()).length > 0,
    /**
     * Stores that a message is open again, or discarded, with the change of its record. Changes nothing if the message has a later revision,
     * so an act is done once. A message whose record is gone is discarded.
     */
    act: async ({ reference, revision, act }: WantedAct, { jobs }: Inbox): Promise<void> => {
      const same = sql<boolean>`reference = ${reference} and revision = ${revision} and state = 'parked'`;
      const found = db.selectFrom("message").select("request_id").where(same);
      const { request_id: id } = (await found.executeTakeFirst()) ?? {};
      if (id == null) return;
      const record = db.selectFrom("job").select("id").where("id", "=", id);
      const isReplay = act === "replay";
      const open = isReplay ? record : record.where("state", "<>", jobStates.parked);
      const state = sql<string>`case when exists ${open} then 'open' else 'discarded' end`;
      const changed = { state, revision: revision + 1, ended_at: now() };
      const changing = db.updateTable("message").set(changed).where(same).compile();
      const only = sql`exists (select 1 from message where reference = ${reference} and revision = ${revision + 1}
        and state = ${isReplay ? "open" : "discarded"})`;
      const { lanes } = jobs.store;
      const how = { also: [changing], only };
      if (!(await (isReplay ? lanes.unpark(id, how) : lanes.discard(id, how)))) await batch([changing]);
    },
  };
}

/** Returns the timestamp of the message itself; null for a record without a message. */
const tsOf = ({ claims }: RecordHead): string | null => claims.find(isMessageClaim)?.split(" ").at(-1) ?? null;

const timeOf = (ms: number | null): string | undefined => (ms === null ? undefined : new Date(ms).toISOString());

function messageOf({
  reported: _reported,
  request_id: _id,
  ...row
}: Omit<Row, "reported" | "request_id"> & Partial<Row>): MessageRecord {
  const isOpen = row.state === "open";
  return {
    ...row,
    state: row.state as MessageRecord["state"],
    outcome: isOpen ? undefined : ((row.outcome ?? undefined) as MessageRecord["outcome"]),
    rule: row.rule?.slice(0, longest.rule),
    reason: isOpen ? undefined : row.reason?.slice(0, longest.reason),
    ts: row.ts ?? undefined,
    // A fire that was denied began none.
    thread_ts: row.thread_ts || "0",
    received_at: new Date(row.received_at).toISOString(),
    judged_at: timeOf(row.judged_at),
    posted_at: isOpen ? undefined : timeOf(row.posted_at),
    ended_at: isOpen ? undefined : timeOf(row.ended_at),
  };
}
