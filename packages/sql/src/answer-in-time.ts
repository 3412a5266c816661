/** An answer of a database for a health check; milliseconds. */
const withinMs = 2_000;

/** Rejects when the database has not answered by then. What was asked is left to its own end. */
export async function answerInTime(ask: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the database has not answered for ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([ask(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
