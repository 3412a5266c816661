import { ZoneError } from "@crosszone/contracts";

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

export interface RunStopOptions {
  readonly now: () => Date;
  /** Time until the deadline, milliseconds. */
  readonly remainingMs: number;
  readonly onStop: (reason: ZoneError) => void;
}

export function createRunStop({ now, remainingMs, onStop }: RunStopOptions): RunStop {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  // After the answer the task can't be stopped, and no one handles this rejection.
  stopped.catch(() => undefined);
  const stop = (reason: ZoneError): void => {
    reject(reason);
    controller.abort(reason);
    onStop(reason);
  };
  const leftMs = Math.max(0, remainingMs);
  const deadline = new Date(now().getTime() + leftMs);
  const timer = setTimeout(() => stop(new ZoneError("timeout")), leftMs);
  return { signal: controller.signal, stopped, deadline, stop, clear: () => clearTimeout(timer) };
}
