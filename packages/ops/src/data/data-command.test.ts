import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { runDataCommand } from "./data-command.ts";
import type { ZoneData } from "./zone-data.ts";

interface FakeZone extends ZoneData {
  readonly kept: Record<string, string[]>;
  closed: boolean;
}

/** A zone with one table, `note`, by team. */
function zoneOf(zone: string, more: Partial<ZoneData> = {}): FakeZone {
  const kept: Record<string, string[]> = { T1: ["one", "two"], T2: ["other"] };
  const fake: FakeZone = {
    kept,
    closed: false,
    zone,
    at: `SQLite /data/${zone}.sqlite`,
    firstKey: "k1",
    keys: { inUse: async () => ["k1"], giveUp: async (id) => id === "k0" },
    count: async (team) => [{ table: "note", holds: "notes", rows: kept[team]?.length ?? 0 }],
    async *rows(team) {
      for (const text of kept[team] ?? []) yield { table: "note", row: { text }, left_out: ["token"] };
    },
    purge: async (team) => {
      const rows = kept[team]?.length ?? 0;
      delete kept[team];
      return { deleted: [{ table: "note", rows }], erased: true };
    },
    reseal: async () => [{ table: "note", sealed: 2, failed: 0 }],
    markRestored: async () => undefined,
    close: async () => void (fake.closed = true),
    ...more,
  };
  return fake;
}

async function run(args: string, zones: readonly FakeZone[], typed?: string) {
  let out = "";
  let err = "";
  const into = (add: (text: string) => void): Writable =>
    new Writable({ write: (chunk, _, done) => (add(String(chunk)), done()) });
  const stdin = typed === undefined ? undefined : Readable.from([typed]);
  const code = await runDataCommand({
    args: args.split(" ").filter(Boolean),
    usage: "Usage: data COMMAND\n",
    env: {},
    zones: Object.fromEntries(zones.map((zone) => [zone.zone, async () => zone])),
    terminal: {
      stdout: into((text) => (out += text)),
      stderr: into((text) => (err += text)),
      ...(stdin && { stdin: stdin.pipe(new PassThrough()) }),
    },
  });
  return { code, out, err };
}

test("an export has a header line, one line for each row of both zones, and a line that marks it complete", async () => {
  const { code, out, err } = await run("export --team T1", [zoneOf("verification"), zoneOf("execution")]);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(code).toBe(0);
  expect(lines[0]).toEqual({ export: "crosszone", version: 1, team_id: "T1", at: expect.any(String) });
  expect(lines[1]).toEqual({ zone: "verification", table: "note", row: { text: "one" }, left_out: ["token"] });
  expect(lines.slice(1, -1)).toHaveLength(4);
  expect(lines.at(-1)).toEqual({ end: true, rows: 4 });
  expect(err).toContain("Left out 4 secret values");
});

