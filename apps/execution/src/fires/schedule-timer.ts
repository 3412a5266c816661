import { createPolling } from "@crosszone/jobs";
import { type Emit, isKeyMissing } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ScheduleFires } from "./schedule-fires.ts";

/** Longest time between two looks, milliseconds: the largest delay of a fire. */
const everyMs = 1_000;

/** Maximum number of schedules of one look. */
const mostDue = 100;

/** Time between two looks for fires that verification forgot, milliseconds. */
const expiryMs = 60_000;

/**
 * Starts what is due, in any process: the row of a schedule is its timer, so it needs no owner and no lease. `cancelTask` cancels the task of
 * a fire that a newer one replaces; resolves with false while there is no such task.
 */
export function createScheduleTimer({
  fires,
  cancelTask,
  emit,
}: {
  readonly fires: ScheduleFires;
  readonly cancelTask: (fireId: string) => Promise<boolean>;
  readonly emit: Emit<ExecutionEvent>;
}) {
  let isAway = false;
  let expiredAt = -Infinity;

  /** Looks once. Returns the time until the next look, milliseconds. */
  async function look(): Promise<number> {
    try {
      const { names, nextInMs } = await fires.findDue(mostDue);
      let left = 0;
      for (const name of names)
        await fires.fireDue(name).catch((cause: unknown) => {
          if (!isKeyMissing(cause)) throw cause;
          // It stays due, for a process that has the key.
          left += 1;
        });
      await fires.settle();
      for (const fireId of await fires.replaced()) if (await cancelTask(fireId)) await fires.noteCanceled(fireId);
      if (performance.now() - expiredAt > expiryMs) {
        await fires.expire();
        expiredAt = performance.now();
      }
      isAway = false;
      // Varies the longest pause, so that processes which started together do not look together.
      return names.length - left === mostDue ? 0 : Math.min(nextInMs, everyMs * (0.75 + Math.random() / 4));
    } catch (cause) {
      if (!isAway) emit("schedule_timer_failed", { cause });
      isAway = true;
      return everyMs;
    }
  }

  return { look, ...createPolling(look) };
}
