import { createRandom, type Random } from "../harness/random.ts";
import {
  allChannels,
  askerOf,
  atOnce,
  channelCount,
  planCalls,
  planMessages,
  type PlannedMessage,
  type Later,
  placeOf,
  type PlannedKind,
  personCount,
} from "../resist/plan/messages.ts";
import type { Doom } from "./faults/troubles.ts";

/** What befalls a process of a zone. `doom`: the operation, soon after this time, at which it dies or freezes. Default: at once. */
export type PlannedEvent = { readonly at: number; readonly zone: "verification" | "execution" } & (
  | { readonly kind: "kill"; readonly doom?: Doom }
  | { readonly kind: "redeploy"; readonly overlapMs: number }
  | { readonly kind: "freeze"; readonly forMs: number; readonly doom?: Doom }
);

export interface SeedPlan {
  /** Time in which all messages are written and all events begin, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly events: readonly PlannedEvent[];
  /** Messages of the calm, after all answers and failures. One seed in four has them. */
  readonly calm: readonly PlannedMessage[];
  /** Returns when people begin to decide about a card, milliseconds after it was shown, which was at a time after the start. */
  readonly decideAfterMs: (number: number, shownAt: number) => number;
  /** Whether Slack allows no bursts, and how long answers can take after the last failure, milliseconds. */
  readonly strict?: { readonly drainMs: number };
  /** Returns when a process that died at a time after the start is replaced, milliseconds. Default: after up to some seconds. */
  readonly awayMs?: (at: number) => number | undefined;
}

const zones = ["verification", "execution"] as const;

const killBoth = (at: number): PlannedEvent[] => zones.map((zone) => ({ at, kind: "kill", zone }));

/** Kinds that only the simulation has, which can have many of them. */
const rare = ["fails", "list", "stopped", "denied"] as const;

/** Files need HTTP, which the simulation does not have. */
const isReplaced = ({ kind, place }: PlannedMessage): boolean =>
  kind === "attached" || (kind === "quick" && "direct" in place);

/** When a request that nobody decides expires, milliseconds. */
export const leftMs = 20_000;

/** Plans the question of a seed that asks people. Its number decides who can decide, and who presses what. */
function planAsk(seed: number, spanMs: number): PlannedMessage {
  const random = createRandom(seed, 43);
  const [number, kind] = [1_000 + seed, random.chance(0.1) ? "left" : "asks"] as const;
  const place = { channel: random.int(channelCount) };
  return { number, at: random.int(spanMs), place, person: askerOf(number), kind, delivery: atOnce };
}

/** Plans a run, by default that of seconds: a function of the seed only. */
export function planOf(seed: number, course?: "long" | "edits" | "outage"): SeedPlan {
  if (course === "long") return planLong();
  if (course === "edits") return planEdits(seed);
  return course === "outage" ? planOutage(seed) : planSeconds(seed);
}

function planSeconds(seed: number): SeedPlan {
  const random = createRandom(seed, 40);
  const count = 3 + random.int(5);
  const spanMs = 2_000 + random.int(7_000);
  const messages = planMessages(seed, count, spanMs).map((message): PlannedMessage =>
    isReplaced(message) ? { ...message, kind: rare[(seed + message.number) % rare.length] ?? "quick" } : message,
  );
  const kills = Array.from({ length: random.int(7) }, (): PlannedEvent => {
    const zone = random.pick(zones);
    const at = random.int(spanMs);
    if (random.chance(0.2)) return { at, kind: "kill", zone };
    const place = zone === "execution" ? "database" : random.pick(["database", "slack", "link"] as const);
    return {
      at,
      kind: "kill",
      zone,
      doom: { place, at: 1 + random.int(12), trouble: random.pick(["die_before", "die_after"]) },
    };
  });
  const redeploys = Array.from({ length: random.int(3) }, (): PlannedEvent => {
    const overlapMs = 100 + random.int(4_000);
    return { at: random.int(spanMs), kind: "redeploy", zone: random.pick(zones), overlapMs };
  });
  const long = messages.filter(({ kind }) => kind !== "quick");
  const freezes = Array.from({ length: random.int(3) }, (): PlannedEvent => {
    const zone = random.pick(zones);
    // Execution freezes for longer than a lease, verification for less: Slack cannot reject late calls.
    const forMs = zone === "execution" ? 500 + random.int(6_500) : 200 + random.int(1_200);
    // Soon after a slow question, while its task is running.
    const at = long.length > 0 ? random.pick(long).at + random.int(1_500) : random.int(spanMs);
    return { at, kind: "freeze", zone, forMs };
  });
  // It freezes when it ends a job, and has lost the lease when it retries.
  const stalls = Array.from({ length: long.length > 0 ? 1 + random.int(3) : 0 }, (): PlannedEvent => {
    const { at, delivery } = random.pick(long);
    const doom: Doom = { place: "ending", at: 1, trouble: "lost_before" };
    const forMs = 3_600 + random.int(1_800);
    return { at: at + delivery.delayMs + random.int(1_000), kind: "freeze", zone: "execution", forMs, doom };
  });
  const events = [...stalls, ...kills, ...redeploys, ...freezes].toSorted((one, other) => one.at - other.at);
  const decideAfterMs = (number: number): number => ((seed + number) * 997) % longestDecisionMs;
  return {
    spanMs,
    messages: [...messages, planAsk(seed, spanMs)],
    events,
    calm: seed % 4 === 0 ? planCalm(count) : [],
    decideAfterMs,
  };
}

