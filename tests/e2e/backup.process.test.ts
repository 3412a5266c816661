// suite: rest
// @module-tag judge
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { tempFile, tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { type LogLine, startExecutionProcess } from "@crosszone/testkit/process";
import { runData, runProgram } from "../harness/run-program.ts";
import { adminToken } from "../harness/runs-api.ts";

const keys = `k2:${Buffer.alloc(32, 2).toString("base64")},k1:${Buffer.alloc(32, 1).toString("base64")}`;

/** Starts an execution zone, and returns its log and its command line. */
async function startZone(env: Record<string, string>) {
  const log: LogLine[] = [];
  const zone = await startExecutionProcess({ ADMIN_TOKENS: adminToken, ...env }, log);
  const cli = (...words: string[]) =>
    runProgram("tools/cli/src/main.ts", { CROSSZONE_URL: zone.url, CROSSZONE_TOKEN: adminToken }, ...words);
  return {
    log,
    cli,
    createToken: (name: string) => cli("tokens", "create", "--name", name, "--scope", "ask", "--expires", "1d"),
    tokens: async () => (await cli("tokens")).out.match(/^(?:before|after)\b/gm) ?? [],
    /** Ends as after a power cut. */
    kill: async () => (zone.signal("SIGKILL"), zone.ended),
    found: () => log.map(({ event }) => event).filter((event) => String(event).startsWith("audit_re")),
  };
}

/** A zone's data of which there is a backup, and what was written later, as a killed process left it. */
async function backUp(env: Record<string, string> = {}) {
  const folder = tempFolder();
  const all = { DATA_DIR: join(folder, "data"), ...env };
  const backup = join(folder, "backup");
  const zone = await startZone(all);
  await zone.createToken("before");
  // Signs what waits.
  await zone.cli("audit", "export");
  const created = await runData(all, "backup", "create", backup);
  expect(created).toMatchObject({ code: 0, err: "" });
  await zone.createToken("after");
  return { env: all, backup, zone, created, restore: () => runData(all, "backup", "restore", backup) };
}

const modes = (folder: string): string[] =>
  readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));

test("O4: a zone that was killed is restored, tells it at its next start, and its audit log still verifies", async () => {
  const { env, backup, zone, restore } = await backUp();
  expect(new Set(modes(backup))).toEqual(new Set(["600"]));
  expect(readdirSync(backup).toSorted()).toEqual([
    "execution.audit-key.pem",
    "execution.backup.json",
    "execution.sqlite",
  ]);
  const again = await runData(env, "backup", "create", backup);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already exists. Choose another folder.") });
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringMatching(/open\. Stop the zone, then restore/) });
  await zone.kill();

  const key = (await runKey(env)).trim();
  expect(await restore()).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("kept in files that end in"),
  });
  expect(new Set(modes(env.DATA_DIR))).toEqual(new Set(["600"]));
  const restored = await startZone(env);
  expect(restored.found()).toEqual(["audit_restored"]);
  expect(await restored.tokens()).toEqual(["before"]);
  const { out } = await restored.cli("audit", "export");
  expect(out).toContain('"action":"audit.restore"');
  const exported = tempFile("audit.jsonl", out);
  expect(await restored.cli("audit", "verify", exported, "--key", key)).toMatchObject({ code: 0 });
  await restored.kill();
  // Told once.
  expect((await startZone(env)).found()).toEqual([]);
});

/** The public key, of the database's first start. */
async function runKey(env: Record<string, string>): Promise<string> {
  const zone = await startZone(env);
  const { out } = await zone.cli("audit", "key");
  await zone.kill();
  return out;
}

test("O4: put back by hand without its key, the log says that another key signs it, and verifies with both", async () => {
  const { env, backup, zone } = await backUp();
  await zone.kill();
  const before = (await runKey(env)).trim();
  rmSync(env.DATA_DIR, { recursive: true });
  const elsewhere = await startZone(env);
  await elsewhere.kill();
  rmSync(join(env.DATA_DIR, "execution.sqlite-wal"));
  writeFileSync(join(env.DATA_DIR, "execution.sqlite"), readFileSync(join(backup, "execution.sqlite")));
  const restored = await startZone(env);
  expect(restored.found()).toEqual(["audit_restored", "audit_rekeyed"]);
  expect(restored.log.find(({ event }) => event === "audit_rekeyed")).toMatchObject({ old_key: before });
  const now = (await restored.cli("audit", "key")).out.trim();
  const exported = tempFile("audit.jsonl", (await restored.cli("audit", "export")).out);
  const verify = (text: string) => restored.cli("audit", "verify", exported, "--key", tempFile("audit.pub", text));
  expect(await verify(now)).toMatchObject({ code: 1, out: expect.stringContaining("needs its former keys too") });
  expect(await verify(`${before}\n${now}\n`)).toMatchObject({ code: 0 });
});

