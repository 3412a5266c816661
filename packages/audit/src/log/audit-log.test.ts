// suite: both
import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { serve, tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { createAnchor, receiptOf } from "../index.ts";
import { fill, keyOf, newAct, openAuditDatabase, openTestLog } from "../testing/open-audit.ts";
import { publicKeyText } from "../tree.ts";
import { verifyAudit } from "../verify/verify-audit.ts";
import { readAuditKey } from "./open-zone-audit.ts";
import { sequence } from "./open-log.ts";

type Opened = Awaited<ReturnType<typeof openAuditDatabase>>;
const later = Date.now() + 60_000;

onBothEngines("the audit log", (newDatabase) => {
  const open = async (url?: string) => {
    const database = await openAuditDatabase(url ?? (await newDatabase()));
    onTestFinished(() => database.close());
    return database;
  };

  test("V4: two processes that sign at once give each event one position, and one history", async () => {
    const url = await newDatabase();
    const databases = [await open(url), await open(url)];
    const logs = [await openTestLog(databases[0] as Opened), await openTestLog(databases[1] as Opened)] as const;
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        await (n % 2 === 0 ? logs[0] : logs[1]).append(newAct(`${n}`));
        await sequence({ ...(n % 2 === 0 ? logs[1] : logs[0]).deps, key: keyOf(1) });
      }),
    );
    const verdict = await verifyAudit(await logs[0].lines(), { keys: logs[0].keys });
    expect(verdict).toMatchObject({ events: 40 });
    expect(verdict.finding).toBeUndefined();
  });

  test("V4: retention removes whole tiles; the rest still verifies, and each event has a receipt", async () => {
    const log = await openTestLog(await open());
    await fill(log, 0, 300);
    const earlier = (await log.lines()).at(-1) as string;
    await fill(log, 300, 400);
    await log.append(newAct("kept", { at: later }));
    expect(await log.retain(later)).toBe(512);
    expect(await log.retain(later)).toBe(0);
    const lines = await log.lines();
    expect(JSON.parse(lines[0] as string)).toMatchObject({ base: { size: 512 } });
    const since = (JSON.parse(earlier) as { checkpoint: string }).checkpoint;
    const verdict = await verifyAudit(lines, { keys: log.keys, since });
    expect(verdict).toEqual({ origin: verdict.origin, events: 190, erased: 0, checkpoints: 3, uncompared: 1 });
    // Without the event that says so, the first events are missing.
    const { finding } = await verifyAudit(lines.slice(0, 191), { keys: log.keys });
    expect(finding).toMatchObject({ kind: "missing", position: 0, to: 511 });
    const ids = lines.flatMap((line) => (JSON.parse(line) as { event?: { id: string } }).event?.id ?? []);
    for (const id of [ids[0], ids[100], ids[189]]) {
      const receipt = JSON.stringify(await receiptOf(log.deps, String(id)));
      expect((await verifyAudit([receipt], { keys: log.keys })).finding).toBeUndefined();
    }
    expect(await receiptOf(log.deps, "unknown")).toBeUndefined();
  });

  test("V4: a database that is behind its anchor, or has another root, gets a new origin", async () => {
    const anchor = createAnchor(tempFolder());
    const [lost, restored] = [await open(), await open()];
    const before = await openTestLog(lost, { anchor });
    await fill(before, 0, 3);
    // The backup.
    for (const table of ["audit_log", "audit_checkpoint", "audit_event"] as const) {
      const rows = await lost.db.selectFrom(table).selectAll().execute();
      const copies = table === "audit_event" ? rows.map((row) => ({ ...row, id: undefined })) : rows;
      await restored.db.deleteFrom(table).execute();
      await restored.db
        .insertInto(table)
        .values(copies.map((row) => JSON.parse(JSON.stringify(row)) as never))
        .execute();
    }
    await fill(before, 3, 2);
    const after = await openTestLog(restored, { anchor });
    await after.sign();
    const lines = await after.lines();
    const { event } = JSON.parse(lines.at(-2) as string) as {
      event: { action: string; details: Record<string, unknown> };
    };
    const [oldOrigin, origin] = [before, after].map(({ emitted }) => emitted[0]?.[1]["origin"]);
    expect(event).toMatchObject({
      action: "audit.restore",
      details: { anchor_origin: oldOrigin, anchor_size: 5, kept_origin: oldOrigin, kept_size: 3, origin },
    });
    expect(origin).not.toBe(oldOrigin);
    expect((await verifyAudit(lines, { keys: after.keys })).finding).toBeUndefined();
    const since = (await anchor.latest(String(oldOrigin))) as string;
    expect((await verifyAudit(lines, { keys: after.keys, since })).finding?.kind).toMatch(/cut|forked/);
    // A second start finds nothing to do.
    expect((await openTestLog(restored, { anchor })).emitted[0]?.[1]["origin"]).toBe(origin);
  });

  test("V4: another key starts a new origin; a process with the earlier key signs no more", async () => {
    const database = await open();
    const one = await openTestLog(database);
    await fill(one, 0, 2);
    const two = await openTestLog(database, { key: keyOf(2) });
    await one.append(newAct("2"));
    await one.sign();
    expect(one.emitted.at(-1)?.[1]).toMatchObject({ size: 2 });
    await two.sign();
    const lines = await two.lines();
    expect((await verifyAudit(lines, { keys: [...one.keys, ...two.keys] })).finding).toBeUndefined();
    expect((await verifyAudit(lines, { keys: two.keys })).finding?.kind).toBe("bad_signature");
  });
});

