import type { Fault } from "@crosszone/dev-slack";
import { createRandom, type Random } from "../harness/random.ts";
import { planAsks, planCalls, planMessages, type PlannedMessage, withChanges } from "../resist/plan/messages.ts";

/** The plan of a run: a pure function of its options. */
export interface Plan {
  /** Time in which all messages are written and all disturbances begin, milliseconds. */
  readonly spanMs: number;
  readonly messages: readonly PlannedMessage[];
  readonly disturbances: readonly Disturbance[];
  /** With approvals: people decide in the second half of the disturbances, when all requests are open. */
  readonly halfMs?: number;
  /** Instead of disturbances. Their messages are all of the plan. */
  readonly cycles?: readonly PlannedCycle[];
}

/** Both zones are started on one data folder, asked, and killed together. */
export interface PlannedCycle {
  readonly messages: readonly PlannedMessage[];
  /** Whether the zones are killed before both work. */
  readonly early: boolean;
  /** When both zones are killed, milliseconds after they work. With `early`, after they were started. */
  readonly killAfterMs: number;
}

export interface PlanOptions {
  readonly seed: number;
  readonly messages: number;
  readonly engine: "sqlite" | "postgres" | "kafka";
  /** Number of kills; with approvals, of each zone and server. Default: one every 3.3 seconds. */
  readonly kills?: number;
  /** Number of questions that ask people, instead of messages. */
  readonly approvals?: number | undefined;
  /** Number of questions that call a tool, beside the messages. Then only processes of the zones are killed, and one at a time. */
  readonly calls?: number | undefined;
  /** Number of cycles, instead of disturbances. */
  readonly cycles?: number | undefined;
}

/** Returns the time span of a plan with this number of messages, and of kills between which there is work, milliseconds. */
export const spanOf = (messages: number, kills = 0): number => Math.max(15_000, messages * 330, kills * 4_000);

/** Returns the half of a plan with this number of approvals, milliseconds. */
const halfOf = (approvals: number): number => Math.max(15_000, approvals * 150);

/** Returns when what nobody decides expires, milliseconds: usually when all others are open too. */
export const leftMsOf = (approvals: number): number => 45_000 + 2 * halfOf(approvals);

/** Plans a message every third of a second, and at least 15 seconds, so that disturbances have time. */
export function planRun({ seed, messages, engine, kills, approvals, calls, cycles }: PlanOptions): Plan {
  if (cycles !== undefined) return planCycles(seed, cycles);
  const has = { hasServer: engine !== "sqlite", hasBroker: engine === "kafka" };
  if (approvals !== undefined) {
    const halfMs = halfOf(approvals);
    const disturbances = planDisturbances(seed, { spanMs: 2 * halfMs, killsOfEach: kills, ...has });
    return { spanMs: 2 * halfMs, halfMs, messages: planAsks(seed, approvals, halfMs), disturbances };
  }
  const spanMs = spanOf(messages, calls === undefined ? 0 : (kills ?? 0));
  const moment = (at: number): number => Math.round((at * spanMs * 0.8) / (calls ?? 1));
  const asking = planCalls(seed, { count: calls ?? 0, first: messages, moment });
  return {
    spanMs,
    messages: [...withChanges(seed, planMessages(seed, messages, spanMs)), ...asking],
    disturbances: planDisturbances(seed, { spanMs, kills, onlyZones: calls !== undefined, ...has }),
  };
}

/** Plans up to three messages a cycle. The kill comes while the zones start, work, or have just finished. */
function planCycles(seed: number, count: number): Plan {
  const random = createRandom(seed, 6);
  const messages = planMessages(seed, count * 4, 1_000)
    .filter(({ follows }) => follows === undefined)
    .map((message) => ({ ...message, kind: message.kind === "slow" ? ("quick" as const) : message.kind }));
  const cycles = Array.from({ length: count }, () => ({
    messages: messages.splice(0, random.int(4)),
    early: random.chance(0.25),
    killAfterMs: random.int(1_500),
  }));
  return { spanMs: 0, messages: cycles.flatMap((cycle) => cycle.messages), disturbances: [], cycles };
}

const usualStartMs = 1_500;
const longestStretch = 3;

/** Stretches a plan for a slow machine, where otherwise the zones would only ever be starting. The events and their order stay the same. */
export function stretchPlan(plan: Plan, startedInMs: number): Plan & { readonly stretch: number } {
  const stretch = Math.min(longestStretch, Math.max(1, startedInMs / usualStartMs));
  const later = <T extends { readonly at: number }>(one: T): T => ({ ...one, at: Math.round(one.at * stretch) });
  return {
    ...plan,
    stretch,
    spanMs: plan.spanMs * stretch,
    ...(plan.halfMs !== undefined && { halfMs: plan.halfMs * stretch }),
    messages: plan.messages.map(later),
    disturbances: plan.disturbances.map(later),
  };
}

/** What is killed: a process of a zone, the database server, or the broker. */
export type Victim = "verification" | "execution" | "database" | "broker";

export type Zone = Extract<Victim, "verification" | "execution">;

/** Where the network fails: before Slack's events, between the zones, or before the database. */
type Wire = "front" | "link" | "database";

export type WireTrouble = (typeof wireTroubles)[number];

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
  /** How long a kill waits for a process that can be killed, milliseconds. Default: some seconds. */
  readonly patientMs?: number;
}

/** Mean interval of each kind, milliseconds. */
const means = { kill: 3_300, redeploy: 15_000, freeze: 5_000, wire: 1_900, slack: 700 } as const;

