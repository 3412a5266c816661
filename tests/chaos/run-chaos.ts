import { setTimeout as wait } from "node:timers/promises";
import { openVerificationDatabase, verificationPurges } from "@crosszone/verification";
import { sql } from "kysely";
import { judgeAsks } from "../resist/judge/asks.ts";
import { changeComplaintsOf, judgeMessages, type Judged } from "../resist/judge/messages.ts";
import { judgeStores, requestComplaintsOf } from "../resist/judge/stores.ts";
import { openJournal, type Journal } from "./journal.ts";
import {
  leftMsOf,
  type Plan,
  planRun,
  stretchPlan,
  type PlanOptions,
  type Disturbance,
  type PlannedKill,
  type Victim,
} from "./plan.ts";
import { decideInHalves, type Deciders, decidersOf } from "./presses.ts";
import { startSystem, type ChaosSystem } from "./system/start-system.ts";
import { countStreams, type People, peopleOf, watchSilence } from "./watch-slack.ts";

interface ChaosOptions extends PlanOptions {
  /** Time limit of a run, milliseconds. It is stretched with the plan. */
  readonly limitMs: number;
  /** Called twice a second. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly atMs: number;
  readonly phase: "chaos" | "drain" | "once more";
  readonly planned: number;
  readonly sent: number;
  readonly answered: number;
  readonly damage: Damage;
  /** Number of live processes of each zone. */
  readonly live: { readonly verification: number; readonly execution: number };
}

export type ChaosFindings = Awaited<ReturnType<typeof runChaos>>;

/** After all answers, some events are delivered again. Then nothing may happen for this time, milliseconds. */
const quietMs = 4_000;

/** Time in which a call of Slack that was under way can take effect, milliseconds. Faults delay it. */
const underWayMs = 6_000;

/** Performs one run: people write while disturbances happen, the system recovers, and all answers are judged. */
export async function runChaos({ limitMs, onProgress, ...options }: ChaosOptions) {
  const journal = openJournal();
  const { approvals } = options;
  const system = await startSystem(options.engine, journal, approvals && leftMsOf(approvals));
  const plan = stretchPlan(planRun(options), system.startedInMs);
  journal.begin();
  const people = peopleOf(system.slack, journal);
  const damage = noDamage();
  const streams = countStreams(system.slack);
  const judge = (): Judged[] => judgeMessages(system.slack, people.asked.values());
  let phase: Progress["phase"] = "chaos";
  const report = (): void =>
    onProgress?.({ ...progressOf(system, { plan, people, judge }), atMs: journal.now(), phase, damage });
  const reporting = setInterval(report, 500);
  const silence = watchSilence(system.slack, journal);
  const isOver = (): boolean => journal.now() > limitMs * plan.stretch || silence.isLong();
  const deciders = decidersOf(system.slack, people, { journal, isOver });
  try {
    const writing = people.writeAll(plan.messages);
    const befall = (some: Plan["disturbances"]): Promise<void> => disturb(system, some, { journal, damage });
    const deciding = { journal, disturb: befall, written: writing, isOver };
    const openAtOnce = await (approvals === undefined
      ? befall(plan.disturbances)
      : decideInHalves(plan, deciders, deciding));
    phase = "drain";
    journal.note("chaos", "everything is whole again");
    // What nobody decides expires later.
    if (approvals === undefined) silence.begin();
    await Promise.race([writing, until(isOver)]);
    const allAnswered = () => until(() => isOver() || judge().every(({ verdict }) => verdict === "answered"));
    await allAnswered();
    phase = "once more";
    if (approvals === undefined) {
      journal.note("chaos", "more than a day passes, then people change old messages");
      await passDay(system.engine);
      people.changeOld();
      await allAnswered();
    }
    await bringAgain(system, people, { journal, isOver });
    const deleted = plan.messages.filter(({ later }) => later?.does === "deletes").length;
    const expected = { messages: people.asked.size, refused: deleted, failing: approvals ?? deleted };
    const stores = await judgeStores(system.engine, { ...expected, isOver });
    const judged = judge();
    const asks =
      typeof openAtOnce === "number" ? await judgeDecisions(system, judged, { openAtOnce, deciders }) : undefined;
    const { verification, execution, wires, engine } = system;
    const codes = (await Promise.all([verification.stop(), execution.stop()])).flat();
    return {
      options,
      judged,
      /** Number of planned replies whose parent never reached the app. */
      unwritten: plan.messages.length - people.asked.size,
      stores,
      /** What is wrong with the requests of agents. */
      requests: requestComplaintsOf(system.requests, judged),
      /** What is wrong after people have changed their messages. */
      changes: changeComplaintsOf(system.slack, judged, { seenAt: people.deletionSeenAt, underWayMs }),
      asks,
      damage,
      streams,
      /** Number of connections that were broken on purpose. */
      broken: wires.front.broken + wires.link.broken + (engine.server?.wire.broken ?? 0),
      repeated: people.repeated(),
      /** Number of processes that crashed after they listened, or did not stop cleanly at the end. */
      crashes: verification.crashes + execution.crashes + codes.filter((code) => code !== 0).length,
      wallMs: journal.now(),
      /** Factor by which the plan was stretched on this machine. */
      stretch: plan.stretch,
      journal,
      people,
    };
  } finally {
    clearInterval(reporting);
    await system.stop();
  }
}

const hourMs = 3_600_000;

