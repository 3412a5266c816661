const longestPauseMs = 10_000;

/**
 * Returns a function that calls `call` at most once per `everyMs`, one call at a time, and once more after the last
 * request. A request of `true` survives later requests of `false`. A failed call is retried with growing backoff.
 */
export function throttled(everyMs: number, call: (isWhole: boolean) => Promise<void>): (isWhole: boolean) => void {
  let isBusy = false;
  let wanted: boolean | undefined;

  async function work(): Promise<void> {
    isBusy = true;
    let pauseMs = everyMs;
    while (wanted !== undefined) {
      const isWhole = wanted;
      wanted = undefined;
      const hasFailed = await call(isWhole).then(
        () => false,
        () => true,
      );
      if (hasFailed) wanted = isWhole || (wanted ?? false);
      pauseMs = hasFailed ? Math.min(pauseMs * 2, longestPauseMs) : everyMs;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  }

  return (isWhole) => {
    wanted = isWhole || (wanted ?? false);
    if (!isBusy) void work();
  };
}

/**
 * Returns a function that runs `call` once before the next frame, however often it is called. `request` is
 * `requestAnimationFrame`: a hidden page has no frames and draws nothing.
 */
export function atNextFrame(call: () => void, request: (frame: () => void) => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    request(() => {
      isWaiting = false;
      call();
    });
  };
}
