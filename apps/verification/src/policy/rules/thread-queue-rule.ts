import type { PolicyRule } from "../policy-rule.ts";

/** Denies a message that arrived when too many questions were waiting in its thread. */
export function createThreadQueueRule(mostWaiting: number): PolicyRule {
  return {
    name: "thread_queue",
    judge: ({ record }) => (record.kind === "turned_away" ? { reason: "thread_busy", limit: mostWaiting } : "allow"),
  };
}
