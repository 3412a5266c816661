import type { AgentTask } from "@crosszone/contracts";

/** However far a deadline is: seven days. Timers hold no more than 24. */
const mostMs = 7 * 24 * 3_600_000;

/** How long a task may take from now on, milliseconds. Without a deadline of its own, `otherwiseMs`. */
export function deadlineMsOf({ deadline }: Pick<AgentTask, "deadline">, otherwiseMs: number): number {
  if (deadline === undefined) return otherwiseMs;
  // Without an offset it is UTC, which a Date would take for the time of this machine; and it knows no leap second.
  const withOffset = /(Z|[+-]\d\d:\d\d)$/.test(deadline) ? deadline : `${deadline}Z`;
  const at = Date.parse(withOffset.replace(/:60(?=[.Z+-])/, ":59"));
  return Math.min(Math.max(0, at - Date.now()), mostMs);
}
