/** Shares one read among concurrent callers: all gauges of a scrape use the same read. */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
