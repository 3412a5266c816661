import type { Logger } from "@crosszone/service-kit";
import type { RunReadings } from "@crosszone/workflow";
import type { ExecutionEvent } from "../log-events.ts";

/** A run whose time has come is looked at within a second, where a process has the role `workflow`; milliseconds. */
const lateMs = 30_000;

/** As long as it goes on, it is said again after so long, milliseconds. */
const againMs = 600_000;

export interface OverdueRunsDeps {
  readonly readings: () => Promise<Pick<RunReadings, "oldestDueMs" | "open">>;
  readonly logger: Logger<ExecutionEvent>;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

/** One look whether runs wait for a process that brings them forward: says so in the log, now and then. Never rejects. */
export function lookForOverdueRuns({
  readings,
  logger,
  now = () => performance.now(),
}: OverdueRunsDeps): () => Promise<void> {
  let saidAt = -Infinity;
  return async () => {
    // A database that is away has its own lines.
    const read = await readings().catch(() => undefined);
    if (read === undefined) return;
    if (read.oldestDueMs < lateMs) saidAt = -Infinity;
    else if (now() - saidAt >= againMs) {
      saidAt = now();
      logger.error("runs_overdue", { oldest_due_ms: Math.round(read.oldestDueMs), open: read.open });
    }
  };
}
