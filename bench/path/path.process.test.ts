import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { ownRoot, startLogging } from "../zone/zone-process.ts";
import { connectRecorder, recorderEnv } from "./connect-recorder.ts";
import { measurePath } from "./measure.ts";
import { findSqlWay } from "./sql-way.ts";
import { limits, summarize, type PathSummary } from "./summary.ts";

// Both zones, six questions, and a while without any.
vi.setConfig({ testTimeout: 120_000 });

/** What a question can't do without: fewer means that the recorder missed something. */
const least: PathSummary = {
  files: 30,
  lines: 1_000,
  borders: 20,
  durableFiles: 10,
  durableLines: 300,
  durableBorders: 3,
  writes: 6,
  tables: 3,
  verificationTrips: 4,
  verificationCommits: 3,
  executionTrips: 2,
  executionCommits: 1,
};

const engines = inject("engines") === "both" ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

test.for(engines)("one question to an HTTP agent takes no more than its limits, on %s", async (engine) => {
  const figures = await measurePath({ engine, root: ownRoot }, () => undefined);
  const found = Object.entries(summarize(figures)) as [keyof PathSummary, number][];
  expect(found.filter(([name, value]) => value > limits[engine][name])).toEqual([]);
  expect(found.filter(([name, value]) => value < least[name])).toEqual([]);
});

/** A program that writes to PostgreSQL in each way that `@crosszone/sql` has, once for each request. */
const writes = `
import { openDatabase } from "@crosszone/sql";
import { createServer } from "node:http";
import { CompiledQuery, sql } from "kysely";
const { db, transaction, batch } = await openDatabase({ url: process.env.TEST_DATABASE, schema: "sales", migrations: {} });
await sql\`create table sale (amount integer unique)\`.execute(db);
const insert = (amount) => CompiledQuery.raw("insert into sale values ($1), ($2)", [amount, amount + 1]);
const server = createServer(async (request, response) => {
  await transaction((within) => within.executeQuery(insert(1)));
  await batch([insert(3), CompiledQuery.raw("delete from sale where amount < $1", [3])]);
  await batch([insert(5), insert(5), insert(7)]).catch(() => undefined);
  await db.deleteFrom("sale").execute();
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ event: "listening", url: "http://127.0.0.1:" + server.address().port }));
});
process.once("SIGTERM", () => process.exit(0));
`;

test("the recorder sees statements as PostgreSQL gets them: alone, in a transaction, in a batch, and skipped after an error", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-path-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const args = ["--conditions=@crosszone/source", "--input-type=module", "--eval", writes];
  const { url, stop } = await startLogging(args, {
    cwd: resolve(import.meta.dirname, ".."),
    env: { ...recorderEnv(folder, "sales"), TEST_DATABASE: await newPostgresDatabase() },
    log: join(folder, "sales.log"),
  });
  onTestFinished(async () => void (await stop()));
  const recorder = connectRecorder(folder, "sales");
  await recorder.take();
  await fetch(url);
  const { statements } = await recorder.take();
  const insert = "insert into sale values ($1), ($2)";
  expect(statements.map(({ text, rows, pipelined, joined }) => [text, rows, pipelined, joined])).toEqual([
    ["begin", 0, false, false],
    [insert, 2, false, false],
    ["commit", 0, false, false],
    [insert, 2, false, false],
    ["delete from sale where amount < $1", 2, true, true],
    [insert, 2, false, false],
    [insert, undefined, true, true],
    [insert, undefined, true, true],
    ['delete from "sale"', 2, false, false],
  ]);
  expect(findSqlWay(statements.slice(0, 5), [])).toMatchObject({ trips: 4, commits: 2, writes: 3 });
});
