import { setTimeout as wait } from "node:timers/promises";
import type { Progress } from "../kit/rounds.ts";
import { findCodeWay, type FileOnWay } from "./code-way.ts";
import { isDurable, measureCodeSize, type PartSize } from "./code-size.ts";
import { findBorders, type Border } from "./folder-borders.ts";
import type { Recording } from "./recorder/preload.ts";
import { findSqlWay, type SqlWay } from "./sql-way.ts";
import { startSystem, zones, type Engine, type PathSystem, type Zone } from "./start-system.ts";

const warmUps = 3;
const idleMs = 5_000;
const questions = 3;
/** How long a zone must be idle until a question counts as complete, and the longest wait for that. */
const quietMs = 200;
const longestQuietMs = 5_000;

/** What is on the way of one question. */
export interface PathFigures {
  readonly engine: Engine;
  /** Milliseconds from the message to the answer in Slack, of each question. */
  readonly answeredInMs: readonly number[];
  readonly zones: Readonly<Record<Zone, ZoneWay>>;
  readonly borders: readonly Border[];
  /** Those between files of queue, bus and worker code. */
  readonly durableBorders: readonly Border[];
  readonly code: readonly PartSize[];
}

export interface ZoneWay {
  readonly files: readonly FileOnWay[];
  readonly sql: SqlWay;
}

type ByZone<T> = Readonly<Record<Zone, T>>;

/**
 * Starts both zones of the repository at `root`, asks questions one by one, and finds what each of them took. Throws when an answer is
 * wrong or a zone complains.
 */
export async function measurePath(
  { engine, root }: { readonly engine: Engine; readonly root: string },
  progress: Progress,
): Promise<PathFigures> {
  progress("starting");
  const system = await startSystem(engine, root);
  try {
    progress(", warming up");
    for (let asked = 0; asked < warmUps; asked++) await system.ask();
    await wait(quietMs);
    await takeAll(system);
    progress(", idle");
    await wait(idleMs);
    const idle = await takeAll(system);
    const answeredInMs: number[] = [];
    const recordings: ByZone<Recording>[] = [];
    for (let asked = 0; asked < questions; asked++) {
      progress(`, question ${asked + 1}`);
      await takeAll(system);
      const from = performance.now();
      await system.ask();
      answeredInMs.push(performance.now() - from);
      await untilQuiet(system, idle);
      recordings.push(await takeAll(system));
    }
    progress("\n");
    const [complaint] = system.errors();
    if (complaint !== undefined) throw new Error(`a zone logged an error: ${complaint}`);
    const ways = byZone((zone) =>
      wayOf(
        root,
        recordings.map((recording) => recording[zone]),
        idle[zone],
      ),
    );
    const files = new Set(zones.flatMap((zone) => ways[zone].files.map(({ path }) => path)));
    const [borders, durableBorders] = [[...files], [...files].filter(isDurable)].map((some) => findBorders(root, some));
    return {
      engine,
      answeredInMs,
      zones: ways,
      borders: borders ?? [],
      durableBorders: durableBorders ?? [],
      code: measureCodeSize(root),
    };
  } finally {
    await system.stop();
  }
}

/** The statements of the question that needed the fewest, in the fewest round trips: by chance there can only be more. */
function wayOf(root: string, recordings: readonly Recording[], idle: Recording): ZoneWay {
  const [sql] = recordings
    .map(({ statements }) => findSqlWay(statements, idle.statements))
    .toSorted((a, b) => a.steps.length - b.steps.length || a.trips - b.trips);
  if (sql === undefined) throw new Error("no question was asked");
  return {
    files: findCodeWay(
      root,
      recordings.map(({ files }) => files),
    ),
    sql,
  };
}

/** The answer is posted before the zones have stored that. */
async function untilQuiet({ recorders }: PathSystem, idle: ByZone<Recording>): Promise<void> {
  const sent = async (): Promise<number> => {
    const all = await Promise.all(
      zones.map(async (zone) => findSqlWay(await recorders[zone].statements(), idle[zone].statements)),
    );
    return all.reduce((sum, { steps }) => sum + steps.length, 0);
  };
  const end = performance.now() + longestQuietMs;
  let before = await sent();
  while (performance.now() < end) {
    await wait(quietMs);
    const now = await sent();
    if (now === before) return;
    before = now;
  }
}

async function takeAll({ recorders }: PathSystem): Promise<ByZone<Recording>> {
  const [verification, execution] = await Promise.all([recorders.verification.take(), recorders.execution.take()]);
  return { verification, execution };
}

const byZone = <T>(of: (zone: Zone) => T): ByZone<T> => ({
  verification: of("verification"),
  execution: of("execution"),
});
