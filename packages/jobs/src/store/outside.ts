import { now, retryBriefly, type WriteRow } from "@crosszone/sql";
import { sql } from "kysely";
import { jobStates } from "../table/job-tables.ts";
import { endRow, insertRow } from "../table/job-texts.ts";
import type { JobEnd, LeaseId, NewJob } from "../table/job.ts";
import type { GroupedWritesDeps } from "./grouped-writes.ts";
import {
  addEnd,
  type AddedEnd,
  type EndedJob,
  endStatement,
  settleStatement,
  type TakenOver,
  takeOverStatement,
} from "./outside-statements.ts";

/** Jobs of a share that have waited too long, and how they end. */
export interface OverdueJobs<Own extends string> {
  readonly kind: string;
  readonly share: string;
  readonly end: JobEnd<Own>;
  /** How long after their deadline they end, milliseconds. */
  readonly graceMs: number;
  readonly most: number;
}

type Write<Item> = (item: Item) => Promise<boolean>;

/**
 * Jobs that something outside this database may end: another program gets them by a message, and ends them by another. Until then they
 * wait under the share of that message. Concurrent changes of one sort share a commit.
 */
export class Outside<Own extends string> {
  readonly #deps: GroupedWritesDeps<Own>;
  readonly #settling: Write<WriteRow<string>>;
  readonly #ending: Write<WriteRow<string>>;

  constructor(deps: GroupedWritesDeps<Own>) {
    const { database, schema, group } = deps;
    this.#deps = deps;
    const end = endStatement(schema, database.engine);
    this.#settling = group((rows) => database.write(settleStatement, rows, { unflushed: true }));
    this.#ending = group((rows) => database.write(end, rows), { sizeOf });
  }

  /**
   * Returns a function that stores a job, or takes over the one that waits with its id. It resolves with false if that one has another share
   * or has ended.
   */
  takingOver(waiting: TakenOver<Own>): Write<NewJob<Own>> {
    const { database, lease, schema, group } = this.#deps;
    const statement = takeOverStatement(schema, database.engine, waiting);
    const taking = group((rows: readonly WriteRow<string>[]) => database.write(statement, rows), { sizeOf });
    return (job) => retryBriefly(() => taking(insertRow(schema, job, lease.owner)));
  }

  /**
   * This process has done its part of a leased job, which now waits, or has ended as it was passed on. A power loss may undo it. Returns false
   * when the lease is lost, or when the job was taken over from its share.
   */
  settle(
    { id, attempt }: LeaseId,
    { share, as }: { readonly share: string; readonly as: "waiting" | "ended" },
  ): Promise<boolean> {
    const row = { id, attempt, owner: this.#deps.lease.owner, share, to_state: jobStates[as] };
    return retryBriefly(() => this.#settling(row));
  }

  /**
   * Ends a job of one of two shares, whichever process has leased it. Returns false if none has this id and has not ended. `notifies`:
   * another process waits for it, and is notified even if the job had ended.
   */
  end(
    id: string,
    end: JobEnd<Own>,
    { shares, notifies }: { readonly shares: readonly [string, string?]; readonly notifies: boolean },
  ): Promise<boolean> {
    const row = endRow(this.#deps.schema, { id, attempt: 0 }, { owner: "", end, notifies });
    return retryBriefly(() => this.#ending({ ...row, share: shares[0], or_share: shares[1] ?? null }));
  }

  /** Ends a job by an end that arrives before or without work on it. Returns undefined when it had ended or is left alone. */
  addEnded(ended: AddedEnd<Own>): Promise<EndedJob | undefined> {
    const { database, lease, schema } = this.#deps;
    const adding = addEnd(schema, { engine: database.engine, owner: lease.owner }, ended);
    return retryBriefly(async () => (await adding.execute(database.db)).rows[0]);
  }

  /** Ends waiting jobs whose deadline is over, `most` at most. Returns how many. */
  async endOverdue({ kind, share, end, graceMs, most }: OverdueJobs<Own>): Promise<number> {
    const { db, engine } = this.#deps.database;
    const overdue = db
      .selectFrom("job")
      .select("id")
      .where("kind", "=", kind)
      .where("state", "=", sql.lit(jobStates.waiting))
      .where("share", "=", share)
      .where("deadline_at", "<", sql<number>`(select ${now(engine)} - ${graceMs})`)
      .limit(most);
    const found = await retryBriefly(() => overdue.execute());
    const ended = await Promise.all(found.map(({ id }) => this.end(id, end, { shares: [share], notifies: false })));
    return ended.filter(Boolean).length;
  }
}

const sizeOf = ({ input, output }: WriteRow<string>): number => String(input ?? output ?? "").length;
