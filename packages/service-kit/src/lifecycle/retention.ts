import type { ProcessEvent } from "@crosszone/telemetry";
import { setTimeout as delay } from "node:timers/promises";
import { createCounter } from "../metrics/instruments.ts";
import type { Logger } from "../logging/logger.ts";
import type { MetricsRegistry } from "../metrics/series.ts";

/** Deletes expired rows of a table. */
export interface Purge {
  readonly table: string;
  /**
   * Deletes at most `most` expired rows in one short statement; resolves with their number. Safe to repeat, and to run in several processes
   * at once.
   */
  readonly purge: (most: number) => Promise<number>;
}

export interface RetentionOptions {
  readonly purges: readonly Purge[];
  /** Average time between two rounds, milliseconds. Each varies by up to half, so that processes spread out. */
  readonly everyMs: number;
  /** Maximum number of rows in one statement, so that other writers can run in between. */
  readonly most?: number;
  readonly onPurged: (table: string, rows: number) => void;
  /** Called for a failed table. The other tables are still purged, and this one in the next round. */
  readonly onFailed: (table: string, error: unknown) => void;
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

/** Resolves with false when the signal aborts. Does not keep the process alive. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}

/** Counts and logs what retention deletes. */
export function observeRetention(
  { logger, registry }: { readonly logger: Logger<ProcessEvent>; readonly registry: MetricsRegistry },
  purges: readonly Purge[],
): Pick<RetentionOptions, "onPurged" | "onFailed"> {
  const purged = createCounter(registry, "rows_purged_total", { table: purges.map(({ table }) => table) });
  return {
    onPurged: (table, rows) => {
      purged.add({ table }, rows);
      logger.info("rows_purged", { table, rows });
    },
    onFailed: (table, error) => logger.warn("purge_failed", { table, cause: error }),
  };
}
