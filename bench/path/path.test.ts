import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOptions } from "../kit/benchmark.ts";
import { startLogging } from "../zone/zone-process.ts";
import { path as benchmark } from "./benchmark.ts";
import { isDurable, sizeOf } from "./code-size.ts";
import { findCodeWay } from "./code-way.ts";
import { connectRecorder, recorderEnv } from "./connect-recorder.ts";
import { findBorders } from "./folder-borders.ts";
import type { Statement } from "./recorder/statement.ts";
import { findSqlWay, writesIn } from "./sql-way.ts";

const program = {
  "apps/shop/package.json": `{ "name": "@crosszone/shop", "type": "module" }`,
  "packages/sums/package.json": `{ "name": "@crosszone/sums", "type": "module", "exports": { ".": { "@crosszone/source": "./src/index.ts" } } }`,
  "packages/sums/src/index.ts": `export { add } from "./exact/add.ts";
export type { Sum } from "./types/sum.ts";
`,
  "packages/sums/src/exact/add.ts": `// Not code.
export function add(a: number, b: number): number {
  const subtract = (): number => {
    return a - b;
  };
  return a > 1_000 ? subtract() : a + b;
}

export function neverCalled(): void {}
`,
  "apps/shop/src/main.ts": `import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { add } from "../../../packages/sums/src/index.ts";
import type { Sum } from "../../../packages/sums/src/types/sum.ts";
import { unused } from "./unused.ts";

const file = new DatabaseSync(":memory:");
file.exec("create table sale (amount)");
function sell(): void {
  file.exec("begin");
  file.prepare("insert into sale values (?), (?)").run(add(1, 2), add(3, 4));
  file.prepare("update sale set amount = 0 where amount > 100").run();
  file.exec("commit");
}
const server = createServer((_, response) => {
  sell();
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  console.log(JSON.stringify({ event: "listening", url: \`http://127.0.0.1:\${port}\` }));
});
process.once("SIGTERM", () => process.exit(0));
`,
  "packages/sums/src/types/sum.ts": `export type Sum = number;\n`,
  "apps/shop/src/unused.ts": `export const unused = (): void => undefined;\n`,
};

