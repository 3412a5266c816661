import type { IncomingMessage, ServerResponse } from "node:http";
import { operations } from "@crosszone/contracts";
import { readCases } from "@crosszone/contracts/corpus";
import { hostileAnswers } from "@crosszone/contracts/hostile";
import type { OperationId } from "@crosszone/contracts/operations";
import { serve } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { commandGroups } from "../command-groups.ts";
import { answers, operationFacts } from "../generated/operations.ts";
import type { Command } from "../program/command.ts";
import { runCli, runOnTerminal } from "../testing/run-cli.ts";

type Row = Command & { readonly operation: OperationId };

const commands = commandGroups.flatMap((group) => group.commands);
const rows = commands.filter((one): one is Row => one.operation !== undefined);
const named = (all: readonly Row[]) => all.map((row) => [row.name, row] as const);
const takes = ({ operation }: Row, name: string): boolean =>
  operationFacts[operation].parameters.some((one) => one.name === name);
const paged = rows.filter((row) => takes(row, "cursor") && row.name !== "usage");

/** What some rows need beside their operands. */
const needed: Readonly<Record<string, readonly string[]>> = {
  "agents set": ["--timeout", "2m"],
  "tokens create": ["--name", "ci", "--scope", "ask", "--expires", "1d"],
};

const hostile = hostileAnswers();

/** The answer to an operation with the most members. */
function answerOf(id: OperationId): object | undefined {
  const { method, path } = operations[id];
  const { ref = "" } = (answers as Partial<Record<OperationId, { readonly ref?: string }>>)[id] ?? {};
  const cases = () => readCases(ref.replace(".schema.json", "")).filter(({ valid }) => valid);
  const texts = method === "GET" || ref === "" ? [] : cases().map(({ value }) => JSON.stringify(value));
  const [largest] = texts.toSorted((one, other) => other.length - one.length);
  return method === "GET" ? hostile.get(path) : ((JSON.parse(largest ?? "null") as object | undefined) ?? undefined);
}

const places = Object.entries(operations).map(([id, { method, path }]) => ({
  id: id as OperationId,
  line: new RegExp(`^${method} /api/v1${path.replaceAll(/\{\w+\}/g, "[^/?]+")}$`),
}));

interface Asked {
  readonly id: OperationId | undefined;
  readonly query: URLSearchParams;
}

/** A zone that answers each operation; `next`: the cursors below the first pages. */
async function startZone(next: readonly string[] = []) {
  const asked: Asked[] = [];
  const cursors = [...next];
  function respond({ method, url = "" }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams: query } = new URL(url, "http://zone");
    const id = places.find(({ line }) => line.test(`${method} ${pathname}`))?.id;
    asked.push({ id, query });
    const answer = id && answerOf(id);
    const more =
      query.has("limit") && cursors.length > 0 ? { next_cursor: cursors.shift() } : { next_cursor: undefined };
    const body = answer && JSON.stringify({ ...answer, ...("next_cursor" in answer || more.next_cursor ? more : {}) });
    response.writeHead(body === undefined ? 204 : 200, { "content-type": "application/json" }).end(body);
  }
  return { url: await serve(respond), asked };
}

const [server] = (hostile.get("/mcp-servers") as { servers: { name: string; tools: { name: string }[] }[] }).servers;
const operandsOf = ({ operands }: Command): string[] =>
  operands.map((_, at) => [server?.name, server?.tools[0]?.name][at] ?? "");
const lineOf = (row: Row): string[] => [...row.name.split(" "), ...operandsOf(row), ...(needed[row.name] ?? [])];

test("commands that are written by hand are few", () => {
  const byHand = commands.filter(({ operation }) => operation === undefined).map(({ name }) => name);
  // Programs of other packages have their lines here too.
  expect(byHand.length).toBeLessThanOrEqual(30);
  expect(rows.length).toBeGreaterThan(35);
});

