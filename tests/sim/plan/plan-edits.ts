import {
  type Later,
  placeOf,
  type PlannedKind,
  type PlannedMessage,
  personCount,
} from "../../chaos/plan/message-plan.ts";
import { createRandom, type Random } from "../../harness/random.ts";
import type { PlannedEvent, SeedPlan } from "./plan-seed.ts";

const hourMs = 3_600_000;

/** When the zones run, milliseconds after the start: the last time when the claims of the first messages are over. */
const wakes = [0, 13 * hourMs, 26 * hourMs] as const;
/** Time from a start until people change messages. A process deletes what has expired within 15 seconds. Milliseconds. */
const settledMs = 16_000;
/** Time in which people write, or change what they wrote, and processes are killed; and the time until all processes are killed, milliseconds. */
const busyMs = 6_000;
const awakeMs = settledMs + busyMs + 12_000;

const kinds: Readonly<Record<Later["does"], readonly PlannedKind[]>> = {
  edits: ["quick", "slow", "streamed", "agent", "parts"],
  mentions: ["quick", "agent"],
  deletes: ["quick", "slow", "slow", "streamed", "parts"],
};

/** Plans 26 hours in which people correct and delete messages, and Slack sends events again, while processes are killed: a function of the seed only. */
export function planEdits(seed: number): SeedPlan {
  const random = createRandom(seed, 45);
  const moment = (wake: number): number => wake + (wake === 0 ? 0 : settledMs) + random.int(busyMs);
  const messages = Array.from({ length: 4 + random.int(4) }, (_, number) => planMessage(number, { random, moment }));
  const kills = wakes.flatMap((wake) =>
    Array.from({ length: random.int(4) }, (): PlannedEvent => planKill(moment(wake), random)),
  );
  // The second kill finds a process that was starting.
  const rests = wakes.slice(0, -1).flatMap((wake) =>
    [awakeMs, awakeMs + 4_000].flatMap((after): PlannedEvent[] => [
      { at: wake + after, kind: "kill", zone: "verification" },
      { at: wake + after, kind: "kill", zone: "execution" },
    ]),
  );
  const isAwake = (at: number): boolean => wakes.some((wake) => at >= wake && at < wake + awakeMs);
  return {
    spanMs: wakes[2] + settledMs + busyMs,
    messages,
    events: [...kills, ...rests].toSorted((one, other) => one.at - other.at),
    calm: [],
    decideAfterMs: () => 0,
    awayMs: (at) => (isAwake(at) ? undefined : (wakes.find((wake) => wake > at) ?? at) - at),
  };
}

/** Plans a message, and when its author changes it: at once, in the middle, or after 26 hours. */
function planMessage(
  number: number,
  { random, moment }: { readonly random: Random; readonly moment: (wake: number) => number },
): PlannedMessage {
  const at = random.int(busyMs);
  const does = random.pick(["edits", "edits", "mentions", "deletes", "deletes", "deletes"] as const);
  const place = does === "mentions" ? { channel: random.int(3) } : placeOf(random);
  // A deletion while the answer is written is the hardest.
  const [early, mostMs] = does === "deletes" ? [0.8, 2_500] : [0.5, 5_000];
  const changedAt = random.chance(early) ? at + 1 + random.int(mostMs) : moment(random.pick(wakes.slice(1)));
  const delivery = { copies: 1 + random.int(2), delayMs: random.chance(0.3) ? random.int(4_000) : 0 };
  return {
    number,
    at,
    place,
    person: random.int(personCount),
    kind: random.pick(kinds[does]),
    delivery: {
      ...delivery,
      dropFirst: random.chance(0.1),
      // Slack sends an event again for a day.
      ...(random.chance(0.4) && { againAfterMs: moment(random.pick([0, 13 * hourMs])) }),
    },
    later: { does, afterMs: changedAt - at },
  };
}

function planKill(at: number, random: Random): PlannedEvent {
  const zone = random.pick(["verification", "verification", "execution"] as const);
  const place = zone === "execution" ? "database" : random.pick(["database", "slack", "slack", "link"] as const);
  const trouble = random.pick(["die_before", "die_after"] as const);
  return { at, kind: "kill", zone, doom: { place, at: 1 + random.int(8), trouble } };
}
