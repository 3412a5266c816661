// suite: waits
// @module-tag judge
import { kafkaIsHere } from "@crosszone/testkit/kafka";
import { expect, test, vi } from "vitest";
import { share, shareOf } from "../harness/random.ts";
import { runPrograms } from "../chaos/programs.ts";
import { runChaos } from "../chaos/run-chaos.ts";

const limitMs = 100_000;
/** A run mostly waits: two at once keep two cores busy. */
vi.setConfig({ testTimeout: 700_000, maxConcurrency: 2 });

/** The night tries all engines. A change tries PostgreSQL, which has a server to kill, and SQLite in a data folder: the same each time. */
const engines = share < 1 ? (["postgres"] as const) : (["sqlite", "postgres"] as const);
const withKafka = share < 1 || !(await kafkaIsHere()) ? [] : (["kafka"] as const);

const runs = {
  sqlite: { messages: 40, kills: 10, seed: 2 },
  postgres: { messages: 40, kills: 10, seed: 2 },
  // Its broker is killed too.
  kafka: { messages: 45, kills: 10, seed: 21 },
};

test.concurrent.each([...engines, ...withKafka])(
  "S5, S12, S13, Z8, Z9, T4, R8.6, N5, B5, B6, B7, B10, B11, W3, W4: on %s every message is answered once, also when it is corrected or deleted, and every agent asked once while zones, database, network and Slack fail",
  async (engine) => {
    expect((await runChaos({ engine, ...runs[engine], limitMs })).complaints).toEqual([]);
  },
);

const seeds = { sqlite: 3, postgres: 2 };

test.concurrent.each(engines)(
  "on %s every decision counts once, and only what is approved is done, once",
  async (engine) => {
    const approvals = shareOf(100, 30);
    const options = { engine, seed: seeds[engine], messages: 0, approvals, kills: 3, limitMs: 2 * limitMs };
    expect((await runChaos(options)).complaints).toEqual([]);
  },
);

test.concurrent.each(engines)(
  "W3, W4, W17.1, W18.1: on %s with up to 20 kills people edit, delete, and type and press decisions, and a day passes: nothing is answered or done twice, or asked with old words",
  async (engine) => {
    const some = { messages: shareOf(40, 8), calls: shareOf(10, 3), kills: shareOf(20, 4) };
    const { complaints } = await runChaos({ engine, seed: 7, ...some, limitMs: 3 * limitMs });
    expect(complaints).toEqual([]);
  },
);

test.concurrent("S5: a data folder survives repeated kill -9 of both zones", async () => {
  const { complaints } = await runChaos({ engine: "sqlite", seed: 2, messages: 0, cycles: 6, limitMs });
  expect(complaints).toEqual([]);
});

test.concurrent.each(engines)(
  "A4: on %s every program's task ends once, and no subscriber misses or doubles an event while execution is killed",
  async (engine) => {
    const options = { engine, seed: 4, tasks: 20, subscribers: 100, kills: 4, cuts: 600, limitMs };
    const { complaints, killed, cuts } = await runPrograms(options);
    expect(complaints).toEqual([]);
    expect([killed > 0, cuts > 300]).toEqual([true, true]);
  },
);
