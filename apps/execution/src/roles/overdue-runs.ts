import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@crosszone/service-kit";
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
  readonly readings: () => Promise<Pick<RunReadings, "oldestDueMs" | "open">>;
  readonly logger: Logger<ExecutionEvent>;
  /** Monotonic milliseconds; the process's own when absent. */
  readonly now?: () => number;
}

/** Checks once for overdue runs and logs a warning, at most once per interval. Never rejects. */
export function createOverdueCheck({
  readings,
  logger,
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
      logger.error("runs_overdue", { oldest_due_ms: Math.round(read.oldestDueMs), open: read.open });
    }
  };
}

/** Work that is repeated. */
export interface Repeated {
  /** Starts no further round. Resolves when the current one has ended. */
  stop(): Promise<void>;
}

/**
 * Repeats work with pauses until stopped. Each pause varies a little, so that processes that started together drift
 * apart. `work` must handle its own errors and never reject.
 */
export function repeat(work: () => Promise<void>, pauseMs: number): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = (async () => {
    while (!signal.aborted) {
      await work();
      // The pause alone does not keep the process alive.
      await delay(pauseMs * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
