import { askerOf } from "../../chaos/plan/message-plan.ts";
import type { PlannedEvent, SeedPlan } from "./plan-seed.ts";

const restarts = 100;
/** Time between two kills, and how much of it no process runs, milliseconds. */
const betweenMs = (29.9 / restarts) * 86_400_000;
const awayMs = betweenMs - 15_000;

/** Plans one question, about which people decide after 30 days and 100 kills of both zones, which work for seconds in between. */
export function planLong(): SeedPlan {
  // Its event does not come once more: after 30 days it would be another question.
  const number = 4;
  const kills = Array.from({ length: restarts }, (_, at) => at * betweenMs + 15_000);
  const events = kills.flatMap((at): PlannedEvent[] => [
    { at, kind: "kill", zone: "verification" },
    { at, kind: "kill", zone: "execution" },
  ]);
  return {
    spanMs: restarts * betweenMs,
    messages: [
      {
        number,
        at: 1_000,
        place: { channel: 0 },
        person: askerOf(number),
        kind: "asks",
        delivery: { copies: 1, delayMs: 0, dropFirst: false },
      },
    ],
    events,
    calm: [],
    decideAfterMs: () => restarts * betweenMs + 2_000,
    awayMs: () => awayMs,
  };
}
