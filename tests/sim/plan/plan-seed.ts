import { askerOf, channelCount, planMessages, type PlannedMessage } from "../../chaos/plan/message-plan.ts";
import { createRandom } from "../../harness/random.ts";
import type { Doom } from "../faults/troubles.ts";

export interface PlannedKill {
  readonly at: number;
  readonly kind: "kill";
  readonly zone: "verification" | "execution";
  /** The operation, soon after this time, at which it dies. Default: at once. */
  readonly doom?: Doom;
}

export interface PlannedRedeploy {
  readonly at: number;
  readonly kind: "redeploy";
  readonly zone: "verification" | "execution";
  readonly overlapMs: number;
}

export interface PlannedFreeze {
  readonly at: number;
  readonly kind: "freeze";
  readonly zone: "verification" | "execution";
  readonly forMs: number;
  /** The operation, soon after this time, at which it begins. Default: at once. */
  readonly doom?: Doom;
}

export type PlannedEvent = PlannedKill | PlannedRedeploy | PlannedFreeze;

export interface SeedPlan {
  /** Time in which all messages are written and all events begin, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly events: readonly PlannedEvent[];
  /** Messages of the calm, after all answers and failures. One seed in four has them. */
  readonly calm: readonly PlannedMessage[];
  /** Returns when people begin to press the buttons of a card, milliseconds after it was shown. */
  readonly decideAfterMs: (number: number) => number;
  /** Returns when a process that died at a time after the start is replaced, milliseconds. Default: after up to some seconds. */
  readonly awayMs?: (at: number) => number | undefined;
}

const zones = ["verification", "execution"] as const;

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
  return { number, at: random.int(spanMs), place, person: askerOf(number), kind, delivery };
}

/** Plans a run: a function of the seed only. */
export function planSeed(seed: number): SeedPlan {
  const random = createRandom(seed, 40);
  const count = 3 + random.int(5);
  const spanMs = 2_000 + random.int(7_000);
  const messages = planMessages(seed, count, spanMs).map((message): PlannedMessage =>
    isReplaced(message) ? { ...message, kind: rare[(seed + message.number) % rare.length] ?? "quick" } : message,
  );
  const kills = Array.from({ length: random.int(7) }, (): PlannedKill => {
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
  const redeploys = Array.from({ length: random.int(3) }, (): PlannedRedeploy => {
    const overlapMs = 100 + random.int(4_000);
    return { at: random.int(spanMs), kind: "redeploy", zone: random.pick(zones), overlapMs };
  });
  const long = messages.filter(({ kind }) => kind !== "quick");
  const freezes = Array.from({ length: random.int(3) }, (): PlannedFreeze => {
    const zone = random.pick(zones);
    // Execution freezes for longer than a lease, verification for less: Slack cannot reject late calls.
    const forMs = zone === "execution" ? 500 + random.int(6_500) : 200 + random.int(1_200);
    // Soon after a slow question, while its task is running.
    const at = long.length > 0 ? random.pick(long).at + random.int(1_500) : random.int(spanMs);
    return { at, kind: "freeze", zone, forMs };
  });
  // It freezes when it ends a job, and has lost the lease when it retries.
  const stalls = Array.from({ length: long.length > 0 ? 1 + random.int(3) : 0 }, (): PlannedFreeze => {
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

const delivery = { copies: 1, delayMs: 0, dropFirst: false };

/** Plans the messages of the calm: a question waits for another in its thread, and a task waits for an agent. */
function planCalm(first: number): PlannedMessage[] {
  const place = { channel: 0 };
  return [
    { number: first, at: 0, place, person: 0, kind: "slow", delivery },
    { number: first + 1, at: 0, place, person: 1, kind: "quick", follows: first, delivery },
    { number: first + 2, at: 0, place: { direct: 2 }, person: 2, kind: "agent", delivery },
  ];
}

/** Returns the time that the work on such a question takes, milliseconds. */
export function ownMs({ kind, number }: PlannedMessage): number {
  if (kind === "agent") return calmAgentMs;
  return kind === "slow" ? 1_000 + (number % 40) * 100 : 0;
}
