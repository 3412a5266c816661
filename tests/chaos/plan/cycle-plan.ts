import { createRandom } from "../../hostile/random.ts";
import { planMessages, type PlannedMessage } from "./message-plan.ts";

/** Between two kills of everything. */
export interface Cycle {
  readonly messages: readonly PlannedMessage[];
  /** Whether the kill may come before both zones listen. */
  readonly early: boolean;
  /** When both zones are killed, milliseconds after they listen, or with `early` after they were started. */
  readonly killAfterMs: number;
}

/** Up to three messages a cycle; the kill comes while the zones start, work, or have just ended their work. */
export function planCycles(seed: number, count: number): Cycle[] {
  const random = createRandom(seed, 6);
  const messages = planMessages(seed, count * 4, 1_000)
    .filter(({ follows }) => follows === undefined)
    .map((message) => ({ ...message, kind: message.kind === "slow" ? ("quick" as const) : message.kind }));
  return Array.from({ length: count }, () => ({
    messages: messages.splice(0, random.int(4)),
    early: random.chance(0.25),
    killAfterMs: random.int(1_500),
  }));
}
