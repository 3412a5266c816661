import { setTimeout as wait } from "node:timers/promises";
import { openVerificationDatabase, verificationPurges } from "@crosszone/verification";
import { sql } from "kysely";
import { openJournal, type Journal } from "../journal.ts";
import { judgeAsks } from "../judge/judge-asks.ts";
import { changeComplaintsOf, judgeMessages, type Judged } from "../judge/judge-messages.ts";
import { judgeStores, requestComplaintsOf } from "../judge/judge-stores.ts";
import { leftMsOf, type Plan, planRun, stretchPlan, type PlanOptions } from "../plan/plan.ts";
import { startSystem, type ChaosSystem } from "../system/start-system.ts";
import { decideInHalves } from "./decide.ts";
import { disturb, noDamage, type Damage } from "./disturb.ts";
import { invitePeople, type People } from "./people.ts";
import { type Deciders, pressButtons } from "./press-buttons.ts";
import { countStreams, watchSilence } from "./watch-slack.ts";

export interface ChaosOptions extends PlanOptions {
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
  const people = invitePeople(system.slack, journal);
  const deciders = pressButtons(system.slack, people, journal);
  const damage = noDamage();
  const streams = countStreams(system.slack);
  const judge = (): Judged[] => judgeMessages(system.slack, people.asked.values());
  let phase: Progress["phase"] = "chaos";
  const report = (): void =>
    onProgress?.({ ...progressOf(system, { plan, people, judge }), atMs: journal.now(), phase, damage });
  const reporting = setInterval(report, 500);
  const silence = watchSilence(system.slack, journal);
  const isOver = (): boolean => journal.now() > limitMs * plan.stretch || silence.isLong();
  try {
    const writing = people.writeAll(plan.messages);
    const befall = (some: Plan["disturbances"]): Promise<void> => disturb(system, some, { journal, damage });
    const deciding = { journal, deciders, disturb: befall, written: writing, isOver };
    const openAtOnce = await (approvals === undefined ? befall(plan.disturbances) : decideInHalves(plan, deciding));
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
    const codes = await stopZones(system);
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
      broken: brokenOn(system),
      repeated: people.repeated(),
      /** Number of processes that crashed after they listened, or did not stop cleanly at the end. */
      crashes: system.verification.crashes + system.execution.crashes + codes.filter((code) => code !== 0).length,
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
  for (const { message, planned } of people.asked.values()) if (planned.number % 5 === 0) people.bringAgain(message);
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

async function stopZones({ verification, execution }: ChaosSystem): Promise<(number | NodeJS.Signals)[]> {
  return (await Promise.all([verification.stop(), execution.stop()])).flat();
}

function brokenOn({ wires, engine }: ChaosSystem): number {
  return wires.front.broken + wires.link.broken + (engine.server?.wire.broken ?? 0);
}
