import type { ProcessEvent } from "@crosszone/telemetry";
import { constants } from "node:os";
import type { Logger } from "../logging/logger.ts";
import { TimeLimitError, withTimeout } from "../values/timing.ts";

/** Stops one part. `signal` aborts at its timeout. */
type Closer = (signal: AbortSignal) => unknown;

interface StopReport {
  /** Cause of the stop: `SIGTERM`, `uncaught_exception`, or the argument of `stop`. */
  readonly reason: string;
  /** Names in stop order. */
  readonly stopped: readonly string[];
  /** Parts that threw or timed out. */
  readonly failed: readonly { readonly name: string; readonly why: "failed" | "timed out" }[];
  readonly durationMs: number;
}

/** The part of `process` that a graceful stop needs. */
export interface StoppableProcess {
  on(event: string, listener: (cause: unknown) => void): unknown;
  off(event: string, listener: (cause: unknown) => void): unknown;
  exit(code: number): unknown;
}

interface GracefulStopOptions {
  /** Timeout of the whole stop, milliseconds. Must be shorter than the platform's grace period. */
  readonly deadlineMs: number;
  readonly logger?: Logger<ProcessEvent>;
  /** Called once before the first part stops, to turn readiness off. */
  readonly onSignal?: (reason: string) => void;
  /** Default: the real process. */
  readonly process?: StoppableProcess;
}

interface Parts {
  readonly running: { readonly name: string; readonly closer: Closer; readonly timeoutMs?: number }[];
  finished: boolean;
}

/** Stops a service part by part, in bounded time. */
export function createGracefulStop(options: GracefulStopOptions) {
  const { logger, process: target = process } = options;
  const parts: Parts = { running: [], finished: false };
  let report: Promise<StopReport> | undefined;
  let exiting = false;
  let signals = 0;
  let crashed = false;

  /** Stops everything once. Later calls return the same report. Never rejects. */
  const stop = (reason: string): Promise<StopReport> => (report ??= stopParts(parts, options, reason));

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
    /**
     * Adds a part. Call it in start order; parts stop in reverse. `timeoutMs` limits the part; the default is half of the remaining time, so
     * that a hanging part leaves time for the next ones. A part that is added during the stop is stopped too. Throws after the stop.
     */
    add: (name: string, closer: Closer, { timeoutMs }: { readonly timeoutMs?: number } = {}): void => {
      if (parts.finished) throw new Error(`${name} was added after the stop`);
      parts.running.push({ name, closer, timeoutMs });
    },
    stop,
    /**
     * Stops and exits on SIGTERM and SIGINT, with code 0, or 1 if a part did not stop. A second signal exits at once with 128 + its number.
     * An uncaught exception or unhandled rejection is logged, then stops and exits with 1. Returns a function that removes the listeners.
     */
    install: (): (() => void) => {
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

async function stopParts(
  parts: Parts,
  { deadlineMs, logger, onSignal }: GracefulStopOptions,
  reason: string,
): Promise<StopReport> {
  const { running } = parts;
  const startedAt = performance.now();
  const stopped: string[] = [];
  const failed: { name: string; why: "failed" | "timed out" }[] = [];
  logger?.info("stop_started", { reason, parts: running.length });
  const stopPart = async (name: string, limitMs: number, closer: Closer): Promise<boolean> => {
    try {
      await withTimeout(Math.max(limitMs, 1), closer);
      return true;
    } catch (error) {
      const why = error instanceof TimeLimitError ? "timed out" : "failed";
      failed.push({ name, why });
      logger?.error("stop_step_failed", { part: name, why, err: error });
      return false;
    }
  };
  await stopPart("onSignal", deadlineMs / 2, () => onSignal?.(reason));
  for (let part = running.pop(); part !== undefined; part = running.pop()) {
    const left = deadlineMs - (performance.now() - startedAt);
    const share = part.timeoutMs ?? (running.length === 0 ? left : left / 2);
    if (await stopPart(part.name, Math.min(share, left), part.closer)) stopped.push(part.name);
  }
  parts.finished = true;
  const durationMs = Math.round(performance.now() - startedAt);
  logger?.info("stop_finished", { reason, stopped, failed, duration_ms: durationMs });
  return { reason, stopped, failed, durationMs };
}