interface DisturbanceOptions {
  readonly spanMs: number;
  /** Whether the database is a server. */
  readonly hasServer: boolean;
  /** Whether a broker runs. */
  readonly hasBroker: boolean;
  /** Number of kills. Default: one every few seconds. */
  readonly kills?: number | undefined;
  /** Number of kills of each zone and server, instead of `kills`. */
  readonly killsOfEach?: number | undefined;
  /** Whether nothing but the `kills`, each of one process of a zone, ends with SIGKILL. */
  readonly onlyZones?: boolean;
}

/** Returns all disturbances within `spanMs`. Each kind has its own random sequence, so a change of one leaves the others. */
function planDisturbances(
  seed: number,
  { spanMs, kills: count, killsOfEach, onlyZones = false, ...has }: DisturbanceOptions,
): Disturbance[] {
  const { hasServer, hasBroker } = has;
  const times = (course: number, meanMs: number): Timing => ({ random: createRandom(seed, course), meanMs, spanMs });
  const kill: PlanKill = (random, at) => {
    const planned = planKill(random, at, onlyZones ? { hasServer: false, hasBroker: false } : has);
    return onlyZones ? { ...planned, victims: planned.victims.slice(0, 1), patientMs: 120_000 } : planned;
  };
  const all: Victim[] = ["verification", "execution", ...(hasServer ? ["database" as const] : [])];
  const each = [...all, ...(hasBroker ? ["broker" as const] : [])].flatMap((victim, at) =>
    killsOfEach === undefined
      ? []
      : spread(times(50 + at, spanMs / killsOfEach), (random, when) => ({ ...kill(random, when), victims: [victim] })),
  );
  const mixed = count === undefined ? timed(times(2, means.kill), kill) : spread(times(2, spanMs / count), kill);
  const kills = killsOfEach === undefined ? mixed : each;
  const redeploys = timed(times(3, means.redeploy), (random, at) => planRedeploy(random, at, onlyZones));
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

function planRedeploy(random: Random, at: number, isAlwaysPolite: boolean): Disturbance {
  const zone = random.pick(["verification", "execution"] as const);
  return {
    at,
    kind: "redeploy",
    zone,
    overlapMs: 1_000 + random.int(5_000),
    politely: random.chance(0.6) || isAlwaysPolite,
  };
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

const wireTroubles = ["cut", "cut", "refuse", "stall", "delay", "half_close", "lose_answers", "lose_answers"] as const;

function planWire(random: Random, at: number, hasServer: boolean): Disturbance {
  const wire = random.pick<Wire>(hasServer ? ["front", "link", "link", "link", "database"] : ["front", "link", "link"]);
  return { at, kind: "wire", wire, trouble: random.pick(wireTroubles), forMs: 100 + random.int(1_500) };
}

/** Methods that every question calls. */
const methods = [
  "chat.postMessage",
  "chat.postMessage",
  "chat.postMessage",
  "chat.update",
  "chat.update",
  "chat.update",
  "conversations.replies",
  "agents.sessions.setStatus",
] as const;

/** Methods that few answers call. Faults wait for a call, so many would accumulate here. */
const rareMethods = [
  "files.getUploadURLExternal",
  "files.completeUploadExternal",
  "files.completeUploadExternal",
] as const;

/** Methods that stream an answer, and the errors with which Slack refuses them. */
const endMethods = ["chat.appendStream", "chat.appendStream", "chat.stopStream"] as const;
const streamMethods = ["chat.startStream", ...endMethods] as const;
const streamErrors = ["message_not_in_streaming_state", "msg_too_long", "internal_error"] as const;

/** Methods that check a question before it is accepted. Too many failures of these would be a correct refusal instead of an answer. */
const lookups = ["users.info", "conversations.info", "auth.test"] as const;

type PlanFault = (random: Random) => Omit<Fault, "method">;

const failed: PlanFault = (random) => ({ kind: random.pick(["server_error", "drop"] as const) });
const perhapsDone: PlanFault = (random) => ({ ...failed(random), takes_effect: random.chance(0.7) });
const refused: PlanFault = (random) => ({ kind: "rate_limited", retry_after: 1 + random.int(2) });
const late: PlanFault = (random) => ({ kind: "late", after_ms: 500 + random.int(4_000) });

/** Of a thousand faults: how many, of which methods, and what becomes of the call. */
const slackFaults: readonly (readonly [count: number, methods: readonly string[], plan: PlanFault])[] = [
  [100, lookups, failed],
  [110, rareMethods, perhapsDone],
  [40, streamMethods, refused],
  [80, streamMethods, perhapsDone],
  [20, streamMethods, late],
  // After a refused start, the app does not stream in that channel for a while.
  [20, endMethods, (random) => ({ kind: "error", error: random.pick(streamErrors) })],
  [160, methods, (random) => ({ ...refused(random), times: 1 + random.int(3) })],
  [125, methods, (random) => ({ kind: "server_error", times: 1 + random.int(2) })],
  [125, methods, () => ({ kind: "server_error", takes_effect: true })],
  [125, methods, (random) => ({ kind: "drop", takes_effect: random.chance(0.7) })],
  [75, methods, late],
  [20, methods, (random) => ({ kind: "hang", takes_effect: random.chance(0.5) })],
];

/** Plans a fault of one Web API call: refused, failed, failed after it took effect, cut, answered late or never. */
function planFault(random: Random, at: number): Disturbance {
  let left = random.int(1_000);
  const [, from, plan] = slackFaults.find(([count]) => (left -= count) < 0) ?? [0, methods, failed];
  return { at, kind: "slack", fault: { method: random.pick(from), ...plan(random) } };
}
