// suite: rest
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { startLogging } from "../zone/zones.ts";
import { askRecorder, measureWay, recorderEnv, summarize } from "./measure.ts";
import type { Statement } from "./recorder.ts";
import { findSqlWay } from "./sql-way.ts";

// Both zones, six questions, and a while without any.
/** What a question can't do without: fewer means that the recorder missed something. */
const least: Readonly<Record<string, number>> = {
  files: 30,
  writes: 6,
  tables: 3,
  "verification statements": 4,
  "verification commits": 3,
  "execution statements": 2,
  "execution commits": 1,
};

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/layout.md"), "utf8");

/** The functions that a section of the page says one opens, with their files. */
function stopsOf(heading: string): { readonly name: string; readonly path: string }[] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = Array.from(section.matchAll(/^- `([\w/-]+\.ts)`: (.*)$/gm));
  return rows.flatMap(([, path = "", names = ""]) => (names.match(/\w+(?=`)/g) ?? []).map((name) => ({ name, path })));
}

test("one question to an HTTP agent takes no more than its limits, and passes every stop that the page names", async () => {
  const way = await measureWay();
  const figures = summarize(way);
  expect(figures.map(({ name }) => name)).toEqual(Object.keys(least));
  expect(figures.filter(({ found, limit }) => found > limit)).toEqual([]);
  expect(figures.filter(({ name, found }) => found < (least[name] ?? 0))).toEqual([]);
  for (const heading of ["The way of a question", "The way of an agent call"]) {
    const named = stopsOf(heading);
    expect([heading, named.length > 20]).toEqual([heading, true]);
    const isPassed = ({ name, path }: { name: string; path: string }): boolean => {
      const file = way.files.find((one) => one === path);
      const text = file === undefined ? "" : readFileSync(resolve(root, file), "utf8");
      return new RegExp(`(function|class) ${name}\\b|^  (async )?#?${name}\\(`, "m").test(text);
    };
    expect(named.filter((stop) => !isPassed(stop))).toEqual([]);
  }
});

/** A program that writes to SQLite in each way, once for each request. */
const writes = `
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
const file = new DatabaseSync(":memory:");
file.exec("create table sale (amount)");
const server = createServer((request, response) => {
  file.exec("begin");
  file.prepare("insert into sale values (?), (?)").run(1, 2);
  file.exec("commit");
  file.prepare("select * from sale").all();
  file.prepare("select * from sale").get();
  [...file.prepare("select * from sale").iterate()];
  file.prepare("delete from sale").run();
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ event: "listening", url: "http://127.0.0.1:" + server.address().port }));
});
process.once("SIGTERM", () => process.exit(0));
`;

test("the recorder sees statements as the database gets them", async () => {
  const folder = tempFolder();
  const { url, stop } = await startLogging(
    ["--conditions=@crosszone/source", "--input-type=module", "--eval", writes],
    { cwd: join(root, "bench"), env: recorderEnv(folder, "sales"), log: join(folder, "sales.log") },
  );
  onTestFinished(async () => void (await stop()));
  const record = async () => {
    await fetch(url);
    return askRecorder(folder, "sales");
  };
  await askRecorder(folder, "sales");
  const { statements } = await record();
  const all = "select * from sale";
  expect(statements.map(({ text, rows }) => [text, rows])).toEqual([
    ["begin", 0],
    ["insert into sale values (?), (?)", 2],
    ["commit", 0],
    [all, 2],
    [all, 1],
    [all, 2],
    ["delete from sale", 2],
  ]);
  expect(findSqlWay(statements, [])).toMatchObject({ commits: 2, writes: 2, tables: ["sale"] });
});

const sent = (text: string, rows = 0, connection = 1): Statement => ({ text, rows, connection });

test("a transaction that an idle zone also sends is no part of the way, unless it did more", () => {
  const take = "update job set owner = 1 where state = 0";
  const renewal = [sent("begin"), sent("update worker set alive_until = 1", 1), sent("commit")];
  const asked = [
    sent("insert into job values (1) on conflict do update set x = 1", 1, 2),
    sent(take, 1),
    ...renewal,
    sent("begin", 0, 2),
    sent("select id from job for update skip locked", 1, 2),
    sent(take, 0),
    sent("with a as (update run set x = 1) delete from job", 1, 2),
    sent("commit", 0, 2),
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
  expect(figures).toEqual({ commits: 3, writes: 4, tables: ["job", "run"] });
});
