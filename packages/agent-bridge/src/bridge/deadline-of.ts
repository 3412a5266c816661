import type { AgentTask } from "@crosszone/contracts";

/** The longest deadline: seven days. Timers support at most 24. */
const mostMs = 7 * 24 * 3_600_000;

/** Returns the time left for a task, milliseconds; `otherwiseMs` when it has no deadline. */
export function deadlineMsOf({ deadline }: Pick<AgentTask, "deadline">, otherwiseMs: number): number {
  if (deadline === undefined) return otherwiseMs;
  // A time without offset is UTC; `Date` would read it in this machine's zone. `Date` also rejects leap seconds.
  const withOffset = /(Z|[+-]\d\d:\d\d)$/.test(deadline) ? deadline : `${deadline}Z`;
  const at = Date.parse(withOffset.replace(/:60(?=[.Z+-])/, ":59"));
  return Math.min(Math.max(0, at - Date.now()), mostMs);
}
