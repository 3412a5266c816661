import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RunReadings } from "@crosszone/workflow";

/**
 * A run counts as overdue after this delay, milliseconds. Processes with the role `workflow` handle due runs within a
 * second.
 */
const lateMs = 30_000;

/** How often the warning is repeated while the problem lasts, milliseconds. */
const againMs = 600_000;

export interface OverdueRunsDeps {
  readonly readings: () => Promise<RunReadings>;
  readonly emit: Emit<ExecutionEvent>;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

/** Checks once for overdue runs and logs a warning, at most once per interval. Never rejects. */
export function createOverdueCheck({
  readings,
  emit,
  now = () => performance.now(),
}: OverdueRunsDeps): () => Promise<void> {
  let saidAt = -Infinity;
  return async () => {
    // An unreachable database logs its own errors.
    const read = await readings().catch(() => undefined);
    if (read === undefined) return;
    if (read.oldestDueMs < lateMs) saidAt = -Infinity;
    else if (now() - saidAt >= againMs) {
      saidAt = now();
      emit("runs_overdue", { oldest_due_ms: Math.round(read.oldestDueMs), open: read.open });
    }
  };
}

/** How often overdue runs are checked, milliseconds. */
const everyMs = 30_000;

/** Checks for overdue runs at the start, and again and again until the stop. */
export function watchOverdueRuns(deps: OverdueRunsDeps): { readonly start: () => void; readonly stop: () => void } {
  const check = createOverdueCheck(deps);
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      void check();
      timer = setInterval(() => void check(), everyMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
