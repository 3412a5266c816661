import { setTimeout as wait } from "node:timers/promises";
import type { Journal } from "../journal.ts";
import type { Plan } from "../plan/plan.ts";
import type { Disturbance } from "../plan/disturbance-plan.ts";
import type { Deciders } from "./press-buttons.ts";

interface Deciding {
  readonly journal: Journal;
  readonly deciders: Deciders;
  /** Begins disturbances at their times. Resolves when all are over. */
  readonly disturb: (disturbances: readonly Disturbance[]) => Promise<void>;
  /** Resolves when all questions are written. */
  readonly written: Promise<unknown>;
  readonly isOver: () => boolean;
}

/**
 * Lets half of the disturbances happen while questions ask people, and the other half while people decide, which begins when all cards are shown.
 * Resolves with the number of cards that were open at once.
 */
export async function decideInHalves(
  { halfMs = 0, messages, disturbances }: Plan,
  { journal, deciders, disturb, written, isOver }: Deciding,
): Promise<number> {
  await disturb(disturbances.filter(({ at }) => at < halfMs));
  await written;
  while (deciders.shown() < messages.length && !isOver()) await wait(250);
  const openAtOnce = deciders.open();
  journal.note("chaos", `${openAtOnce} cards are open, people decide`);
  const lateMs = journal.now() - halfMs;
  const rest = disturbances.filter(({ at }) => at >= halfMs).map((one) => ({ ...one, at: one.at + lateMs }));
  await Promise.all([disturb(rest), deciders.decideAll(halfMs, isOver)]);
  return openAtOnce;
}