/** Maximum time until people decide, milliseconds. */
const longestDecisionMs = 6_000;

/** Time of an agent call in calm, milliseconds. A task that only polls would find the answer much later. */
export const calmAgentMs = 1_400;

/** Plans the messages of the calm: a question waits for another in its thread, and a task waits for an agent. */
function planCalm(first: number): PlannedMessage[] {
  const place = { channel: 0 };
  return [
    { number: first, at: 0, place, person: 0, kind: "slow", delivery: atOnce },
    { number: first + 1, at: 0, place, person: 1, kind: "quick", follows: first, delivery: atOnce },
    { number: first + 2, at: 0, place: { direct: 2 }, person: 2, kind: "agent", delivery: atOnce },
  ];
}

/** Returns the time that the work on such a question takes, milliseconds. */
export function ownMs({ kind, number }: PlannedMessage): number {
  if (kind === "agent") return calmAgentMs;
  return kind === "slow" ? 1_000 + (number % 40) * 100 : 0;
}

const restarts = 100;
/** Time between two kills, and how much of it no process runs, milliseconds. */
const betweenMs = (29.9 / restarts) * 86_400_000;
const awayMs = betweenMs - 15_000;

/** Plans one question, about which people decide after 30 days and 100 kills of both zones, which work for seconds in between. */
function planLong(): SeedPlan {
  // Its event does not come once more: after 30 days it would be another question.
  const number = 4;
  const events = Array.from({ length: restarts }, (_, at) => killBoth(at * betweenMs + 15_000)).flat();
  return {
    spanMs: restarts * betweenMs,
    messages: [{ number, at: 1_000, place: { channel: 0 }, person: askerOf(number), kind: "asks", delivery: atOnce }],
    events,
    calm: [],
    decideAfterMs: () => restarts * betweenMs + 2_000,
    awayMs: () => awayMs,
  };
}

const hourMs = 3_600_000;

/** When the zones run, milliseconds after the start: the last time when the claims of the first messages are over. */
const wakes = [0, 13 * hourMs, 26 * hourMs] as const;
/** Time from a start until people change messages. A process deletes what has expired within 15 seconds. Milliseconds. */
const settledMs = 16_000;
/** Time in which people write, or change what they wrote, and processes are killed; and the time until all processes are killed, milliseconds. */
const busyMs = 6_000;
const awakeMs = settledMs + busyMs + 60_000;

const kinds: Readonly<Record<Later["does"], readonly PlannedKind[]>> = {
  edits: ["quick", "slow", "streamed", "agent", "parts"],
  mentions: ["quick", "agent"],
  deletes: ["quick", "slow", "slow", "streamed", "parts"],
};

