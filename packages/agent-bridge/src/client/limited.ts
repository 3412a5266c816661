import { TimeLimitError } from "@crosszone/service-kit";

/**
 * Runs work with a timeout and an abort signal. Rejects with a `TimeLimitError` after `timeoutMs`, or with the reason
 * of `signal`, at once even if the work ignores its signal. Each `renew` restarts the timeout.
 */
export async function limited<Result>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal, renew: () => void) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    stopped.reject(reason);
    stop.abort(reason);
  };
  const abort = (): void => end(signal?.reason);
  const timer = setTimeout(() => end(new TimeLimitError(timeoutMs)), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(stop.signal, () => void timer.refresh()), stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
