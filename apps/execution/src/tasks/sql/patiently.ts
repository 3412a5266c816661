import { setTimeout as delay } from "node:timers/promises";
import { ZoneError } from "@crosszone/contracts";
import { LeaseLostError } from "../task-store.ts";

/** Repeats what failed. */
export async function patiently<T>(operation: () => Promise<T>, budgetMs: number): Promise<T> {
  const endsAt = performance.now() + budgetMs;
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 500)) {
    try {
      return await operation();
    } catch (cause) {
      if (cause instanceof ZoneError || cause instanceof LeaseLostError) throw cause;
      if (performance.now() + waitMs > endsAt)
        throw new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause });
      await delay(waitMs * (0.5 + Math.random() / 2));
    }
  }
}
