import type { MessageRecord } from "@crosszone/contracts";
import type { CompiledQuery } from "kysely";
import type { MessagesTable, VerificationDatabase } from "../database.ts";
import type { ObservedRecord, RecordEnd } from "../inbox/record-ends.ts";
import type { InboxRecord, RecordHead } from "../inbox/records.ts";
import type { Judgment } from "../policy/policies.ts";

interface End {
  readonly state: MessageRecord["state"];
  readonly rule?: string | null | undefined;
  readonly reason?: string | null | undefined;
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

/** Makes the ends of messages, which are stored with the ends of their records. */
export function createMessageEnds({ db }: VerificationDatabase, now: () => number) {
  // A denied question is done for the inbox; its end is the denial.
  const denied = new Map<string, End>();

  function storing(head: RecordHead, { state, rule = null, reason = null, attempts }: End): CompiledQuery[] {
    const { correlation_id: reference, team_id, channel, thread_ts, user_id, received_at } = head;
    const ended = { state, rule, reason, attempts, ended_at: now() };
    const row = { reference, team_id, channel, thread_ts, user_id, received_at, ...ended };
    const inserted = db.insertInto("message").values(row);
    return [inserted.onConflict((same) => same.column("reference").doUpdateSet(ended)).compile()];
  }

  return {
    /** Notes the judgment of a record. */
    judged: ({ request_id }: InboxRecord, { denial, verdicts }: Judgment): void => {
      denied.delete(request_id);
      if (denial === undefined) return;
      denied.set(request_id, { state: "denied", rule: verdicts.at(-1)?.rule, reason: denial.reason, attempts: 0 });
    },
    /** Returns the statements that store what became of the message of a record, if the record ends. */
    ended: (leased: ObservedRecord, { outcome, why: reason }: RecordEnd): readonly CompiledQuery[] => {
      const state = states[outcome as keyof typeof states] as MessageRecord["state"] | undefined;
      const denial = denied.get(leased.record.request_id);
      denied.delete(leased.record.request_id);
      // A record that can't be read has only its id.
      if (state === undefined || !("user_id" in leased.record)) return [];
      const record = leased.record as InboxRecord;
      if (denial !== undefined) return storing(record, denial);
      const { attempt: attempts } = leased;
      if (record.kind === "ask" || state === "withdrawn") return storing(record, { state, reason, attempts });
      return record.kind === "turned_away" ? storing(record, { state: "rejected", reason: turnedAway, attempts }) : [];
    },
    find: async (reference: string): Promise<MessageRecord | undefined> => {
      const row = await db.selectFrom("message").selectAll().where("reference", "=", reference).executeTakeFirst();
      return row && messageOf(row);
    },
  };
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