test.each(named(rows))("%s asks its operation, and prints a text and one JSON document", async (_name, row) => {
  const { url, asked } = await startZone();
  const shown = await runCli(url, lineOf(row));
  expect([shown.code < 2 || shown.err, shown.out === ""]).toEqual([true, false]);
  expect(asked.map(({ id }) => id)).toContain(row.operation);
  expect(asked.map(({ id }) => id)).not.toContain(undefined);
  const json = await runCli(url, [...lineOf(row), "--json"]);
  const isNothing = operations[row.operation].answer === undefined;
  expect([json.out.startsWith("{"), json.err.includes('Unknown option "--json"')]).toEqual([!isNothing, isNothing]);
  expect(() => JSON.parse(json.out || "{}") as unknown).not.toThrow();
});

test.each(named(rows))("the help of %s has its summary, operands, options and examples", async (_name, row) => {
  const { shown } = await runOnTerminal("http://127.0.0.1:1", [...row.name.split(" "), "--help"], { columns: 300 });
  for (const text of [row.summary, ...row.operands]) expect(shown).toContain(text);
  for (const { flags, help } of Object.values(row.options)) {
    expect(shown).toMatch(new RegExp(`${RegExp.escape(flags)} +${RegExp.escape(help)}\n`));
    // A sentence of the document, or what the command line says better.
    expect(help).toMatch(/^(?:[a-z(]|API|A2A|JSON|URL|Slack|env:).*[^.]$/);
  }
  expect(row.examples.length).toBeGreaterThan(0);
});

/** The lines below the head of a table. */
const rowsIn = (out: string): number => out.split("\n").length - 2;

describe.each(named(paged))("the pages of %s", (_name, row) => {
  test("are read one by one, or all", async () => {
    const { url, asked } = await startZone(["p2", "p2"]);
    const first = await runCli(url, [...lineOf(row), "--limit", "7", "--cursor", "p1"]);
    expect(first.err).toBe("There are more: --cursor p2 shows the next page, --all shows all.\n");
    const [{ query } = { query: undefined }] = asked.filter(({ id }) => id === row.operation);
    expect([query?.get("limit"), query?.get("cursor")]).toEqual(["7", "p1"]);
    const all = await runCli(url, [...lineOf(row), "--all"]);
    expect([all.code, all.err, rowsIn(all.out)]).toEqual([0, "", 2 * rowsIn(first.out)]);
    expect(asked.at(-1)?.query.get("cursor")).toBe("p2");
    const json = await startZone(["p2"]);
    const { out } = await runCli(json.url, [...lineOf(row), "--all", "--json"]);
    const lists = Object.values(JSON.parse(out) as object).filter((one) => Array.isArray(one));
    expect(lists.map(({ length }) => length)).toContain(rowsIn(all.out));
  });

  test("can't be all and one", async () => {
    for (const option of ["--limit", "--cursor"])
      expect(await runCli("http://127.0.0.1:1", [...lineOf(row), "--all", option, "5"])).toMatchObject({
        code: 2,
        err: expect.stringContaining("--all can't be combined with --limit or --cursor.") as unknown,
      });
  });
});

/** Every option that takes certain values. */
const limited = rows.flatMap((row) =>
  Object.values(row.options).flatMap(({ flags, names = [] }) => {
    const [flag = ""] = flags.split(" ");
    const isNumber = flag === "--limit";
    const isTime = flag === "--since" || flag === "--until";
    return names.length > 0 || isNumber || isTime ? [[`${row.name} ${flag}`, row, flag, names] as const] : [];
  }),
);

test.each(limited)(
  "%s refuses another value before anything is sent, and completes its own",
  async (...[, row, flag, names]) => {
    const argv = [...row.name.split(" "), ...operandsOf(row)];
    const others = (needed[row.name] ?? []).filter((word, at, all) => word !== flag && all[at - 1] !== flag);
    const wrong = await runCli("http://127.0.0.1:1", [...argv, ...others, flag, "0x"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining(`${flag} must be `)]);
    for (const name of names) expect(wrong.err).toContain(name);
    const { shown } = await runOnTerminal("http://127.0.0.1:1", ["__complete", ...argv, flag, ""]);
    expect(shown.split("\n").filter(Boolean)).toEqual(names);
  },
);
