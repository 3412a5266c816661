import type { Fault } from "@crosszone/dev-slack";
import { createRandom, type Random } from "../../harness/random.ts";
import { planSlackFault } from "./slack-faults.ts";

/** What is killed: a process of a zone, the database server, or the broker. */
export type Victim = "verification" | "execution" | "database" | "broker";

export type Zone = Extract<Victim, "verification" | "execution">;

/** Where the network fails: before Slack's events, between the zones, or before the database. */
export type Wire = "front" | "link" | "database";

export type WireTrouble = "cut" | "refuse" | "stall" | "delay" | "half_close" | "lose_answers";

/** A disturbance. `at` is in milliseconds after the start. */
export type Disturbance = { readonly at: number } & (
  | ({ readonly kind: "kill"; readonly victims: readonly Victim[] } & PlannedKill)
  /** Starts a new process; later the old one is stopped or killed. */
  | {
      readonly kind: "redeploy";
      readonly zone: Zone;
      readonly overlapMs: number;
      readonly politely: boolean;
    }
  /** Suspends a process for a time, as a machine that sleeps. */
  | { readonly kind: "freeze"; readonly zone: Zone; readonly which: number; readonly forMs: number }
  | { readonly kind: "wire"; readonly wire: Wire; readonly trouble: WireTrouble; readonly forMs: number }
  | { readonly kind: "slack"; readonly fault: Fault }
);

export interface PlannedKill {
  /** Selects a process: the index modulo the number of candidates. */
  readonly which: number;
  /** Time until it is started again, milliseconds. */
  readonly pauseMs: number;
  /** Whether a process that does not yet listen can be killed too. */
  readonly early: boolean;
}

/** Mean interval of each kind, milliseconds. */
const means = { kill: 3_300, redeploy: 15_000, freeze: 5_000, wire: 1_900, slack: 700 } as const;

export interface DisturbanceOptions {
  readonly spanMs: number;
  /** Whether the database is a server. */
  readonly hasServer: boolean;
  /** Whether a broker runs. */
  readonly hasBroker: boolean;
  /** Number of kills. Default: one every few seconds. */
  readonly kills?: number | undefined;
  /** Number of kills of each zone and server, instead of `kills`. */
  readonly killsOfEach?: number | undefined;
}

/** Returns all disturbances within `spanMs`. Each kind has its own random sequence, so a change of one leaves the others. */
export function planDisturbances(
  seed: number,
  { spanMs, kills: count, killsOfEach, ...has }: DisturbanceOptions,
): Disturbance[] {
  const { hasServer, hasBroker } = has;
  const times = (course: number, meanMs: number): Timing => ({ random: createRandom(seed, course), meanMs, spanMs });
  const kill: PlanKill = (random, at) => planKill(random, at, has);
  const all: Victim[] = ["verification", "execution", ...(hasServer ? ["database" as const] : [])];
  const each = [...all, ...(hasBroker ? ["broker" as const] : [])].flatMap((victim, at) =>
    killsOfEach === undefined
      ? []
      : spread(times(50 + at, spanMs / killsOfEach), (random, when) => ({ ...kill(random, when), victims: [victim] })),
  );
  const mixed = count === undefined ? timed(times(2, means.kill), kill) : spread(times(2, spanMs / count), kill);
  const kills = killsOfEach === undefined ? mixed : each;
  const redeploys = timed(times(3, means.redeploy), planRedeploy);
  const wires = timed(times(4, means.wire), (random, at) => planWire(random, at, hasServer));
  const freezes = timed(times(7, means.freeze), planFreeze);
  const slack = timed(times(5, means.slack), planFault);
  return [...kills, ...redeploys, ...freezes, ...wires, ...slack].toSorted((one, other) => one.at - other.at);
}

interface Timing {
  readonly random: Random;
  readonly meanMs: number;
  readonly spanMs: number;
}

type PlanOne = (random: Random, at: number) => Disturbance;
type PlanKill = (random: Random, at: number) => Disturbance & { readonly kind: "kill" };

/** Plans disturbances at random intervals of 40 % to 160 % of the mean. */
function timed({ random, meanMs, spanMs }: Timing, plan: PlanOne): Disturbance[] {
  const planned: Disturbance[] = [];
  const step = (): number => Math.round(meanMs * (0.4 + random.int(1_200) / 1_000));
  for (let at = step(); at < spanMs; at += step()) planned.push(plan(random, at));
  return planned;
}

/** Plans one disturbance at a random time in each mean interval. */
function spread({ random, meanMs, spanMs }: Timing, plan: PlanOne): Disturbance[] {
  const count = Math.round(spanMs / meanMs);
  return Array.from({ length: count }, (_, number) => {
    const at = Math.round((number + random.int(1_000) / 1_000) * meanMs);
    return plan(random, at);
  });
}

function planKill(
  random: Random,
  at: number,
  { hasServer, hasBroker }: Pick<DisturbanceOptions, "hasServer" | "hasBroker">,
): ReturnType<PlanKill> {
  const single: Victim[] = ["verification", "verification", "execution", "execution"];
  const several: Victim[][] = [["verification", "execution"]];
  if (hasServer) {
    single.push("database");
    several.push(["verification", "database"], ["execution", "database"]);
  }
  if (hasBroker) {
    single.push("broker");
    several.push(["execution", "broker"]);
  }
  const victims = random.chance(0.2) ? random.pick(several) : [random.pick(single)];
  return {
    at,
    kind: "kill",
    victims,
    which: random.int(1_000),
    pauseMs: random.chance(0.3) ? 0 : random.int(2_500),
    early: random.chance(0.25),
  };
}

function planRedeploy(random: Random, at: number): Disturbance {
  const zone = random.pick(["verification", "execution"] as const);
  return { at, kind: "redeploy", zone, overlapMs: 1_000 + random.int(5_000), politely: random.chance(0.6) };
}

/**
 * Execution is suspended for up to twice a lease, since its database rejects what it does after that. Verification is suspended for less than a
 * lease: calls to Slack continue when it wakes up, and Slack does not know leases.
 */
function planFreeze(random: Random, at: number): Disturbance {
  const zone = random.pick(["verification", "execution"] as const);
  const forMs = zone === "execution" ? 500 + random.int(6_500) : 200 + random.int(1_200);
  return { at, kind: "freeze", zone, which: random.int(1_000), forMs };
}

function planWire(random: Random, at: number, hasServer: boolean): Disturbance {
  const wire = random.pick<Wire>(hasServer ? ["front", "link", "link", "link", "database"] : ["front", "link", "link"]);
  const trouble = random.pick<WireTrouble>([
    "cut",
    "cut",
    "refuse",
    "stall",
    "delay",
    "half_close",
    "lose_answers",
    "lose_answers",
  ]);
  return { at, kind: "wire", wire, trouble, forMs: 100 + random.int(1_500) };
}

function planFault(random: Random, at: number): Disturbance {
  return { at, kind: "slack", fault: planSlackFault(random) };
}
