import { LinkError, type SendOptions } from "@crosszone/jsonrpc";

/** Returns the `LinkError` for a failed send. `limit` is the signal of its timeout. */
export function sendFailure(error: unknown, { signal, timeoutMs }: SendOptions, limit: AbortSignal): LinkError {
  if (error instanceof LinkError) return error;
  if (signal?.aborted) return new LinkError("aborted", "the call was aborted", { cause: signal.reason });
  if (limit.aborted) return new LinkError("timeout", `no answer within ${timeoutMs} ms`);
  return new LinkError("unreachable", "the connection failed", { cause: error });
}
