import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkDataFolder, checkDataKeys } from "./storage-checks.ts";
import { databaseChecks, type DatabaseInspection } from "./database-checks.ts";
import { type CheckResult, runChecks } from "./checks.ts";

const healthy: DatabaseInspection = {
  version: "PostgreSQL 18.1",
  tooOld: false,
  tls: true,
  clockAheadMs: 3,
  done: 4,
  pending: [],
  added: [],
  unknown: [],
};

async function look(
  inspect: () => Promise<DatabaseInspection | undefined>,
  url = "postgres://me:secret@db.example.com:5433/x",
): Promise<Record<string, CheckResult>> {
  const options = { dataDir: "/data", listensBeyond: () => false, networkOf: () => undefined, dataKeys: undefined };
  const results = await runChecks(databaseChecks({ url: () => url, inspect, ...options }), { timeoutMs: 1_000 });
  expect(JSON.stringify(results)).not.toContain("secret@");
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

test("a healthy database is one line, without user and password", async () => {
  const results = await look(async () => healthy);
  expect(results["database reachable"]).toMatchObject({
    status: "passed",
    says: "PostgreSQL 18.1 at db.example.com:5433/x, over TLS",
  });
  expect(results["database tables"]).toMatchObject({ status: "passed", says: "up to date, 4 steps" });
  expect(results["database clock"]).toMatchObject({ status: "passed" });
  expect(results["database disk"]).toMatchObject({ status: "skipped" });
});

test("the additions of a newer version are named, and are not a problem", async () => {
  const results = await look(async () => ({ ...healthy, added: ["0005_add_labels"] }));
  expect(results["database tables"]).toMatchObject({
    status: "passed",
    says: "up to date, 4 steps; this version also works with what a newer one added: 0005_add_labels",
  });
});

test("an unreachable database fails, and checks that depend on it are skipped", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED for user me"), { code: "ECONNREFUSED" });
  const results = await look(async () => Promise.reject(refused));
  expect(results["database reachable"]).toMatchObject({
    status: "failed",
    says: expect.stringContaining("(ECONNREFUSED)"),
  });
  expect(results["database tables"]).toMatchObject({ status: "skipped" });
  const wrong = await look(async () => Promise.reject(Object.assign(new Error("no"), { code: "28P01" })));
  expect(wrong["database reachable"]?.says).toContain("rejects the user or the password");
});

test.each([
  {
    name: "a server that is too old",
    seen: { version: "PostgreSQL 13.2", tooOld: true },
    check: "database reachable",
    status: "failed",
  },
  { name: "no TLS over the network", seen: { tls: false }, check: "database reachable", status: "warned" },
  { name: "tables of a newer version", seen: { unknown: ["0009_later"] }, check: "database tables", status: "failed" },
  { name: "tables of an older version", seen: { pending: ["0004_tasks"] }, check: "database tables", status: "passed" },
  { name: "a clock that is a little off", seen: { clockAheadMs: -5_000 }, check: "database clock", status: "passed" },
  { name: "a clock that is much off", seen: { clockAheadMs: 31_000 }, check: "database clock", status: "warned" },
] as const)("$name", async ({ seen, check, status }) => {
  const results = await look(async () => ({ ...healthy, ...seen }));
  expect(results[check]).toMatchObject({ status });
});

test("a missing file is not a problem, and none is created", async () => {
  const folder = mkdtempSync(join(tmpdir(), "database-checks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const results = await look(async () => undefined, `sqlite:${folder}/deep/zone.sqlite`);
  expect(results["database reachable"]).toMatchObject({
    status: "passed",
    says: expect.stringContaining("does not exist yet"),
  });
  expect(results["database tables"]).toMatchObject({ status: "passed" });
  expect(results["database disk"]?.says).toMatch(new RegExp(`MB are free in ${folder}$`));
  expect(readdirSync(folder)).toEqual([]);
});

const plenty = { network: undefined, freeBytes: 2 ** 40 };
test.each([
  { name: "room on a disk of this machine", disk: plenty, dataDir: "/data", status: "passed" },
  { name: "a folder on a network", disk: { ...plenty, network: "NFS" }, dataDir: "/data", status: "failed" },
  {
    name: "a disk that is nearly full",
    disk: { ...plenty, freeBytes: 50 * 2 ** 20 },
    dataDir: "/data",
    status: "failed",
  },
  {
    name: "a disk that is getting full",
    disk: { ...plenty, freeBytes: 500 * 2 ** 20 },
    dataDir: "/data",
    status: "warned",
  },
  { name: "a relative folder of a zone that others reach", disk: plenty, dataDir: "data", status: "warned" },
] as const)("$name", async ({ disk, dataDir, status }) => {
  const check = checkDataFolder({
    url: () => `sqlite:${tmpdir()}/zone.sqlite`,
    reads: [],
    dataDir,
    listensBeyond: () => true,
    networkOf: () => disk.network,
    freeBytesOf: () => disk.freeBytes,
  });
  expect(await check.run(AbortSignal.timeout(1_000))).toMatchObject({ status });
});

const random = (): string => randomBytes(32).toString("base64");
const [one, two] = [random(), random()];
test.each([
  ["no keys", undefined, "warned"],
  ["one random key", [`k1:${one}`], "passed"],
  ["an old key that is still there", [`k2:${two}`, `k1:${one}`], "warned"],
  ["the same key twice", [`k2:${one}`, `k1:${one}`], "warned"],
  ["a key of zeros", [`k1:${Buffer.alloc(32).toString("base64")}`], "failed"],
  ["a password for a key", [`k1:${Buffer.from("correct horse battery staple, 32").toString("base64")}`], "failed"],
] as const)("%s", async (_, keys, status) => {
  const finding = await checkDataKeys(keys).run(AbortSignal.timeout(1_000));
  expect(finding.status).toBe(status);
  for (const key of keys ?? []) expect(JSON.stringify(finding)).not.toContain(key.split(":")[1]);
});
