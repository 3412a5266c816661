import type { ReadTaskFileParams, ReadTaskFileResult, TaskFile, ZoneMethods } from "@crosszone/contracts";
import { LinkError, type Client } from "@crosszone/jsonrpc";
import { type Clock, retry } from "@crosszone/service-kit/timing";
import type { Question } from "../../inbox/records.ts";
import type { TaskTimes } from "./run-task.ts";
import { zoneRetry } from "./zone-retry.ts";

export interface ReadTaskFileDeps {
  readonly zone: Client<ZoneMethods>;
  readonly clock: Clock;
  readonly times: TaskTimes;
}

/**
 * Makes a function that reads a file of an answer from execution in chunks. Rejects with the `ZoneError` or `LinkError` of the chunk that
 * failed.
 */
export function createReadTaskFile(
  { zone, clock, times }: ReadTaskFileDeps,
  { request_id, correlation_id: correlationId }: Pick<Question, "request_id" | "correlation_id">,
): (taskId: string, file: TaskFile) => Promise<Uint8Array> {
  const options = { session: request_id, correlationId, timeoutMs: times.callTimeoutMs };
  const { signal } = new AbortController();
  return async (task_id, { id: file_id, size }) => {
    const pieces: Buffer[] = [];
    let read = 0;
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const asked: ReadTaskFileParams = { task_id, file_id, offset };
      const piece: ReadTaskFileResult = await retry(
        () => zone.call("read_task_file", asked, options),
        zoneRetry(times.retryBudgetMs, { clock, signal, onRetry: () => undefined }),
      );
      const bytes = Buffer.from(piece.bytes, "base64");
      read += bytes.byteLength;
      const isStuck = piece.next_offset !== undefined && piece.next_offset <= offset;
      if (read > size || isStuck)
        throw new LinkError("invalid_response", "the file's size differs from its declared size");
      pieces.push(bytes);
      offset = piece.next_offset;
    }
    return Buffer.concat(pieces);
  };
}
