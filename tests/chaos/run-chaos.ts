import { setTimeout as wait } from "node:timers/promises";
import { openVerificationDatabase, verificationPurges } from "@crosszone/verification";
import { sql } from "kysely";
import type { Counts } from "../resist/counts.ts";
import { notAnswered } from "../resist/judge/run.ts";
import { disturb, killInCycles } from "./disturb.ts";
import { openJournal } from "./journal.ts";
import { judge, judgedOf, type Run } from "./judge-chaos.ts";
import { leftMsOf, type PlanOptions, planRun, stretchPlan } from "./plan.ts";
import { decidersOf } from "./presses.ts";
import type { Findings } from "./report.ts";
import { startSystem, type ChaosSystem } from "./system/start-system.ts";
import { countStreams, peopleOf, watchSilence } from "./watch-slack.ts";

interface ChaosOptions extends PlanOptions {
  /** Time limit of a run, milliseconds. It is stretched with the plan. */
  readonly limitMs: number;
  /** Called every ten seconds. */
  readonly onProgress?: (line: string) => void;
}

/** After all answers, some events are delivered again. Then nothing may happen for this time, milliseconds. */
const quietMs = 4_000;

/** Performs one run: people write while disturbances happen, the system recovers, and all answers are judged. */
export async function runChaos({ limitMs, onProgress, ...options }: ChaosOptions): Promise<Findings> {
  const journal = openJournal();
  const { approvals } = options;
  const system = await startSystem(options.engine, journal, approvals && leftMsOf(approvals));
  const plan = stretchPlan(planRun(options), system.startedInMs);
  journal.begin();
  const deciding: Promise<void>[] = [];
  const people = peopleOf(system.slack, journal, (one) => {
    if (one.planned.kind === "calls") deciding.push(deciders.decideSoon(one));
  });
  const [damage, streams]: [Counts, Counts] = [new Map(), countStreams(system.slack)];
  const silence = watchSilence(system.slack, journal);
  const isOver = (): boolean => journal.now() > limitMs * plan.stretch || silence.isLong();
  const deciders = decidersOf(system.slack, people, { journal, isOver });
  const run = { options, system, plan, journal, people, damage, streams, isOver, deciders };
  let phase = "chaos";
  const reporting = setInterval(() => onProgress?.(progressOf(run, phase)), 10_000);
  try {
    const openAtOnce = await undergo(run);
    phase = "drain";
    journal.note("chaos", "everything is whole again");
    // What nobody decides expires later.
    if (approvals === undefined) silence.begin();
    await allAnswered(run);
    await Promise.all(deciding);
    phase = "once more";
    if (approvals === undefined) {
      journal.note("chaos", "more than a day passes, then people change old messages");
      await passDay(system.engine);
      people.changeOld();
      await allAnswered(run);
    }
    await bringAgain(run);
    return await judge(run, openAtOnce);
  } finally {
    clearInterval(reporting);
    await system.stop();
  }
}

/** Lets everything happen that is planned. Resolves with the number of cards that were open at once. */
async function undergo(run: Run): Promise<number> {
  const { system, plan, people, journal, damage } = run;
  if (plan.cycles !== undefined) await killInCycles(system, plan.cycles, { journal, damage, people });
  const written = plan.cycles === undefined ? people.writeAll(plan.messages) : Promise.resolve();
  if (plan.halfMs !== undefined) return decideInHalves(run, { halfMs: plan.halfMs, written });
  await disturb(system, plan.disturbances, { journal, damage });
  return 0;
}

/**
 * Lets half of the disturbances happen while questions ask people, and the other half while people decide, which begins when all cards are shown.
 * Resolves with the number of cards that were open at once. `written` resolves when all questions are written.
 */
async function decideInHalves(
  { system, plan, journal, damage, deciders, isOver }: Run,
  { halfMs, written }: { readonly halfMs: number; readonly written: Promise<unknown> },
): Promise<number> {
  const { messages, disturbances } = plan;
  await disturb(
    system,
    disturbances.filter(({ at }) => at < halfMs),
    { journal, damage },
  );
  await written;
  await until(() => isOver() || deciders.shown() >= messages.length);
  const openAtOnce = deciders.open();
  journal.note("chaos", `${openAtOnce} cards are open, people decide`);
  const lateMs = journal.now() - halfMs;
  const rest = disturbances.filter(({ at }) => at >= halfMs).map((one) => ({ ...one, at: one.at + lateMs }));
  await Promise.all([disturb(system, rest, { journal, damage }), deciders.decideAll(halfMs)]);
  return openAtOnce;
}

/** Resolves when all messages are written and answered, or the run is over. */
const allAnswered = (run: Run): Promise<void> =>
  until(
    () =>
      run.isOver() || (run.people.asked.size === run.plan.messages.length && notAnswered(judgedOf(run)).length === 0),
  );

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

async function bringAgain({ system, people, deciders, journal, isOver }: Run): Promise<void> {
  journal.note("chaos", "the events of every fifth message, and of all that was typed below cards, come once more");
  for (const { message, planned } of people.asked.values()) if (planned.number % 5 === 0) people.bringAgain(message.ts);
  for (const { message } of deciders.typed) people.bringAgain(message.ts);
  await wait(quietMs);
  await Promise.race([system.slack.control.idle(), until(isOver)]);
}

/** Says in a line how far a run is. */
function progressOf(run: Run, phase: string): string {
  const { system, plan, people, journal, damage } = run;
  const { verification, execution } = system;
  const broken = [...damage.values()].reduce((sum, times) => sum + times, 0);
  const [sent, answered] = [people.asked.size, people.asked.size - notAnswered(judgedOf(run)).length];
  return `${Math.round(journal.now() / 1_000)} s, ${phase}: sent ${sent} of ${plan.messages.length}, answered ${answered}, broken ${broken}; up V${verification.live} E${execution.live}`;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(250);
}
