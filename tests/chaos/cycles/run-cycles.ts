import { setTimeout as wait } from "node:timers/promises";
import { judgeMessages } from "../judge/judge-messages.ts";
import type { Judged } from "../judge/judge-thread.ts";
import { judgeStores, type StoreFigures } from "../judge/judge-stores.ts";
import { openJournal, type Journal } from "../journal.ts";
import { planCycles } from "../plan/cycle-plan.ts";
import { invitePeople, type People } from "../run/people.ts";
import { watchSilence } from "../run/watch-silence.ts";
import { startSystem } from "../system/start-system.ts";
import { measureFiles, type FileFigures } from "./measure-files.ts";

export interface CycleOptions {
  readonly seed: number;
  readonly cycles: number;
  /** All together may not take longer, milliseconds. */
  readonly limitMs: number;
  readonly onCycle?: (cycle: number, judged: readonly Judged[]) => void;
}

export interface CycleFindings {
  readonly seed: number;
  readonly cycles: number;
  readonly judged: readonly Judged[];
  readonly stores: StoreFigures;
  /** After the last kill. */
  readonly files: readonly FileFigures[];
  readonly wallMs: number;
  readonly journal: Journal;
  readonly people: People;
}

const longestStartMs = 30_000;

/** Both zones on one data folder are started, asked, and killed with -9, again and again; in the end everything has to be answered. */
export async function runCycles({ seed, cycles, limitMs, onCycle }: CycleOptions): Promise<CycleFindings> {
  const journal = openJournal();
  const system = await startSystem("sqlite", journal);
  journal.begin();
  const people = invitePeople(system.slack, journal);
  const judge = (): Judged[] => judgeMessages(system.slack, people.asked.values());
  const silence = watchSilence(system.slack, journal);
  const isOver = (): boolean => journal.now() > limitMs || silence.isLong();
  const zones = [system.verification, system.execution];
  try {
    for (const [number, { messages, early, killAfterMs }] of planCycles(seed, cycles).entries()) {
      for (const message of messages) people.write(message);
      if (!early) await Promise.all(zones.map((zone) => zone.working(longestStartMs)));
      await wait(killAfterMs);
      journal.note("chaos", `kills both zones, for the ${number + 1}. time`);
      for (const zone of zones) zone.kill({ which: 0, pauseMs: 0, early: true });
      onCycle?.(number + 1, judge());
    }
    silence.begin();
    while (!isOver() && !judge().every(({ verdict }) => verdict === "answered")) await wait(250);
    const stores = await judgeStores(system.engine, { messages: people.asked.size, isOver });
    const judged = judge();
    await Promise.all(zones.map((zone) => zone.stop("SIGKILL")));
    const files = measureFiles([system.engine.url("verification"), system.engine.url("execution")]);
    return { seed, cycles, judged, stores, files, wallMs: journal.now(), journal, people };
  } finally {
    await system.stop();
  }
}
