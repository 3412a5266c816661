import type { PolicyRule } from "../policy-rule.ts";

/** The message was not turned away when it came, because too many wait in its thread. */
export function createThreadQueueRule(mostWaiting: number): PolicyRule {
  return {
    name: "thread_queue",
    judge: ({ record }) => (record.kind === "turned_away" ? { reason: "thread_busy", limit: mostWaiting } : "allow"),
  };
}
