import { setTimeout as wait } from "node:timers/promises";
import { serveCommands } from "../kit/commands.ts";
import { createEngineSubject } from "./by-engine.ts";
import { createHandPostgres, createHandSqlite } from "./by-hand.ts";
import { openShares, type Engine, type SubjectName } from "./jobs.ts";

const [name, engine, url] = process.argv.slice(2) as [SubjectName, Engine, string];
const byHand = { sqlite: createHandSqlite, postgres: createHandPostgres } as const;
const subject = await (name === "engine" ? createEngineSubject(url) : byHand[engine](url));

/** One take and the end of what it took, milliseconds. */
export interface Turn {
  readonly jobs: number;
  readonly takeMs: number;
  readonly endMs: number;
}

export interface Drained {
  readonly turns: readonly Turn[];
  /** No job was left before the time was over. */
  readonly isEmpty: boolean;
}

const latenciesMs: number[] = [];

/** The process of one subject. */
serveCommands({
  drain: async (ms: number): Promise<Drained> => {
    const turns: Turn[] = [];
    let spent = 0;
    while (spent < ms) {
      const from = performance.now();
      const leased = await subject.take(openShares);
      if (leased.length === 0) return { turns, isEmpty: true };
      const between = performance.now();
      await subject.end(leased);
      const to = performance.now();
      turns.push({ jobs: leased.length, takeMs: between - from, endMs: to - between });
      spent += to - from;
    }
    return { turns, isEmpty: false };
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
