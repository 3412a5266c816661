import {
  type ReadTaskFileParams,
  type ReadTaskFileResult,
  type TaskFile,
  ZoneError,
  type ZoneMethods,
} from "@crosszone/contracts";
import { type Client, LinkError } from "@crosszone/jsonrpc";
import { type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { RecordHead } from "../../inbox/records.ts";
import type { Limits } from "../../limits.ts";

/** The session of calls without a task. Where each session is a machine of its own, as on AgentCore, they all share one. */
export const listSession = "list-agents";

/** Returns retry options for calls to execution: short pauses first, then every few seconds, for `budgetMs` milliseconds in total. */
export function zoneRetry(
  budgetMs: number,
  rest: { readonly clock: Clock; readonly signal?: AbortSignal; readonly onRetry?: RetryOptions["onRetry"] },
): RetryOptions {
  return { ...rest, budgetMs, firstMs: 300, longestMs: 5_000, retryAfter: zoneRetryAfter };
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

/** How calls to execution are made. */
interface ZoneCalls {
  readonly zone: Client<ZoneMethods>;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Reads a file of an answer from execution in chunks. Rejects with the `ZoneError` or `LinkError` of the chunk that failed. */
export async function readTaskFile(
  { zone, clock, limits }: ZoneCalls,
  { request_id: session, correlation_id: correlationId }: RecordHead,
  { taskId: task_id, file }: { readonly taskId: string; readonly file: TaskFile },
): Promise<Uint8Array> {
  const options = { session, correlationId, timeoutMs: limits.EXECUTION_TIMEOUT_MS };
  const pieces: Buffer[] = [];
  let read = 0;
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const asked: ReadTaskFileParams = { task_id, file_id: file.id, offset };
    const piece: ReadTaskFileResult = await retry(
      () => zone.call("read_task_file", asked, options),
      zoneRetry(limits.EXECUTION_RETRY_BUDGET_MS, { clock }),
    );
    const bytes = Buffer.from(piece.bytes, "base64");
    read += bytes.byteLength;
    const isStuck = piece.next_offset !== undefined && piece.next_offset <= offset;
    if (read > file.size || isStuck)
      throw new LinkError("invalid_response", "the file's size differs from its declared size");
    pieces.push(bytes);
    offset = piece.next_offset;
  }
  return Buffer.concat(pieces);
}