/** Makes everything that verification keeps for a time 26 hours older, and deletes what has expired, as its processes do every ten minutes. */
async function passDay(engine: ChaosSystem["engine"]): Promise<void> {
  const database = await openVerificationDatabase({ url: engine.url("verification") });
  const ago = 26 * hourMs;
  const times = { claim: "claimed_at", thread: "used_at", message: "ended_at" };
  for (const [table, column] of Object.entries(times))
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - ${ago}`.execute(database.db);
  const kept = { THREAD_RETENTION: 90 * 24 * hourMs, PARKED_RETENTION_MS: 30 * 24 * hourMs };
  for (const { purge } of verificationPurges(database, kept)) await purge(1_000);
  await database.close();
}

async function bringAgain(
  { slack }: ChaosSystem,
  people: People,
  { journal, isOver }: { readonly journal: Journal; readonly isOver: () => boolean },
): Promise<void> {
  journal.note("chaos", "the events of every fifth message come once more");
  for (const { message, planned } of people.asked.values()) if (planned.number % 5 === 0) people.bringAgain(message.ts);
  await wait(quietMs);
  await Promise.race([slack.control.idle(), until(isOver)]);
}

async function judgeDecisions(
  { slack, requests: agents, inputRequests }: ChaosSystem,
  judged: readonly Judged[],
  { openAtOnce, deciders: { clicks } }: { readonly openAtOnce: number; readonly deciders: Deciders },
) {
  const found = judgeAsks({ slack, judged, clicks, agents, requests: await inputRequests() });
  return { ...found, openAtOnce, clicks, warnings: slack.control.warnings().length };
}

function progressOf(
  { verification, execution }: ChaosSystem,
  { plan, people, judge }: { readonly plan: Plan; readonly people: People; readonly judge: () => readonly Judged[] },
): Pick<Progress, "planned" | "sent" | "answered" | "live"> {
  return {
    planned: plan.messages.length,
    sent: people.asked.size,
    answered: judge().filter(({ verdict }) => verdict === "answered").length,
    live: { verification: verification.live, execution: execution.live },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(250);
}

/** Counts of the disturbances. */
type Damage = ReturnType<typeof noDamage>;

const noDamage = () => ({
  killed: { verification: 0, execution: 0, database: 0, broker: 0 },
  /** Number of kills that took two at once. */
  together: 0,
  redeploys: 0,
  freezes: 0,
  /** Number of troubles of the wires, by kind. */
  wires: new Map<string, number>(),
  /** Number of faults of Slack's Web API, by kind. */
  slack: new Map<string, number>(),
});

const replacedAfterMs = 3_000;

/** Begins each disturbance at its time. Resolves when all are over. */
async function disturb(
  system: ChaosSystem,
  disturbances: readonly Disturbance[],
  { journal, damage }: { readonly journal: Journal; readonly damage: Damage },
): Promise<void> {
  const healing: Promise<unknown>[] = [];
  for (const one of disturbances) {
    await wait(Math.max(0, one.at - journal.now()));
    healing.push(begin(one));
  }
  await Promise.all(healing);

  async function begin(one: Disturbance): Promise<void> {
    switch (one.kind) {
      case "kill": {
        const killing = one.victims.map((victim) => kill(victim, one));
        if (killing.length > 1) damage.together += 1;
        await Promise.all(killing);
        return;
      }
      case "redeploy":
        damage.redeploys += 1;
        journal.note("chaos", `redeploys ${one.zone}, ${one.politely ? "with SIGTERM" : "with SIGKILL"}`);
        return system[one.zone].redeploy(one.overlapMs, one.politely);
      case "freeze":
        journal.note("chaos", `${one.zone} stands still for ${one.forMs} ms`);
        if (!system[one.zone].freeze(one.which, one.forMs)) return;
        damage.freezes += 1;
        // A platform replaces a process that is suspended this long. It wakes up next to its successor.
        if (one.forMs > replacedAfterMs) await system[one.zone].redeploy(one.forMs, true);
        else await wait(one.forMs);
        return;
      case "wire": {
        const wires = { ...system.wires, database: system.engine.server?.wire };
        journal.note("chaos", `${one.trouble} on the ${one.wire} wire for ${one.forMs} ms`);
        count(damage.wires, one.trouble);
        wires[one.wire]?.trouble(one.trouble, one.forMs);
        return;
      }
      case "slack":
        journal.note("chaos", `Slack will fail`, { ...one.fault });
        count(damage.slack, one.fault.takes_effect === true ? `${one.fault.kind} after it was done` : one.fault.kind);
        system.slack.control.setFault(one.fault);
    }
  }

  async function kill(victim: Victim, planned: PlannedKill): Promise<void> {
    const { server, broker } = system.engine;
    const servers = { database: server, broker };
    const isDone =
      victim === "database" || victim === "broker"
        ? ((await servers[victim]?.kill(planned.pauseMs)) ?? false)
        : await whenPossible(() => system[victim].kill(planned));
    journal.note("chaos", `killed ${victim}: ${isDone ? `pauses ${planned.pauseMs} ms` : "there was none"}`);
    if (isDone) damage.killed[victim] += 1;
  }
}

/** Retries a kill while the zone is starting, so that it can work between kills on a slow machine. */
async function whenPossible(kill: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 25; tries++) {
    if (kill()) return true;
    await wait(100);
  }
  return false;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
