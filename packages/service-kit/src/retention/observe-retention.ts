import { createCounter } from "../instruments.ts";
import type { Logger } from "../logger.ts";
import type { MetricsRegistry } from "../metrics.ts";
import type { Purge, RetentionOptions } from "./start-retention.ts";

/** The events that retention logs. Add them to the closed list of the app's logger. */
export const retentionEvents = ["rows_purged", "purge_failed"] as const;

export type RetentionEvent = (typeof retentionEvents)[number];

/** Counts and logs what retention deletes. */
export function observeRetention(
  { logger, registry }: { readonly logger: Logger<RetentionEvent>; readonly registry: MetricsRegistry },
  purges: readonly Purge[],
): Pick<RetentionOptions, "onPurged" | "onFailed"> {
  const purged = createCounter(registry, {
    name: "rows_purged_total",
    help: "Rows that were kept long enough and were deleted, by table",
    labels: { table: purges.map(({ table }) => table) },
  });
  return {
    onPurged: (table, rows) => {
      purged.add({ table }, rows);
      logger.info("rows_purged", { table, rows });
    },
    onFailed: (table, error) => logger.warn("purge_failed", { table, cause: error }),
  };
}
