import {
  type ReadTaskFileParams,
  type ReadTaskFileResult,
  type TaskFile,
  ZoneError,
  type ZoneMethods,
} from "@crosszone/contracts";
import { type CallOptions, type Client, LinkError } from "@crosszone/jsonrpc";
import { atMost, backoffMs, type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { Limits } from "../limits.ts";

/** The session of calls without a task. Where each session is a machine of its own, as on AgentCore, they all share one. */
const listSession = "list-agents";

/** Makes the link that calls execution, within the times of the zone. */
export function createZoneLink(
  zone: Client<ZoneMethods>,
  { limits, clock }: { readonly limits: Limits; readonly clock: Clock },
) {
  const unawaited = new Set<Promise<void>>();

  /** Makes a call once, by default in the session of calls without a task. */
  const call = <M extends keyof ZoneMethods>(
    method: M,
    params: ZoneMethods[M]["params"],
    options?: CallOptions,
  ): Promise<ZoneMethods[M]["result"]> =>
    zone.call(method, params, { session: listSession, timeoutMs: limits.EXECUTION_TIMEOUT_MS, ...options });

  /** Repeats calls that may succeed later: short pauses first, then every few seconds, for `mostMs` milliseconds in total. */
  const retrying = <Result>(
    work: () => Promise<Result>,
    given: { readonly mostMs?: number; readonly signal?: AbortSignal; readonly onRetry?: RetryOptions["onRetry"] } = {},
  ): Promise<Result> => {
    const { mostMs = Infinity, signal, onRetry } = given;
    const budgetMs = Math.min(mostMs, limits.EXECUTION_RETRY_BUDGET_MS);
    const pauses = { budgetMs, firstMs: 300, longestMs: 5_000, retryAfter: zoneRetryAfter };
    return retry(work, { ...pauses, clock, signal, onRetry });
  };

  return {
    limits,
    clock,
    call,
    retry: retrying,
    /** Reads a file of an answer in chunks. Rejects with the `ZoneError` or `LinkError` of the chunk that failed. */
    readFile: async (
      ids: { readonly request_id: string; readonly correlation_id: string },
      task_id: string,
      file: TaskFile,
    ): Promise<Uint8Array> => {
      const options = { session: ids.request_id, correlationId: ids.correlation_id };
      const pieces: Buffer[] = [];
      let read = 0;
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const asked: ReadTaskFileParams = { task_id, file_id: file.id, offset };
        const piece: ReadTaskFileResult = await retrying(() => call("read_task_file", asked, options));
        const bytes = Buffer.from(piece.bytes, "base64");
        read += bytes.byteLength;
        const isStuck = piece.next_offset !== undefined && piece.next_offset <= offset;
        if (read > file.size || isStuck)
          throw new LinkError("invalid_response", "the file's size differs from its declared size");
        pieces.push(bytes);
        offset = piece.next_offset;
      }
      return Buffer.concat(pieces);
    },
    /** Takes over work that nothing awaits. The work never rejects. */
    background: (work: Promise<void>): void => {
      const tracked = work.finally(() => unawaited.delete(tracked));
      unawaited.add(tracked);
    },
    /** Waits up to `ms` milliseconds for the work that nothing awaits. */
    settled: async (ms: number): Promise<void> => {
      await atMost(ms, Promise.all(unawaited), clock);
    },
  };
}

export type ZoneLink = ReturnType<typeof createZoneLink>;

const failureBackoff = { firstMs: 1_000, longestMs: 30_000 };
/** Execution may start later or restart: only a longer outage is reported, milliseconds. */
const outageMs = 30_000;

/**
 * Repeats a poll until `signal` aborts, with pauses after failures, after polls that resolve with false, because they had no news, and after the
 * others if `newsMs` says so, milliseconds.
 */
export async function keepPolling(
  { clock, limits }: ZoneLink,
  given: {
    readonly signal: AbortSignal;
    readonly poll: (call: CallOptions, wait_ms: number) => Promise<boolean>;
    /** Called once for each outage of more than half a minute. */
    readonly onOutage: (failure: unknown) => void;
    readonly quietMs?: number;
    readonly newsMs?: number;
  },
): Promise<void> {
  const { signal, poll, onOutage, quietMs = 500, newsMs = 0 } = given;
  const { POLL_WAIT_MS: wait_ms, EXECUTION_TIMEOUT_MS: callMs } = limits;
  const call = { signal, timeoutMs: wait_ms + callMs };
  let failures = 0;
  let reportAt = 0;
  while (!signal.aborted) {
    try {
      const isNews = await poll(call, wait_ms);
      failures = 0;
      if (!isNews || newsMs > 0) await clock.sleep(isNews ? newsMs : quietMs, signal);
    } catch (failure) {
      if (signal.aborted) return;
      failures += 1;
      if (failures === 1) reportAt = clock.now() + outageMs;
      if (clock.now() >= reportAt) {
        onOutage(failure);
        reportAt = Infinity;
      }
      await clock.sleep(backoffMs(failureBackoff, failures), signal).catch(() => undefined);
    }
  }
}

/**
 * Returns the wait before a call to execution is retried, milliseconds; undefined if the error is not retryable. An error that names a task
 * is that task's outcome, which a retry would return again. The exception is `shutting_down`, because another process may take over the
 * task.
 */
export function zoneRetryAfter(error: unknown): number | undefined {
  if (error instanceof LinkError) return error.retryable ? 0 : undefined;
  if (!(error instanceof ZoneError) || !error.retryable) return undefined;
  const isOutcome = error.data.task_id !== undefined && error.kind !== "shutting_down";
  return isOutcome ? undefined : (error.data.retry_after_ms ?? 0);
}
