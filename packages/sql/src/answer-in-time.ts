/** Timeout of a health check query, milliseconds. */
const withinMs = 2_000;

/** Rejects when the database does not respond in time. The query itself is not canceled. */
export async function answerInTime(ask: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the database has not responded for ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([ask(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
