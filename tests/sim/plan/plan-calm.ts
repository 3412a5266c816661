import type { PlannedMessage } from "../../chaos/plan/message-plan.ts";

/** How long an agent takes in calm, milliseconds. A task that only polls for the answer finds it much later. */
export const calmAgentMs = 1_400;

const delivery = { copies: 1, delayMs: 0, dropFirst: false };

/** When nothing goes wrong any more, people write these: one question waits behind another in its thread, and a task waits for an agent. */
export function planCalm(first: number): PlannedMessage[] {
  const place = { channel: 0 };
  return [
    { number: first, at: 0, place, person: 0, kind: "slow", delivery },
    { number: first + 1, at: 0, place, person: 1, kind: "quick", follows: first, delivery },
    { number: first + 2, at: 0, place: { direct: 2 }, person: 2, kind: "agent", delivery },
  ];
}

/** Returns how long the work on such a question takes in itself, milliseconds. */
export function ownMs({ kind, number }: PlannedMessage): number {
  if (kind === "agent") return calmAgentMs;
  return kind === "slow" ? 1_000 + (number % 40) * 100 : 0;
}
