import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeUnreached } from "./peers.ts";
import { type RowResult, runRows } from "./table.ts";
import { databaseRows, type DatabaseInspection, judgeDataKeys, judgeSpace } from "./zone-rows.ts";

const healthy: DatabaseInspection = {
  version: "PostgreSQL 18.1",
  tooOld: false,
  tls: true,
  done: 4,
  pending: [],
  added: [],
  unknown: [],
};

async function look(
  inspect: () => Promise<DatabaseInspection | undefined>,
  url = "postgres://me:secret@db.example.com:5433/x",
): Promise<Record<string, RowResult>> {
  const results = await runRows(
    databaseRows(() => url, inspect),
    { timeoutMs: 1_000 },
  );
  expect(JSON.stringify(results)).not.toContain("secret@");
  return Object.fromEntries(results.map((result) => [result.name, result]));
}

test("a healthy database is one line, without user and password", async () => {
  expect(await look(async () => healthy)).toMatchObject({
    "database reachable": { status: "passed", says: "PostgreSQL 18.1 at db.example.com:5433/x, over TLS" },
    "database tables": { status: "passed", says: "up to date, 4 steps" },
    "database disk": { status: "skipped" },
  });
});

test("an unreachable database fails, and rows that depend on it are skipped", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED for user me"), { code: "ECONNREFUSED" });
  expect(await look(async () => Promise.reject(refused))).toMatchObject({
    "database reachable": { status: "failed", says: expect.stringContaining("(ECONNREFUSED)") },
    "database tables": { status: "skipped" },
  });
  const wrong = await look(async () => Promise.reject(Object.assign(new Error("no"), { code: "28P01" })));
  expect(wrong["database reachable"]?.says).toContain("rejects the user or the password");
  expect(wrong["database reachable"]?.todo).toEqual([expect.stringMatching(/^Check DATABASE_URL: host/)]);
});

test.each([
  ["a server that is too old", { tooOld: true }, { "database reachable": "failed: .* too old" }],
  ["a clock that differs", { clockAheadMs: -90_000 }, { "database reachable": "warned: .* 90 s apart" }],
  ["additions of a newer version", { added: ["0005_add_x"] }, { "database tables": "passed: .* also works with" }],
  ["tables of a newer version", { unknown: ["0009_later"] }, { "database tables": "failed: .* 0009_later" }],
  ["tables of an older version", { pending: ["0004_tasks"] }, { "database tables": "passed: .*next start migrates" }],
])("%s", async (_name, seen, found) => {
  const results = await look(async () => ({ ...healthy, ...seen }));
  for (const [row, pattern] of Object.entries(found))
    expect(`${results[row]?.status}: ${results[row]?.says}`).toMatch(new RegExp(`^${pattern}`));
});

test("a missing file is not a problem, and none is created", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zone-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await look(async () => undefined, `sqlite:${folder}/deep/zone.sqlite`)).toMatchObject({
    "database reachable": { status: "passed", says: expect.stringContaining("does not exist yet") },
    "database tables": { status: "passed" },
    "database disk": { says: expect.stringMatching(new RegExp(`MB are free in ${folder}$`)) },
  });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [2 ** 40, "passed"],
  [500 * 2 ** 20, "warned"],
  [50 * 2 ** 20, "failed"],
])("a disk with %d free bytes: %s", (bytes, status) => {
  expect(judgeSpace("/data", bytes)).toMatchObject({ status });
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
] as const)("%s", (_, keys, status) => {
  const finding = judgeDataKeys(keys);
  expect(finding.status).toBe(status);
  for (const key of keys ?? []) expect(JSON.stringify(finding)).not.toContain(key.split(":")[1]);
});

test.each([
  ["ENOTFOUND", /peer\.example\.com cannot be resolved.*PEER_URL/],
  ["ECONNREFUSED", /connection to peer\.example\.com was refused.*Start the peer/],
  ["EHOSTUNREACH", /no connection.*firewalls/],
  ["EPROTO", /TLS handshake with .* failed.*http:/],
  ["ECONNRESET", /does not respond \(ECONNRESET\).*port/],
  ["TIMEOUT", /no connection .*\(TIMEOUT\)/],
  ["CERT_HAS_EXPIRED", /not trusted: it has expired.*Renew/],
  ["CERT_NOT_YET_VALID", /not valid yet.*clock/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /for another host name.*host name in PEER_URL/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /authority is unknown here .*Set PEER_CA_FILE/],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /authority is unknown here .*Set PEER_CA_FILE/],
])("a server that fails with %s: %s", (code, words) => {
  const peer = { url: "https://peer.example.com/rpc", variable: "PEER_URL", whenDown: "Start the peer" };
  const { status, says, todo } = describeUnreached(code, { ...peer, authorityVariable: "PEER_CA_FILE" });
  expect(status).toBe("failed");
  expect([says, ...todo].join(" ")).toMatch(words);
});
