import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { startLogging } from "../zone/zones.ts";
import { askRecorder, findFiles, limits, measureWay, recorderEnv, summarize } from "./measure.ts";
import type { Statement } from "./recorder.ts";
import { findSqlWay } from "./sql-way.ts";

// Both zones, six questions, and a while without any.
vi.setConfig({ testTimeout: 120_000 });

/** What a question can't do without: fewer means that the recorder missed something. */
const least: typeof limits.sqlite = {
  files: 30,
  writes: 6,
  tables: 3,
  verificationTrips: 4,
  verificationCommits: 3,
  executionTrips: 2,
  executionCommits: 1,
};

const engines = inject("engines") === "both" ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

test.for(engines)("one question to an HTTP agent takes no more than its limits, on %s", async (engine) => {
  const found = Object.entries(summarize(await measureWay(engine))) as [keyof typeof least, number][];
  expect(found.filter(([name, value]) => value > limits[engine][name])).toEqual([]);
  expect(found.filter(([name, value]) => value < least[name])).toEqual([]);
});

/** A program that writes to PostgreSQL in each way that `@crosszone/sql` has, and to SQLite, once for each request. */
const writes = `
import { openDatabase } from "@crosszone/sql";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { CompiledQuery, sql } from "kysely";
const { db, transaction, batch } = await openDatabase({ url: process.env.TEST_DATABASE, schema: "sales", migrations: {} });
await sql\`create table sale (amount integer unique)\`.execute(db);
const insert = (amount) => CompiledQuery.raw("insert into sale values ($1), ($2)", [amount, amount + 1]);
const file = new DatabaseSync(":memory:");
file.exec("create table sale (amount)");
const server = createServer(async (request, response) => {
  await transaction((within) => within.executeQuery(insert(1)));
  await batch([insert(3), CompiledQuery.raw("delete from sale where amount < $1", [3])]);
  await batch([insert(5), insert(5), insert(7)]).catch(() => undefined);
  await db.deleteFrom("sale").execute();
  file.prepare("insert into sale values (?), (?)").run(1, 2);
  file.prepare("select * from sale").all();
  file.prepare("select * from sale").get();
  [...file.prepare("select * from sale").iterate()];
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ event: "listening", url: "http://127.0.0.1:" + server.address().port }));
});
process.once("SIGTERM", () => process.exit(0));
`;

test("the recorder sees statements as the database gets them, and the files that ran each time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-path-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const root = resolve(import.meta.dirname, "../..");
  const { url, stop } = await startLogging(
    ["--conditions=@crosszone/source", "--input-type=module", "--eval", writes],
    {
      cwd: join(root, "bench"),
      env: { ...recorderEnv(folder, "sales"), TEST_DATABASE: await newPostgresDatabase() },
      log: join(folder, "sales.log"),
    },
  );
  onTestFinished(async () => void (await stop()));
  const record = async () => {
    await fetch(url);
    return askRecorder(folder, "sales", "/take");
  };
  await askRecorder(folder, "sales", "/take");
  const { statements, functions } = await record();
  const insert = "insert into sale values ($1), ($2)";
  const all = "select * from sale";
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
    ["insert into sale values (?), (?)", 2, false, false],
    [all, 2, false, false],
    [all, 1, false, false],
    [all, 2, false, false],
  ]);
  expect(findSqlWay(statements.slice(0, 5), [])).toMatchObject({ trips: 4, commits: 2, writes: 3 });

  const again = await record();
  const files = findFiles(root, [functions, again.functions]);
  expect(files.filter((path) => !path.startsWith("packages/sql/"))).toEqual([]);
  expect(files).not.toEqual([]);
  const nothing = await askRecorder(folder, "sales", "/take");
  expect(nothing.statements).toEqual([]);
  expect(findFiles(root, [functions, nothing.functions])).toEqual([]);
});

const sent = (text: string, rows = 0, members: Partial<Statement> = {}): Statement => ({
  text,
  rows,
  connection: 1,
  pipelined: false,
  joined: false,
  ...members,
});

test("a transaction that an idle zone also sends is no part of the way, unless it did more", () => {
  const take = "update job set owner = 1 where state = 0";
  const renewal = [sent("begin"), sent("update worker set alive_until = 1", 1), sent("commit")];
  const asked = [
    sent("insert into job values (1) on conflict do update set x = 1", 1, { connection: 2 }),
    sent(take, 1),
    ...renewal,
    sent("begin", 0, { connection: 2 }),
    sent("select id from job for update skip locked", 1, { connection: 2 }),
    sent(take, 0),
    sent("with a as (update run set x = 1) delete from job", 1, { connection: 2, pipelined: true }),
    sent("commit", 0, { connection: 2, pipelined: true }),
    sent("pragma synchronous = full"),
  ];
  const { steps, ...figures } = findSqlWay(asked, [sent(take), ...renewal]);
  expect(steps.map((step) => step.writes)).toEqual([
    ["insert job"],
    ["update job"],
    [],
    [],
    ["update run", "delete job"],
    [],
  ]);
  expect(figures).toEqual({ trips: 4, commits: 3, writes: 4, tables: ["job", "run"] });
});
