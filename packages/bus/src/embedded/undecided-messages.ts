import type { Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { BusTables } from "./bus-tables.ts";
import type { WrittenRow } from "./insert-messages.ts";
import type { Offer } from "./offer-messages.ts";

/** Messages of transactions with an unknown outcome. */
export interface UndecidedMessages {
  readonly add: (transaction: object, offer: Offer, written: readonly WrittenRow[]) => void;
  /** A transaction has committed: accepts its messages without a query. Never throws. */
  readonly committed: (transaction: object) => void;
  /** Some transaction has committed: accepts its messages. Never throws. */
  readonly look: () => void;
  /** Checks once more; consumers get their room back. Never rejects. */
  readonly close: () => Promise<void>;
}

interface Undecided {
  readonly transaction: object;
  readonly offer: Offer;
  readonly written: readonly WrittenRow[];
  readonly since: number;
}

/** Poll interval for commits that were not announced, milliseconds. */
const lookMs = 250;

/** A rolled back or running transaction shows no rows, so one visible row proves that the transaction has committed. */
export function createUndecidedMessages({ db, engine }: Pick<Database<BusTables>, "db" | "engine">): UndecidedMessages {
  const undecided = new Set<Undecided>();
  let isLooking = false;
  let lookAgain = false;
  let timer: NodeJS.Timeout | undefined;

  /** One row represents all. After a rollback its id can be reused, its lease never. */
  const witness = ({ written }: Undecided): WrittenRow | undefined =>
    written.find(({ lease }) => lease !== null) ?? written[0];

  /** Undefined when the database is unreachable; consumers report that. */
  async function found(asked: readonly Undecided[]): Promise<ReadonlySet<Undecided> | undefined> {
    const ids = asked.flatMap((one) => witness(one)?.id ?? []);
    try {
      const rows = await db.selectFrom("bus_message").select(["id", "lease"]).where("id", "in", ids).execute();
      const leases = new Map(rows.map(({ id, lease }) => [id, lease]));
      return new Set(asked.filter((one) => leases.get(witness(one)?.id ?? -1) === witness(one)?.lease));
    } catch {
      return undefined;
    }
  }

  async function decide(): Promise<void> {
    const asked = [...undecided];
    const there = await found(asked);
    const gone = there && (await rolledBack(asked.filter((one) => !there.has(one))));
    for (const one of asked) {
      if (there?.has(one)) end(one, () => one.offer.accept(one.written));
      else if (one.offer.isLate() || gone?.has(one)) end(one, one.offer.withdraw);
    }
  }

  const end = (one: Undecided, tell: () => void): void => {
    if (undecided.delete(one)) tell();
  };

  async function rolledBack(missing: readonly Undecided[]): Promise<ReadonlySet<Undecided>> {
    // On SQLite, a running transaction has ended before another query of this process runs.
    if (engine === "sqlite") return new Set(missing);
    const due = missing.filter(({ since }) => performance.now() - since >= lookMs);
    if (due.length === 0) return new Set();
    const xacts = due.flatMap((one) => witness(one)?.xact ?? []);
    const asked = sql<{ xact: string }>`
      select xact from unnest(${xacts}::text[]) as asked(xact) where pg_xact_status(xact::xid8) = 'aborted'`;
    // After a failover, the new server may not know them; they time out eventually.
    const { rows } = await asked.execute(db).catch(() => ({ rows: [] }));
    const aborted = new Set<unknown>(rows.map(({ xact }) => xact));
    return new Set(due.filter((one) => aborted.has(witness(one)?.xact)));
  }

  async function look(): Promise<void> {
    lookAgain = true;
    if (isLooking) return;
    isLooking = true;
    while (lookAgain && undecided.size > 0) {
      lookAgain = false;
      await decide();
    }
    isLooking = false;
    clearTimeout(timer);
    timer = undefined;
    arm();
  }

  function arm(): void {
    if (undecided.size > 0) timer ??= setTimeout(() => void look(), lookMs).unref();
  }

  return {
    add: (transaction, offer, written) => {
      if (!offer.isForSomebody) return;
      undecided.add({ transaction, offer, written, since: performance.now() });
      arm();
    },
    committed: (transaction) => {
      for (const one of undecided) if (one.transaction === transaction) end(one, () => one.offer.accept(one.written));
    },
    look: () => void look(),
    close: async () => {
      // A committed message does not wait for its lease to expire.
      if (undecided.size > 0) await decide();
      clearTimeout(timer);
      for (const one of undecided) end(one, one.offer.withdraw);
    },
  };
}