test("V4: an anchor that failed gets the checkpoint with the next round", async () => {
  let status = 503;
  const bodies: string[] = [];
  const origin = await serve((request, response) => {
    void Array.fromAsync(request).then((chunks) => bodies.push(Buffer.concat(chunks as Buffer[]).toString()));
    response.writeHead(status).end();
  });
  const database = await openAuditDatabase("sqlite::memory:");
  onTestFinished(() => database.close());
  const { write, latest } = createAnchor("https://anchor.example");
  const real = fetch;
  globalThis.fetch = (_url, options) => real(origin, options);
  onTestFinished(() => void (globalThis.fetch = real));
  const log = await openTestLog(database, { anchor: { write, latest } });
  await fill(log, 0, 1);
  expect(log.emitted.map(([name]) => name)).toContain("audit_anchor_failed");
  status = 204;
  await log.sign();
  await expect.poll(() => bodies.length).toBeGreaterThanOrEqual(2);
  expect(bodies.at(-1)).toBe(log.emitted.find(([name]) => name === "audit_checkpoint")?.[1]["note"]);
  const sent = bodies.length;
  await log.sign();
  expect(bodies).toHaveLength(sent);
});

test("V2: the key is that of a file, of DATA_KEYS, or a new file that only its owner reads", async () => {
  const folder = tempFolder();
  const key = readAuditKey({ DATA_DIR: folder }, "test");
  const [file = ""] = await readdir(folder);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect(publicKeyText(readAuditKey({ DATA_DIR: folder }, "test"))).toBe(publicKeyText(key));
  expect(publicKeyText(readAuditKey({ DATA_DIR: folder, AUDIT_KEY_FILE: join(folder, file) }, "other"))).toBe(
    publicKeyText(key),
  );
  const DATA_KEYS = [`k1:${Buffer.alloc(32, 7).toString("base64")}`, "k0:older"];
  const derived = (zone: string) => publicKeyText(readAuditKey({ DATA_DIR: folder, DATA_KEYS }, zone));
  expect(derived("one")).toBe(derived("one"));
  expect(derived("one")).not.toBe(derived("two"));
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const wrong = join(folder, "wrong.pem");
  await writeFile(wrong, privateKey.export({ format: "pem", type: "pkcs8" }));
  expect(() => readAuditKey({ DATA_DIR: folder, AUDIT_KEY_FILE: wrong }, "test")).toThrow("Expected an Ed25519 key");
  expect(await readFile(wrong, "utf8")).toContain("PRIVATE");
});
