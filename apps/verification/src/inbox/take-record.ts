import type { RecordCodec } from "@crosszone/service-kit";
import { now } from "@crosszone/sql";
import { sql, type Expression } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { UnreadableRecordError, type InboxRecord, type Progress, type TakenEntry } from "./inbox.ts";
import { sealContexts, type InboxTable } from "./inbox-table.ts";

export interface TakeOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** How often a record may be tried. */
  readonly attempts: number;
  readonly codec: RecordCodec;
}

// Written out: only so does a planner see that the index of what is in work serves.
const inWork = sql.lit<"in_work">("in_work");
const waiting = sql.lit<"waiting">("waiting");

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: unique_violation */
const uniqueViolation = "23505";

/**
 * Leases the head of a lane, in one statement: on PostgreSQL past what others are about to take, on SQLite alone anyway. There,
 * a record that became visible late may want into a lane that another process enters now: the index refuses the second.
 */
export async function takeRecord<K extends InboxRecord["kind"]>(
  database: Pick<VerificationDatabase, "db" | "engine">,
  kind: K,
  options: TakeOptions,
): Promise<TakenEntry<K> | undefined> {
  for (;;) {
    try {
      const row = await lease(database, kind, options);
      return row && toEntry<K>(row, options);
    } catch (error) {
      if ((error as { code?: string }).code !== uniqueViolation) throw error;
    }
  }
}

type TakenRow = Pick<InboxTable, "request_id" | "record" | "placeholder" | "answer"> & {
  attempt: number;
  uncounted: number;
  attached: number;
};

function lease(
  { db, engine }: Pick<VerificationDatabase, "db" | "engine">,
  kind: InboxRecord["kind"],
  { owner, leaseMs }: TakeOptions,
): Promise<TakenRow | undefined> {
  // Asked once for all rows, so that the index is of use.
  const time: Expression<number> = sql<number>`(select ${now(engine)})`;
  return db
    .updateTable("inbox")
    .set((row) => ({
      state: "in_work",
      owner,
      attempt: row("attempt", "+", 1),
      due_at: sql<number>`${now(engine)} + ${sql.lit(leaseMs)}`,
    }))
    .where("sequence", "=", (row) =>
      row
        .selectFrom("inbox as head")
        .select("head.sequence")
        .where("head.kind", "=", kind)
        .where("head.due_at", "<=", time)
        .where((head) =>
          head.or([
            head("head.state", "=", inWork),
            head.not(
              head.or([
                head.exists(
                  head
                    .selectFrom("inbox as older")
                    .select("older.sequence")
                    .whereRef("older.lane", "=", "head.lane")
                    .whereRef("older.sequence", "<", "head.sequence")
                    .where("older.state", "=", waiting),
                ),
                head.exists(
                  head
                    .selectFrom("inbox as busy")
                    .select("busy.sequence")
                    .whereRef("busy.lane", "=", "head.lane")
                    .where("busy.state", "=", inWork),
                ),
              ]),
            ),
          ]),
        )
        .orderBy("head.due_at")
        .orderBy("head.sequence")
        .limit(1)
        .$if(engine === "postgres", (head) => head.forUpdate().skipLocked()),
    )
    .returning(["request_id", "record", "attempt", "uncounted", "placeholder", "answer", "attached"])
    .executeTakeFirst();
}

function toEntry<K extends InboxRecord["kind"]>(
  { request_id, record, attempt, uncounted, placeholder, answer, attached }: TakenRow,
  { attempts, codec }: TakeOptions,
): TakenEntry<K> {
  const triesLeft = attempts - (attempt - uncounted);
  try {
    return {
      record: codec.fromColumn(record, sealContexts.record({ request_id })) as TakenEntry<K>["record"],
      attempt,
      triesLeft,
      progress: {
        ...(placeholder !== null && { placeholder }),
        ...(answer !== null && {
          answer: codec.fromColumn(answer, sealContexts.answer({ request_id })) as NonNullable<Progress["answer"]>,
        }),
        ...(attached === 1 && { attached: true }),
      },
    };
  } catch (error) {
    throw new UnreadableRecordError({ record: { request_id }, attempt, triesLeft }, error);
  }
}
