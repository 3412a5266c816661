import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "../harness/random.ts";
import { openJournal } from "./journal.ts";
import { judgeMessages, type Judged } from "../resist/judge/messages.ts";
import { judgeStores } from "../resist/judge/stores.ts";
import { planMessages } from "../resist/plan/messages.ts";
import { peopleOf, watchSilence } from "./watch-slack.ts";
import { startSystem } from "./system/start-system.ts";

/** Plans up to three messages a cycle. The kill comes while the zones start, work, or have just finished. */
function planCycles(seed: number, count: number) {
  const random = createRandom(seed, 6);
  const messages = planMessages(seed, count * 4, 1_000)
    .filter(({ follows }) => follows === undefined)
    .map((message) => ({ ...message, kind: message.kind === "slow" ? ("quick" as const) : message.kind }));
  return Array.from({ length: count }, () => ({
    messages: messages.splice(0, random.int(4)),
    /** Whether the zones are killed before both listen. */
    early: random.chance(0.25),
    /** When both zones are killed, milliseconds after they listen. With `early`, after they were started. */
    killAfterMs: random.int(1_500),
  }));
}

/**
 * Checks SQLite files that no process has open. `bytes`: with the write-ahead log after the last process; `integrity`: `ok`, or the errors that
 * `pragma integrity_check` found.
 */
function measureFiles(urls: readonly string[]) {
  return urls.map((url) => {
    const path = url.slice("sqlite:".length);
    const bytes = [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
    const database = new DatabaseSync(path);
    try {
      const rows = database.prepare("pragma integrity_check").all();
      return { name: basename(path), bytes, integrity: rows.map((row) => String(Object.values(row)[0])).join("; ") };
    } finally {
      database.close();
    }
  });
}

interface CycleOptions {
  readonly seed: number;
  readonly cycles: number;
  /** Time limit of all cycles, milliseconds. */
  readonly limitMs: number;
  readonly onCycle?: (cycle: number, judged: readonly Judged[]) => void;
}

export type CycleFindings = Awaited<ReturnType<typeof runCycles>>;

const longestStartMs = 30_000;

/** Starts both zones on one data folder, asks questions, and kills the zones, in cycles. At the end all questions must be answered. */
export async function runCycles({ seed, cycles, limitMs, onCycle }: CycleOptions) {
  const journal = openJournal();
  const system = await startSystem("sqlite", journal);
  journal.begin();
  const people = peopleOf(system.slack, journal);
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
