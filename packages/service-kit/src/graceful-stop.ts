import { constants } from "node:os";
import type { Logger } from "./logger.ts";
import { TimeLimitError, within } from "./within.ts";

/** The events that a graceful stop logs. Put them into the closed list of the app's logger. */
export const gracefulStopEvents = [
  "stop_started",
  "stop_step_failed",
  "stop_finished",
  "uncaught_exception",
  "unhandled_rejection",
] as const;

export type GracefulStopEvent = (typeof gracefulStopEvents)[number];

/** Stops one part. `signal` aborts when its time is over. */
export type Closer = (signal: AbortSignal) => unknown;

export interface StopReport {
  /** What began the stop: `SIGTERM`, `uncaught_exception`, or what `stop` was given. */
  readonly reason: string;
  /** Names in the order in which they stopped. */
  readonly stopped: readonly string[];
  /** What threw while it stopped, or did not stop in time. */
  readonly failed: readonly { readonly name: string; readonly why: "failed" | "timed out" }[];
  readonly durationMs: number;
}

/** The part of `process` that a graceful stop needs. */
export interface StoppableProcess {
  on(event: string, listener: (cause: unknown) => void): unknown;
  off(event: string, listener: (cause: unknown) => void): unknown;
  exit(code: number): unknown;
}

export interface GracefulStopOptions {
  /** Time for the whole stop, in milliseconds. Stay below what the platform waits before it kills. */
  readonly deadlineMs: number;
  readonly logger?: Logger<GracefulStopEvent>;
  /** Called once, before the first part stops: the place to turn readiness off. */
  readonly onSignal?: (reason: string) => void;
  /** Default: the real process. */
  readonly process?: StoppableProcess;
}

export interface GracefulStop {
  /**
   * Adds a part. Call it in start order; parts stop in reverse. `timeoutMs` is the part's own limit; without one it is
   * half of the time that is left, so that a part that hangs always leaves time for those after it. A part that is
   * added during the stop is stopped too; after the stop, `add` throws.
   */
  readonly add: (name: string, closer: Closer, options?: { readonly timeoutMs?: number }) => void;
  /** Stops everything once; later calls get the same report. Never rejects. */
  readonly stop: (reason: string) => Promise<StopReport>;
  /**
   * Stops and exits on SIGTERM and SIGINT, with code 0, or 1 when a part did not stop; a second signal exits at once with
   * 128 + its number. An uncaught exception or an unhandled rejection is logged, then stops and exits with 1.
   * Gives the function that takes the listeners away again.
   */
  readonly install: () => () => void;
}

interface Part {
  readonly name: string;
  readonly closer: Closer;
  readonly timeoutMs?: number;
}

/** Ends a service part by part, in a bounded time. */
export function createGracefulStop(options: GracefulStopOptions): GracefulStop {
  const { deadlineMs, logger, onSignal, process: target = process } = options;
  const parts: Part[] = [];
  let report: Promise<StopReport> | undefined;
  let finished = false;
  let exiting = false;
  let signals = 0;
  let crashed = false;

  const run = async (reason: string): Promise<StopReport> => {
    const startedAt = performance.now();
    const stopped: string[] = [];
    const failed: { name: string; why: "failed" | "timed out" }[] = [];
    logger?.info("stop_started", { reason, parts: parts.length });
    const ask = async (name: string, limitMs: number, closer: Closer): Promise<boolean> => {
      try {
        await within(Math.max(limitMs, 1), closer);
        return true;
      } catch (error) {
        const why = error instanceof TimeLimitError ? "timed out" : "failed";
        failed.push({ name, why });
        logger?.error("stop_step_failed", { part: name, why, err: error });
        return false;
      }
    };
    await ask("onSignal", deadlineMs / 2, () => onSignal?.(reason));
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const left = deadlineMs - (performance.now() - startedAt);
      const share = part.timeoutMs ?? (parts.length === 0 ? left : left / 2);
      if (await ask(part.name, Math.min(share, left), part.closer)) stopped.push(part.name);
    }
    finished = true;
    const durationMs = Math.round(performance.now() - startedAt);
    logger?.info("stop_finished", { reason, stopped, failed, duration_ms: durationMs });
    return { reason, stopped, failed, durationMs };
  };

  const stop = (reason: string): Promise<StopReport> => (report ??= run(reason));

  const stopAndExit = (reason: string): void => {
    if (exiting) return;
    exiting = true;
    void stop(reason).then(({ failed }) => target.exit(crashed || failed.length > 0 ? 1 : 0));
  };

  const onStopSignal = (name: "SIGTERM" | "SIGINT") => (): void => {
    signals += 1;
    if (signals > 1) target.exit(128 + constants.signals[name]);
    else stopAndExit(name);
  };

  const onCrash =
    (event: "uncaught_exception" | "unhandled_rejection") =>
    (cause: unknown): void => {
      logger?.error(event, { err: cause });
      crashed = true;
      stopAndExit(event);
    };

  return {
    add: (name, closer, limits) => {
      if (finished) throw new Error(`${name} starts after everything has stopped`);
      parts.push({ name, closer, ...limits });
    },
    stop,
    install: () => {
      const listeners = new Map<string, (cause: unknown) => void>([
        ["SIGTERM", onStopSignal("SIGTERM")],
        ["SIGINT", onStopSignal("SIGINT")],
        ["uncaughtException", onCrash("uncaught_exception")],
        ["unhandledRejection", onCrash("unhandled_rejection")],
      ]);
      for (const [event, listener] of listeners) target.on(event, listener);
      return () => {
        for (const [event, listener] of listeners) target.off(event, listener);
      };
    },
  };
}