test.each([
  ["none of them", {}, "lacks keys of the backup: k2, k1"],
  ["one of them", { DATA_KEYS: keys.split(",")[0] as string }, "lacks keys of the backup: k1"],
  ["another by the same name", { DATA_KEYS: keys.replace("k1:AQ", "k1:BQ") }, "lacks keys of the backup: k1"],
])("O4: a backup with DATA_KEYS is not restored with %s", async (_, given, words) => {
  const { env, zone, created, backup } = await backUp({ DATA_KEYS: keys });
  expect(created.out).toContain("Store them elsewhere: k2, k1");
  await zone.kill();
  for (const name of readdirSync(backup))
    expect(readFileSync(join(backup, name), "latin1")).not.toContain(keys.split(":")[1]?.slice(0, 20));
  const other = { DATA_DIR: env.DATA_DIR, ...given };
  expect(await runData(other, "backup", "restore", backup)).toMatchObject({
    code: 1,
    err: expect.stringContaining(words),
  });
  expect((await startZone(env)).found()).toEqual([]);
});

test("O4: a damaged copy and a folder without a backup change nothing", async () => {
  const { env, backup, zone, restore } = await backUp();
  await zone.kill();
  const copy = join(backup, "execution.sqlite");
  writeFileSync(copy, readFileSync(copy).subarray(0, -4_096));
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining("is damaged") });
  rmSync(join(backup, "execution.backup.json"));
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining("No backup of the execution zone") });
  expect(await (await startZone(env)).tokens()).toEqual(["after", "before"]);
});

test("O4: on PostgreSQL, the command takes the key, names the dump, and tells the next start", async () => {
  const { env, backup, zone, created, restore } = await backUp({ DATABASE_URL: await newPostgresDatabase() });
  expect(created.out).toContain(`pg_dump -Fc -n execution -f ${backup}/execution.dump "$DATABASE_URL"`);
  expect(readdirSync(backup).toSorted()).toEqual(["execution.audit-key.pem", "execution.backup.json"]);
  await zone.kill();
  rmSync(env.DATA_DIR, { recursive: true });
  expect(await restore()).toMatchObject({ code: 0, err: "" });
  expect((await startZone(env)).found()).toEqual(["audit_restored"]);
});

/** Kills the process before the nth change of a file. */
const killer = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
let left = Number(process.env.KILL_AT);
for (const name of ["copyFileSync", "chmodSync", "linkSync", "renameSync", "fsyncSync", "mkdirSync"]) {
  const real = fs[name];
  fs[name] = (...values) => (left-- === 0 ? process.kill(process.pid, "SIGKILL") : real(...values));
}
syncBuiltinESMExports();
`;

test("O4: a restore that is killed at any moment leaves the old data or the new, and can be repeated", async () => {
  const { env, backup, zone, restore } = await backUp();
  await zone.kill();
  // As on another machine.
  const key = readFileSync(join(backup, "execution.audit-key.pem"), "utf8");
  rmSync(join(env.DATA_DIR, "execution.audit-key.pem"));
  const preload = pathToFileURL(tempFile("killer.mjs", killer)).href;
  const killedAt: unknown[] = [];
  await (await startZone(env)).kill();
  for (let at = 0; at < 40; at += 1) {
    const killed = { ...env, NODE_OPTIONS: `--import=${preload}`, KILL_AT: String(at) };
    const { code } = await runData(killed, "backup", "restore", backup);
    if (code === 0) break;
    const database = new DatabaseSync(join(env.DATA_DIR, "execution.sqlite"));
    expect(database.prepare("pragma quick_check").get()).toEqual({ quick_check: "ok" });
    killedAt.push(database.prepare("select count(*) as tokens from api_token").get()?.["tokens"]);
    database.close();
  }
  // Each was killed while it had changed nothing that a zone reads: the last change is one rename.
  expect(killedAt.length).toBeGreaterThan(6);
  expect(new Set(killedAt)).toEqual(new Set([2]));
  expect(await restore()).toMatchObject({ code: 0 });
  expect(readFileSync(join(env.DATA_DIR, "execution.audit-key.pem"), "utf8")).toBe(key);
  expect(existsSync(join(env.DATA_DIR, "execution.sqlite.restoring"))).toBe(false);
  expect(await (await startZone(env)).tokens()).toEqual(["before"]);
});
