import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Progress } from "../kit/benchmark.ts";
import { type Databases, startDatabases, withDatabase } from "../kit/databases.ts";
import { inRounds, inTurns } from "../kit/rounds.ts";
import { spreadOf, type Spread, sum } from "../kit/statistics.ts";
import { type Engine, engineNames } from "../jobs/jobs.ts";
import { askingWorkflow, type Click } from "../load/cards.ts";
import { createMix } from "../load/kinds.ts";
import { runOpenLoop } from "../load/open-loop.ts";
import { settledOutcomes, startSystem } from "../load/run-load.ts";
import { slackKinds } from "../load/slack-kinds.ts";
import { createTally, judgeAnswers } from "../load/tally.ts";

export interface ClickPlan {
  readonly rounds: number;
  /** Presses in each phase. */
  readonly clicks: number;
  readonly clicksPerSecond: number;
  /** Mentions a second of the phases with load. */
  readonly mentionsPerSecond: number;
}

/** Seconds of load before the first press and after the last one was due. */
const marginSeconds = 2;
const warmUpClicks = 30;

const phases = ["alone", "beside"] as const;
type Phase = (typeof phases)[number];

/** The clicks of a round on one database. Latencies in milliseconds, from when a press was due until its card was the receipt. */
export interface ClickSample extends Readonly<Record<Phase, Spread>> {
  readonly engine: Engine;
  readonly round: number;
  /** Presses that verification did not acknowledge; they were repeated. */
  readonly warnings: number;
  /** Mentions of the load, and those which got their one right answer. */
  readonly mentions: number;
  readonly right: number;
  readonly complaints: readonly string[];
  /** Processes that wanted to run in the last minute of the round, those of the benchmark among them. */
  readonly loadAverage: number;
}

export async function measureClicks(plan: ClickPlan, progress: Progress): Promise<ClickSample[]> {
  const databases = await startDatabases(new Set(engineNames));
  try {
    const measured = { rounds: plan.rounds, of: engineNames, progress };
    return await inRounds(measured, async (engine, round) => [await measureRound(plan, { databases, engine, round })]);
  } finally {
    await databases.stop();
  }
}

interface RoundOf extends Pick<ClickSample, "engine" | "round"> {
  readonly databases: Databases;
}

/** Starts both zones on new databases and measures the phases in turns. */
async function measureRound(plan: ClickPlan, { databases, engine, round }: RoundOf): Promise<ClickSample> {
  const workflows = mkdtempSync(join(tmpdir(), "crosszone-click-"));
  writeFileSync(join(workflows, "approve.json"), JSON.stringify(askingWorkflow));
  const urlOf = (url: string): Env => (engine === "postgres" ? { DATABASE_URL: url } : {});
  try {
    const found = await withDatabase(databases, engine, (execution) =>
      withDatabase(databases, engine, (verification) =>
        measurePhases(plan, {
          round,
          env: {
            execution: { WORKFLOWS_DIR: workflows, ...urlOf(execution.url) },
            verification: urlOf(verification.url),
          },
        }),
      ),
    );
    return { engine, round, ...found };
  } finally {
    rmSync(workflows, { recursive: true });
  }
}

const msOf = ({ ms }: Click): number => ms;

type Env = Readonly<Record<string, string>>;

interface PhasesOf {
  readonly round: number;
  readonly env: { readonly execution: Env; readonly verification: Env };
}

async function measurePhases(plan: ClickPlan, { round, env }: PhasesOf) {
  const { clicks, clicksPerSecond, mentionsPerSecond } = plan;
  const seconds = Math.ceil(clicks / clicksPerSecond) + 2 * marginSeconds;
  const { zones, slackWorker, slackSide, folder } = await startSystem({
    mentions: mentionsPerSecond * seconds * 2,
    ...env,
  });
  const kinds = slackKinds(slackSide).filter(({ asks }) => asks);
  const tally = createTally(kinds);
  const dueTimes: number[] = [];
  const next = createMix(kinds);
  const load = (): Promise<void> =>
    runOpenLoop({
      rate: mentionsPerSecond * kinds.length,
      seconds,
      next,
      tally,
      urls: { verification: zones.verification.url, execution: zones.execution.url },
      onSend: (_, turn, dueAt) => void (dueTimes[turn] ??= performance.timeOrigin + dueAt),
    });
  const click = async (phase: Phase, count: number): Promise<Click[]> => {
    await slackWorker.call("ask", count, 120_000);
    const loading = phase === "beside" ? load() : undefined;
    await wait(marginSeconds * 1_000);
    const took = await slackWorker.call<Click[]>("press", 1_000 / clicksPerSecond, seconds * 1_000 + 60_000);
    await loading;
    return took;
  };

  await click("beside", warmUpClicks);
  const took: Record<Phase, Click[]> = { alone: [], beside: [] };
  for (const phase of inTurns(phases, round)) took[phase] = await click(phase, clicks);
  const [loadAverage = Number.NaN] = loadavg();
  const { mentions, right } = judgeAnswers(await settledOutcomes(slackWorker), dueTimes);
  const complaints = [...tally.examples(), ...zones.errors().slice(0, 5)];
  await zones.stop();
  await slackWorker.stop();
  if (complaints.length === 0) rmSync(folder, { recursive: true });
  const spreads = { alone: spreadOf(took.alone.map(msOf)), beside: spreadOf(took.beside.map(msOf)) };
  const warnings = sum(phases.flatMap((phase) => took[phase].map((one) => one.warnings)));
  return { ...spreads, warnings, mentions, right, complaints, loadAverage };
}
