import type { Database } from "@crosszone/sql";
import type { BusTables } from "./bus-tables.ts";
import type { WrittenRow } from "./insert-messages.ts";
import type { Offer } from "./offer-messages.ts";

/** Messages of transactions of which nobody has said how they ended. */
export interface UndecidedMessages {
  readonly add: (offer: Offer, written: readonly WrittenRow[]) => void;
  /** Some transaction has committed: its messages are accepted. Never throws. */
  readonly look: () => void;
  /** Consumers have their room back. */
  readonly close: () => void;
}

interface Undecided {
  readonly offer: Offer;
  readonly written: readonly WrittenRow[];
  readonly since: number;
}

/** Looks by itself for what was committed without a word, so often; milliseconds. */
const lookMs = 250;

/** A transaction that is rolled back leaves nothing, one under way shows nothing: who sees one row of it sees them all. */
export function createUndecidedMessages(
  { db }: Pick<Database<BusTables>, "db">,
  { leaseMs, onError }: { readonly leaseMs: number; readonly onError: (error: unknown) => void },
): UndecidedMessages {
  let undecided = new Set<Undecided>();
  let isLooking = false;
  let lookAgain = false;
  let timer: NodeJS.Timeout | undefined;

  /** A row that tells of all: its number may be another row's after a rollback, its lease never is. */
  const witness = ({ written }: Undecided): WrittenRow | undefined =>
    written.find(({ lease }) => lease !== null) ?? written[0];

  async function decide(): Promise<void> {
    const asked = [...undecided];
    const ids = asked.flatMap((one) => witness(one)?.id ?? []);
    const rows = await db.selectFrom("bus_message").select(["id", "lease"]).where("id", "in", ids).execute();
    const leases = new Map(rows.map(({ id, lease }) => [id, lease]));
    for (const one of asked) {
      const row = witness(one);
      const isOver = performance.now() - one.since > leaseMs / 2;
      const isCommitted = row !== undefined && leases.get(row.id) === row.lease;
      if ((!isCommitted && !isOver) || !undecided.delete(one)) continue;
      if (isOver) one.offer.withdraw();
      else one.offer.accept(one.written);
    }
  }

  async function look(): Promise<void> {
    lookAgain = true;
    if (isLooking) return;
    isLooking = true;
    while (lookAgain && undecided.size > 0) {
      lookAgain = false;
      await decide().catch(onError);
    }
    isLooking = false;
    clearTimeout(timer);
    timer = undefined;
    arm();
  }

  function arm(): void {
    if (undecided.size > 0) timer ??= setTimeout(() => void look(), lookMs);
  }

  return {
    add: (offer, written) => {
      undecided.add({ offer, written, since: performance.now() });
      arm();
    },
    look: () => void look(),
    close: () => {
      clearTimeout(timer);
      for (const { offer } of undecided) offer.withdraw();
      undecided = new Set();
    },
  };
}