test("an export file is readable only by its owner, and overwrites nothing", async () => {
  const file = join(tempFolder(), "t1.jsonl");
  expect(await run(`export --team T1 --out ${file}`, [zoneOf("verification")])).toMatchObject({ code: 0, out: "" });
  expect(readFileSync(file, "utf8")).toMatch(/"end":true,"rows":2}\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, "mine");
  expect(await run(`export --team T1 --out ${file}`, [zoneOf("verification")])).toMatchObject({
    code: 1,
    err: `${file} already exists. Choose another file.\n`,
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("an export of unreadable data has no last line and gives the reason", async () => {
  const broken = zoneOf("verification", {
    async *rows() {
      yield { table: "note", row: {}, left_out: [] };
      throw new Error("the disk of postgres://me:secret@db is gone");
    },
  });
  const { code, out, err } = await run("export --team T1", [broken]);
  expect(code).toBe(1);
  expect(out).not.toContain('"end"');
  expect(err).toContain("The command failed: the disk of");
  expect(err).not.toContain("secret@");
  expect(broken.closed).toBe(true);
});

test("a purge lists a team's data and deletes only that, after confirmation", async () => {
  const zones = [zoneOf("verification"), zoneOf("execution")];
  const { code, out } = await run("purge --team T1", zones, "T1\n");
  expect(code).toBe(0);
  expect(out).toContain("verification: SQLite /data/verification.sqlite");
  expect(out).toContain("        2  verification.note: notes");
  expect(out).toContain("deleted 2 from execution.note");
  for (const { kept } of zones) expect(kept).toEqual({ T2: ["other"] });
  expect(await run("purge --team T1 --yes", zones)).toMatchObject({
    code: 0,
    out: expect.stringContaining("No data is stored for T1."),
  });
});

test.each([
  ["another word is typed", "yes\n", "Nothing was deleted."],
  ["nobody can be asked", undefined, "No terminal to confirm on. Add --yes"],
])("if %s, nothing is deleted", async (_, typed, words) => {
  const zone = zoneOf("verification");
  const { code, err } = await run("purge --team T1", [zone], typed);
  expect(code).toBe(1);
  expect(err).toContain(words);
  expect(zone.kept["T1"]).toHaveLength(2);
});

test("a purge fails if rows reappear meanwhile or bytes remain", async () => {
  const again = zoneOf("verification", {
    purge: async () => ({ deleted: [{ table: "note", rows: 2 }], erased: false }),
  });
  const { code, err } = await run("purge --team T1 --yes", [again]);
  expect(code).toBe(1);
  expect(err).toContain("the write-ahead log could not be truncated");
  expect(err).toContain("verification.note has 2 new rows of T1.");
});

test("O31: a reseal waits until every process encrypts with the first key; O34: a lost key is given up by its id", async () => {
  const keys = { inUse: async () => ["k1", "k0"], giveUp: async () => false };
  const { code, err } = await run("reseal", [zoneOf("verification", { keys })]);
  expect([code, err]).toEqual([1, expect.stringContaining("A process of verification still encrypts with k0")]);
  expect(await run("forget k0", [zoneOf("verification")])).toMatchObject({ code: 0 });
  expect(await run("forget k7", [zoneOf("verification")])).toMatchObject({
    code: 1,
    err: expect.stringContaining("k7"),
  });
  expect(await run("forget", [zoneOf("verification")])).toMatchObject({ code: 2 });
});

test("a reseal reports unreadable values and zones without keys", async () => {
  expect(await run("reseal", [zoneOf("verification")])).toMatchObject({
    code: 0,
    out: expect.stringContaining("Remove the other keys of DATA_KEYS"),
  });
  const lost = zoneOf("verification", { reseal: async () => [{ table: "note", sealed: 0, failed: 3 }] });
  expect(await run("reseal", [lost])).toMatchObject({
    code: 1,
    err: expect.stringContaining("3 values can't be decrypted"),
  });
  const keyless = zoneOf("execution", { reseal: async () => [] });
  expect(await run("reseal", [keyless])).toMatchObject({
    code: 1,
    err: "execution has no DATA_KEYS, so nothing can be encrypted.\n",
  });
});

test("X32: parked records are listed by id, with nothing that moves a cursor, and one can be retried", async () => {
  const parked = {
    list: async () => [{ request_id: "r1", team_id: "T1", age_ms: 7_200_000, attempts: 8, why: "agent_failed" }],
    retry: async (id: string) => id === "r1",
  };
  const zones = [zoneOf("verification", { parked }), zoneOf("execution")];
  expect(await run("parked", zones)).toMatchObject({ code: 0, out: "r1  T1  2 h  attempts: 8  agent_failed\n" });
  const odd = { ...parked, list: async () => [{ ...(await parked.list())[0]!, why: "\u001b[2J\u202Eno" }] };
  expect((await run("parked", [zoneOf("verification", { parked: odd })])).out).toContain("\\u001b[2J\\u202eno");
  expect(await run("retry r1", zones)).toMatchObject({ code: 0 });
  expect(await run("retry r2", zones)).toMatchObject({ code: 1, err: "No parked question has the id r2.\n" });
  expect(await run("parked", [zoneOf("execution")])).toMatchObject({ code: 0, out: "No parked questions.\n" });
});
