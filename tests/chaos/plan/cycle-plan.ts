import { createRandom } from "../../hostile/random.ts";
import { planMessages, type PlannedMessage } from "./message-plan.ts";

/** Between two kills of everything. */
export interface Cycle {
  readonly messages: readonly PlannedMessage[];
  /** When both zones are killed, milliseconds after they were started. */
  readonly killAfterMs: number;
}

/** Up to four messages a cycle; the kill comes while the zones start, work, or have just ended their work. */
export function planCycles(seed: number, count: number): Cycle[] {
  const random = createRandom(seed, 6);
  const messages = planMessages(seed, count * 4, 1_000)
    .filter(({ follows }) => follows === undefined)
    .map((message) => ({ ...message, kind: message.kind === "slow" ? ("quick" as const) : message.kind }));
  return Array.from({ length: count }, () => ({
    messages: messages.splice(0, random.int(4)),
    killAfterMs: 200 + random.int(2_000),
  }));
}