async function writeProgram(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "crosszone-path-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(program)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

test("the recorder finds the functions and the statements of one request of a small program", async () => {
  const root = await writeProgram();
  const { url, stop } = await startLogging(["apps/shop/src/main.ts"], {
    cwd: root,
    env: recorderEnv(root, "shop"),
    log: join(root, "shop.log"),
  });
  onTestFinished(async () => void (await stop()));
  const { statements, take } = connectRecorder(root, "shop");
  await take();
  await fetch(url);
  expect(await statements()).toMatchObject([
    { text: "begin", rows: 0 },
    { text: "insert into sale values (?), (?)", rows: 2 },
    { text: "update sale set amount = 0 where amount > 100", rows: 0 },
    { text: "commit" },
  ]);
  const asked = await take();
  expect(findCodeWay(root, [asked.files])).toEqual([
    { path: "apps/shop/src/main.ts", lines: 22, ran: 10 },
    { path: "packages/sums/src/exact/add.ts", lines: 7, ran: 5 },
  ]);
  expect(findSqlWay(asked.statements, [])).toMatchObject({ writes: 1, tables: ["sale"], trips: 4, commits: 1 });

  const idle = await take();
  expect(findCodeWay(root, [asked.files, idle.files])).toEqual([]);
  await fetch(url);
  const again = await take();
  expect(findCodeWay(root, [asked.files, again.files])).toEqual(findCodeWay(root, [asked.files]));
});

test("an imported value crosses a boundary, also through an index; a type or an unused file does not", async () => {
  const root = await writeProgram();
  await writeFile(join(root, "apps/shop/src/till.ts"), `import { add, type Sum } from "@crosszone/sums";\n`);
  const ran = [
    "apps/shop/src/main.ts",
    "apps/shop/src/till.ts",
    "packages/sums/src/exact/add.ts",
    "packages/sums/src/types/sum.ts",
  ];
  expect(findBorders(root, ran)).toEqual([["apps/shop/src", "packages/sums/src/exact"]]);
  expect(findBorders(root, ran.slice(1))).toEqual([["apps/shop/src", "packages/sums/src/exact"]]);
  expect(findBorders(root, ran.slice(0, 1))).toEqual([]);
});

const sent = (text: string, rows = 0, members: Partial<Statement> = {}): Statement => ({
  text,
  rows,
  connection: 1,
  pipelined: false,
  joined: false,
  ...members,
});

test("a statement counts once per write; locks and upserts are not separate writes", () => {
  const tables = (text: string): string[] => writesIn(text).map(({ verb, table }) => `${verb} ${table}`);
  expect(tables(`insert into "job" values (1) on conflict do update set "x" = 1 returning id`)).toEqual(["insert job"]);
  expect(tables("select id from job for update skip locked")).toEqual([]);
  expect(tables("with a as (update run set x = 1 returning id) insert into zone.step select id from a")).toEqual([
    "update run",
    "insert step",
  ]);
  expect(tables(`with free as (select 1 for no key update) delete from "job" where id = 1`)).toEqual(["delete job"]);
});

test("a transaction that an idle zone also sends is listed apart, unless it did more", () => {
  const take = "update job set owner = 1 where state = 0";
  const renewal = [sent("begin"), sent("update worker set alive_until = 1", 1), sent("commit")];
  const idle = [sent(take), ...renewal];
  const asked = [
    sent("insert into job values (1)", 1, { connection: 2 }),
    sent(take, 1),
    ...renewal,
    sent("begin", 0, { connection: 2 }),
    sent(take, 0),
    sent("delete from job", 1, { connection: 2, pipelined: true }),
    sent("commit", 0, { connection: 2, pipelined: true }),
    sent("pragma synchronous = full"),
  ];
  const { steps, apart, ...figures } = findSqlWay(asked, idle);
  expect(steps.map(({ text }) => text)).toEqual([
    "insert into job values (1)",
    take,
    "begin",
    "delete from job",
    "commit",
  ]);
  expect(apart).toEqual([
    { text: "update worker set alive_until = 1", times: 1 },
    { text: take, times: 1 },
  ]);
  expect(figures).toEqual({ trips: 3, commits: 3, writes: 3, tables: ["job"] });
});

test("a batch is one round trip and one commit", () => {
  const joined = { pipelined: true, joined: true };
  const batch = [
    sent("insert into job values (1)", 1),
    sent("delete from job", 1, joined),
    sent("select 1", 1, joined),
  ];
  expect(findSqlWay(batch, [])).toMatchObject({ trips: 1, commits: 1, writes: 2 });
  expect(findSqlWay([sent("select 1", 1), sent("select 2", 1, joined)], [])).toMatchObject({ trips: 1, commits: 0 });
  // Sent together, but each in a transaction of its own.
  const pipelined = [sent("delete from a", 1), sent("delete from b", 1, { pipelined: true })];
  expect(findSqlWay(pipelined, [])).toMatchObject({ trips: 1, commits: 2 });
});

const root = resolve(import.meta.dirname, "../..");

test("the size of code is that of its files without tests", () => {
  const size = sizeOf(root, ["packages/jsonrpc/{package.json,src/index.ts,src/*.test.ts}"]);
  expect(size).toMatchObject({ files: 1 });
  expect(size.lines).toBeGreaterThan(5);
  expect(sizeOf(root, ["no/such/**"])).toEqual({ files: 0, lines: 0 });
  const all = sizeOf(root, ["packages/jsonrpc/src/**"]);
  const without = sizeOf(root, ["packages/jsonrpc/src/**", "!packages/jsonrpc/src/{index,transport}.ts"]);
  expect(all.files - without.files).toBe(2);
});

test("queue, bus and worker code includes what stores and leases, not what is stored or shown", () => {
  expect(
    ["apps/execution/src/tasks/task-store.ts", "packages/jobs/src/lanes/lane-store.ts"].filter(
      (path) => !isDurable(path),
    ),
  ).toEqual([]);
  expect(
    [
      "apps/execution/src/tasks/preview-log.ts",
      "apps/execution/src/tasks/sql/shown-task.ts",
      "apps/verification/src/inbox/work-on-record.ts",
      "apps/verification/src/slack/web-api.ts",
    ].filter(isDurable),
  ).toEqual([]);
});

test("the command line of measure:path", () => {
  expect(readOptions(benchmark, ["--help"])).toBeUndefined();
  expect(readOptions(benchmark, [])).toEqual({ engine: "sqlite", zones: root, json: false, write: false });
  expect(readOptions(benchmark, ["--engine", "postgres", "--zones", "/before", "--json"])).toEqual({
    engine: "postgres",
    zones: "/before",
    json: true,
    write: false,
  });
  expect(() => readOptions(benchmark, ["--engine", "mysql"])).toThrow(
    'Expected sqlite or postgres for --engine, got "mysql".',
  );
  expect(() => readOptions(benchmark, ["--fast"])).toThrow(TypeError);
});
