import { setTimeout as wait } from "node:timers/promises";
import { serveCommands } from "../kit/commands.ts";
import { createEngineSubject } from "./by-engine.ts";
import { createHandPostgres, createHandSqlite } from "./by-hand.ts";
import { openShares, type Engine, type SubjectName } from "./jobs.ts";

const [name, engine, url] = process.argv.slice(2) as [SubjectName, Engine, string];
const byHand = { sqlite: createHandSqlite, postgres: createHandPostgres } as const;
const subject = await (name === "engine" ? createEngineSubject(url) : byHand[engine](url));

/** When to stop: after a time, or after a number of jobs. */
export interface DrainOrder {
  readonly ms?: number;
  readonly jobs?: number;
}

/** One take and the end of what it took, milliseconds. */
export interface Turn {
  readonly jobs: number;
  readonly takeMs: number;
  readonly endMs: number;
}

export interface Drained {
  readonly turns: readonly Turn[];
  /** No job was left before the order was done. */
  readonly isEmpty: boolean;
  /** Resident memory before and at its most, bytes. */
  readonly rss: { readonly before: number; readonly most: number };
}

const latenciesMs: number[] = [];

/** The process of one subject. */
serveCommands({
  drain: async ({ ms = Infinity, jobs = Infinity }: DrainOrder): Promise<Drained> => {
    const turns: Turn[] = [];
    const before = process.memoryUsage.rss();
    let [most, spent, done] = [before, 0, 0];
    while (spent < ms && done < jobs) {
      const from = performance.now();
      const leased = await subject.take(openShares);
      if (leased.length === 0) return { turns, isEmpty: true, rss: { before, most } };
      const between = performance.now();
      await subject.end(leased);
      const to = performance.now();
      turns.push({ jobs: leased.length, takeMs: between - from, endMs: to - between });
      spent += to - from;
      done += leased.length;
      most = Math.max(most, process.memoryUsage.rss());
    }
    return { turns, isEmpty: false, rss: { before, most } };
  },

  /** Adds jobs at even distances, each with the moment before it was stored. Returns how many. */
  add: async ({ share, rate, ms }: { share: string; rate: number; ms: number }): Promise<number> => {
    const count = Math.ceil((rate * ms) / 1_000);
    const from = performance.now();
    const adding: Promise<void>[] = [];
    for (let n = 0; n < count; n += 1) {
      const early = from + (n * 1_000) / rate - performance.now();
      if (early > 1) await wait(early);
      adding.push(subject.add(share, JSON.stringify(process.hrtime.bigint().toString())));
      // The jobs of one turn of the event loop would be stored together.
      await wait(0);
    }
    await Promise.all(adding);
    return count;
  },

  receive: (share: string): Promise<void> =>
    subject.receive(share, (record) => {
      // The clock is that of the machine, the same in all processes.
      latenciesMs.push(Number(process.hrtime.bigint() - BigInt(JSON.parse(record) as string)) / 1e6);
    }),

  latencies: (): readonly number[] => latenciesMs,
  forget: (): void => void (latenciesMs.length = 0),
});
