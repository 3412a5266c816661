import type { MessageRecord } from "@crosszone/contracts";
import { createGroupCommit } from "@crosszone/sql";
import type { MessagesTable, VerificationDatabase } from "../database.ts";
import type { ObservedRecord, RecordEnd } from "../inbox/record-ends.ts";
import type { InboxRecord, RecordHead } from "../inbox/records.ts";
import type { Judgment } from "../policy/policies.ts";

interface End {
  readonly state: MessageRecord["state"];
  readonly rule?: string;
  readonly reason?: string;
  readonly attempts: number;
}

/** Stores what became of messages, so that their reference in Slack leads somewhere. */
export type MessageEnds = ReturnType<typeof createMessageEnds>;

const turnedAway = "too many questions wait in this thread";

const states = {
  done: "answered",
  given_up: "given_up",
  unanswerable: "rejected",
  parked: "parked",
  withdrawn: "withdrawn",
} as const;

/** Makes the store. `onFailure`: an end was not stored. */
export function createMessageEnds(
  { db }: VerificationDatabase,
  now: () => number,
  onFailure: (cause: unknown) => void,
) {
  const pending = new Set<Promise<unknown>>();
  const store = createGroupCommit<{ readonly head: RecordHead; readonly end: End }, void>(
    async (items) => {
      const last = new Map(items.map(({ head, end }) => [head.correlation_id, rowOf(head, end, now())]));
      await db
        .insertInto("message")
        .values([...last.values()])
        .onConflict((same) =>
          same.column("reference").doUpdateSet((row) => ({
            state: row.ref("excluded.state"),
            rule: row.ref("excluded.rule"),
            reason: row.ref("excluded.reason"),
            attempts: row.ref("excluded.attempts"),
            ended_at: row.ref("excluded.ended_at"),
          })),
        )
        .execute();
      return items.map(() => undefined);
    },
    { most: 100 },
  );

  function note(head: RecordHead, end: End): void {
    const stored = store({ head, end })
      .catch(onFailure)
      .finally(() => pending.delete(stored));
    pending.add(stored);
  }

  // A denied question is done for the inbox; its end is the denial.
  const denied = new Set<string>();

  return {
    /** Stores the denial of a record. No answer waits for it. */
    judged: (record: InboxRecord, { denial, verdicts }: Judgment): void => {
      if (denial === undefined) return;
      denied.add(record.request_id);
      note(record, { state: "denied", rule: verdicts.at(-1)?.rule, reason: denial.reason, attempts: 0 });
    },
    /** Stores the end of a question. */
    ended: (leased: ObservedRecord, { outcome, why: reason }: RecordEnd): void => {
      const state = states[outcome as keyof typeof states] as MessageRecord["state"] | undefined;
      // A record that can't be read has only its id.
      if (state === undefined || !("user_id" in leased.record)) return;
      const record = leased.record as InboxRecord;
      if (denied.delete(record.request_id)) return;
      const { attempt: attempts } = leased;
      if (record.kind === "ask" || state === "withdrawn") note(record, { state, reason, attempts });
      if (record.kind === "turned_away") note(record, { state: "rejected", reason: turnedAway, attempts });
    },
    find: async (reference: string): Promise<MessageRecord | undefined> => {
      const row = await db.selectFrom("message").selectAll().where("reference", "=", reference).executeTakeFirst();
      return row && messageOf(row);
    },
    /** Resolves when all ends so far are stored, or could not be. */
    settled: async (): Promise<void> => {
      await Promise.all(pending);
    },
  };
}

function rowOf(
  { correlation_id: reference, team_id, channel, thread_ts, user_id, received_at }: RecordHead,
  end: End,
  at: number,
) {
  const { state, rule = null, reason = null, attempts } = end;
  const ids = { reference, team_id, channel, thread_ts, user_id };
  return { ...ids, state, rule, reason, attempts, received_at, ended_at: at };
}

function messageOf(row: MessagesTable): MessageRecord {
  return {
    ...row,
    state: row.state as MessageRecord["state"],
    rule: row.rule ?? undefined,
    reason: row.reason ?? undefined,
    received_at: new Date(row.received_at).toISOString(),
    ended_at: new Date(row.ended_at).toISOString(),
  };
}
