import { ZoneError } from "@crosszone/contracts";
import { isTransient } from "@crosszone/sql";

/** Asks who comes and goes. While the database is away they are to be asked again later, by whoever asks the zone. */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (isTransient(cause)) throw new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause });
    throw cause;
  }
}
