import { ZoneError } from "@crosszone/contracts";
import { isTransient } from "@crosszone/sql";

/** Reads agents from the database. While it is unreachable, rejects with a retryable `ZoneError`. */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (isTransient(cause)) throw new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause });
    throw cause;
  }
}
