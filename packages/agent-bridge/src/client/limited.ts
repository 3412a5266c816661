import { TimeLimitError } from "@crosszone/service-kit";

/**
 * Gives work a limit in time and lets it be aborted: its result, a `TimeLimitError` after `timeoutMs`, or the reason of `signal`, at once
 * and also when the work does not listen to the signal that it gets. Each `renew` restarts the timeout.
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