/** Plans 26 hours in which people correct and delete messages, and Slack sends events again, while processes are killed: a function of the seed only. */
function planEdits(seed: number): SeedPlan {
  const random = createRandom(seed, 45);
  const moment = (wake: number): number => wake + (wake === 0 ? 0 : settledMs) + random.int(busyMs);
  const messages = Array.from({ length: 4 + random.int(4) }, (_, number) => planMessage(number, { random, moment }));
  const calls = planCalls(seed, { count: 2, first: 20 + 4 * (seed % 100), moment: () => random.int(busyMs) });
  const kills = wakes.flatMap((wake) =>
    Array.from({ length: random.int(4) }, (): PlannedEvent => planKill(moment(wake), random)),
  );
  // People decide for some seconds, in the beginning or half a day later.
  const whileDeciding = wakes
    .slice(0, -1)
    .flatMap((wake) =>
      Array.from({ length: 1 + random.int(4) }, (): PlannedEvent =>
        planKill(wake + 4_000 + random.int(20_000), random),
      ),
    );
  // The second kill finds a process that was starting.
  const rests = wakes
    .slice(0, -1)
    .flatMap((wake) => [awakeMs, awakeMs + 4_000].flatMap((after) => killBoth(wake + after)));
  const isAwake = (at: number): boolean => wakes.some((wake) => at >= wake && at < wake + awakeMs);
  return {
    spanMs: wakes[2] + settledMs + busyMs,
    messages: [...messages, ...calls],
    events: [...kills, ...whileDeciding, ...rests].toSorted((one, other) => one.at - other.at),
    calm: [],
    decideAfterMs: (number, shownAt) => (number % 4 === 1 ? 0 : Math.max(0, wakes[1] + 2_000 - shownAt)),
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
  const often = { copies: 1 + random.int(2), delayMs: random.chance(0.3) ? random.int(4_000) : 0 };
  return {
    number,
    at,
    place,
    person: random.int(personCount),
    kind: random.pick(kinds[does]),
    delivery: {
      ...often,
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

/** How long the zones work before they are away, are away, and are killed after that, milliseconds. */
const [beforeMs, outageMs, afterMs] = [14_000, 24.5 * hourMs, 200_000] as const;
const backMs = beforeMs + outageMs;

/**
 * Plans a day in which people write, correct and delete messages while no zone runs, so that Slack gives their events up, and after which
 * verification is killed while it reads them: a function of the seed only. One seed in ten has 500 messages in 12 channels and over 60
 * threads, with about 40 edits and 20 deletions.
 */
function planOutage(seed: number): SeedPlan {
  const random = createRandom(seed, 46);
  const count = seed % 10 === 0 ? 500 : 100;
  const early = 8;
  const times = Array.from({ length: count }, () => beforeMs + 1_000 + random.int(outageMs - 60_000)).toSorted(
    (one, other) => one - other,
  );
  const messages: PlannedMessage[] = [];
  for (let number = 0; number < early + count; number += 1) {
    const isEarly = number < early;
    const roots = messages.filter(({ place, follows, later }) => "channel" in place && follows === undefined && !later);
    const at = isEarly ? random.int(4_000) : (times[number - early] ?? 0);
    // Slack still sends the last ones again when verification is back.
    const isLost = !isEarly && at < backMs - 240_000;
    const root = isLost && random.chance(0.3) ? random.pick(roots.slice(-60)) : undefined;
    const does = random.pick(["edits", "mentions", "deletes"] as const);
    const isChanged = !isEarly && root === undefined && random.chance(0.2);
    const channel = random.int(allChannels);
    const isDirect = random.chance(0.3) && !(isChanged && does === "mentions");
    messages.push({
      number,
      at,
      place: root?.place ?? (isDirect ? { direct: random.int(personCount) } : { channel }),
      ...(root !== undefined && { follows: root.number }),
      person: root !== undefined && random.chance(0.7) ? root.person : random.int(personCount),
      kind: "quick",
      delivery: { copies: isLost ? 0 : 1, delayMs: 0, dropFirst: false },
      ...(isChanged && { later: { does, afterMs: 1_000 + random.int(Math.min(4 * hourMs, backMs - 2_000 - at)) } }),
    });
  }
  const kills = Array.from({ length: 4 }, (): PlannedEvent => {
    const place = random.pick(["database", "slack", "slack"] as const);
    const doom: Doom = { place, at: 1 + random.int(8), trouble: random.pick(["die_before", "die_after"]) };
    return { at: backMs + 2_000 + random.int(afterMs - 4_000), kind: "kill", zone: "verification", doom };
  });
  return {
    spanMs: backMs + afterMs,
    messages,
    events: [...killBoth(beforeMs), ...kills].toSorted((one, other) => one.at - other.at),
    calm: [],
    decideAfterMs: () => 0,
    strict: { drainMs: 0.75 * hourMs },
    awayMs: (at) => (at >= beforeMs && at < backMs ? backMs - at : undefined),
  };
}
