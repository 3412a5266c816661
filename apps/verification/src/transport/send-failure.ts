import { LinkError, type SendOptions } from "@crosszone/jsonrpc";

/** What a send that threw rejects with. `limit` is the signal of its time limit. */
export function sendFailure(error: unknown, { signal, timeoutMs }: SendOptions, limit: AbortSignal): LinkError {
  if (error instanceof LinkError) return error;
  if (signal?.aborted) return new LinkError("aborted", "the call was aborted", { cause: signal.reason });
  if (limit.aborted) return new LinkError("timeout", `no answer within ${timeoutMs} ms`);
  return new LinkError("unreachable", "the connection failed", { cause: error });
}
