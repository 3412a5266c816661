import { setTimeout as delay } from "node:timers/promises";

/** Forgets what a table has kept long enough. */
export interface Purge {
  readonly table: string;
  /**
   * Deletes `most` such rows at the most, in one short statement, and gives how many they were. Harmless to repeat, and for several
   * processes at once.
   */
  readonly purge: (most: number) => Promise<number>;
}

export interface RetentionOptions {
  readonly purges: readonly Purge[];
  /** Time between two rounds on average, milliseconds; each is up to half as long or short again, so that processes part. */
  readonly everyMs: number;
  /** Rows of one statement. Others write between two of them. */
  readonly most?: number;
  readonly onPurged: (table: string, rows: number) => void;
  /** The other tables are purged none the less, and this one in the next round. */
  readonly onFailed: (table: string, error: unknown) => void;
}

/** Between two statements on one table, milliseconds: on SQLite every one of them holds the other writers up. */
const pauseMs = 20;

/** Before the first round, milliseconds: a process that never lives long forgets too. */
const firstMs = 10_000;

/** Forgets old rows, round after round, for as long as the process lives. */
export function startRetention(options: RetentionOptions): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const ended = run(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function run({ purges, everyMs, ...each }: RetentionOptions, signal: AbortSignal): Promise<void> {
  for (let waitMs = Math.min(everyMs, firstMs); await waited(waitMs * (0.5 + Math.random()), signal); waitMs = everyMs)
    for (const purge of purges) await purgeAll(purge, each, signal);
}

async function purgeAll(
  { table, purge }: Purge,
  { most = 500, onPurged, onFailed }: Omit<RetentionOptions, "purges" | "everyMs">,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let more = !signal.aborted; more;) {
      const rows = await purge(most);
      if (rows > 0) onPurged(table, rows);
      more = rows >= most && (await waited(pauseMs, signal));
    }
  } catch (error) {
    onFailed(table, error);
  }
}

/** False when it is time to end. Does not keep the process alive. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}
