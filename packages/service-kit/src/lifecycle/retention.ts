import type { ProcessEvent } from "@crosszone/telemetry";
import type { Emit } from "../metrics/emit.ts";
import { waited } from "../values/timing.ts";

/** Deletes expired rows of a table. */
export interface Purge {
  readonly table: string;
  /**
   * Deletes at most `most` expired rows in one short statement; resolves with their number. Safe to repeat, and to run in several processes
   * at once.
   */
  readonly purge: (most: number) => Promise<number>;
}

interface RetentionOptions {
  readonly purges: readonly Purge[];
  /** Average time between two rounds, milliseconds. Each varies by up to half, so that processes spread out. */
  readonly everyMs: number;
  /** Maximum number of rows in one statement, so that other writers can run in between. */
  readonly most?: number;
  /** Reports what was deleted, and a table that failed: the others are still purged, and this one in the next round. */
  readonly emit: Emit<ProcessEvent>;
}

/** Pause between two statements on one table, milliseconds: on SQLite each one blocks other writers. */
const pauseMs = 20;

/** Delay of the first round, milliseconds. Short, so that short-lived processes purge too. */
const firstMs = 10_000;

/** Deletes expired rows periodically for the lifetime of the process. */
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

async function run(options: RetentionOptions, signal: AbortSignal): Promise<void> {
  const { purges, everyMs } = options;
  for (let waitMs = Math.min(everyMs, firstMs); await waited(waitMs * (0.5 + Math.random()), signal); waitMs = everyMs)
    for (const purge of purges) await purgeAll(purge, options, signal);
}

async function purgeAll(
  { table, purge }: Purge,
  { most = 500, emit }: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  let all = 0;
  try {
    for (let more = !signal.aborted; more;) {
      const rows = await purge(most);
      all += rows;
      more = rows >= most && (await waited(pauseMs, signal));
    }
  } catch (cause) {
    emit("purge_failed", { table, cause });
  }
  // One line, however many statements a table needed.
  if (all > 0) emit("rows_purged", { table, rows: all });
}
