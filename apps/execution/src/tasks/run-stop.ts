import { ZoneError } from "@crosszone/contracts";
import type { JobDropped } from "@crosszone/jobs";

/** Stops one run of a task: at its deadline, or when it is canceled or its process stops. */
export interface RunStop {
  /** Aborted with the reason of the stop. */
  readonly signal: AbortSignal;
  /** Rejects with the reason of the stop. An agent may ignore the signal, so the run doesn't wait for it. */
  readonly stopped: Promise<never>;
  readonly deadline: Date;
  readonly stop: (reason: ZoneError) => void;
  /** Call it when the work has ended: the deadline stops the run no more. */
  readonly clear: () => void;
}

interface RunStopOptions {
  readonly now: () => Date;
  /** Aborted with a `JobDropped`. */
  readonly dropped: AbortSignal;
  readonly onStop: (reason: ZoneError) => void;
}

/** Creates the stop of a run. It passes the time of the task until `clear`. */
export function createRunStop(
  { remainingMs }: { readonly remainingMs: number },
  { now, dropped, onStop }: RunStopOptions,
): RunStop {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After the answer the task can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  const stop = (reason: ZoneError): void => {
    reject(reason);
    controller.abort(reason);
    onStop(reason);
  };
  const drop = (): void => {
    const { why } = dropped.reason as JobDropped;
    stop(new ZoneError(why === "canceled" ? "canceled" : "shutting_down"));
  };
  dropped.addEventListener("abort", drop, { once: true });
  const leftMs = Math.max(0, remainingMs);
  const deadline = new Date(now().getTime() + leftMs);
  const timer = setTimeout(() => stop(new ZoneError("timeout")), leftMs);
  const clear = (): void => {
    clearTimeout(timer);
    dropped.removeEventListener("abort", drop);
  };
  return { signal: controller.signal, stopped, deadline, stop, clear };
}
