import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabaseCheck, DatabaseUnavailableError, outageOf } from "../index.ts";
import type { Database } from "../query/database.ts";
import { openDatabaseFile, refuseNetworkFolder, shortenLog } from "./open-file.ts";
import { openNotes, type NoteTables } from "../testing/note-migrations.ts";

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test("created files are readable only by their owner; existing ones keep their permissions", async () => {
  const folder = tempFolder();
  await chmod(folder, 0o755);
  const path = join(folder, "data", "notes.sqlite");
  const { db } = await openNotes(`sqlite:${path}`);
  await db.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
  expect(await Promise.all([folder, join(folder, "data")].map(modeOf))).toEqual(["755", "700"]);
  expect(await Promise.all(["", "-wal", "-shm"].map((end) => modeOf(path + end)))).toEqual(["600", "600", "600"]);
});

test("an unusable file is named, with the problem and advice", async () => {
  const folder = tempFolder();
  const text = join(folder, "text.sqlite");
  await writeFile(text, "These are no tables, and not even close to any.".repeat(100));
  await mkdir(join(folder, "folder.sqlite"));
  const cases = [
    { path: text, says: "Another file is in its place" },
    { path: join(folder, "folder.sqlite"), says: "on a local disk" },
    { path: join(text, "notes.sqlite"), says: "on a local disk" },
  ];
  for (const { path, says } of cases) {
    const opening = openNotes(`sqlite:${path}`);
    await expect(opening).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(opening).rejects.toThrow(`The SQLite file ${path} cannot be used: `);
    await expect(opening).rejects.toThrow(says);
  }
});

test.skipIf(process.getuid?.() === 0)("a folder without write permission is named", async () => {
  const folder = tempFolder();
  await chmod(folder, 0o500);
  await expect(openNotes(`sqlite:${join(folder, "notes.sqlite")}`)).rejects.toThrow(/EACCES.*may write/);
});

test("a network folder is refused", () => {
  expect(() => refuseNetworkFolder("/mnt", () => 0x6969)).toThrow("NFS");
  // Node returns the upper half of the numbers as negative ones.
  expect(() => refuseNetworkFolder("/mnt", () => 0xff534d42 | 0)).toThrow("CIFS");
  expect(() => refuseNetworkFolder(tmpdir())).not.toThrow();
});

test("the log is checkpointed and truncated once it has grown, and not before", async () => {
  const path = join(tempFolder(), "notes.sqlite");
  const file = await openDatabaseFile(path);
  onTestFinished(() => file.close());
  const sizeOfLog = async (): Promise<number> => (await stat(`${path}-wal`)).size;
  const reader = await openDatabaseFile(path);
  file.exec("create table note (text)");
  // A permanent reader keeps SQLite from restarting its log.
  reader.exec("begin; select * from note");
  for (let note = 0; note < 100; note += 1) file.exec(`insert into note values (zeroblob(50000))`);
  expect(await sizeOfLog()).toBeGreaterThan(4_000_000);
  reader.exec("commit");
  shortenLog(file, path);
  expect(await sizeOfLog()).toBeGreaterThan(4_000_000);
  shortenLog(file, path, 1_000_000);
  expect(await sizeOfLog()).toBe(0);
  reader.close();
  expect(file.prepare("pragma busy_timeout").get()).toEqual({ timeout: 0 });
  expect(existsSync(path)).toBe(true);
});

const insert = ({ db }: Pick<Database<NoteTables>, "db">, id: string) =>
  db.insertInto("note").values({ id, at: 1, text: null }).execute();

function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
}
const look = (): unknown => vi.advanceTimersByTime(20);

test("only commits of other connections are reported, once per check", async () => {
  stopTime();
  const url = await newSqliteDatabase();
  const [listening, writing] = [await openNotes(url), await openNotes(url)];
  await insert(writing, "before");
  const onMessage = vi.fn<(payload: string | undefined) => void>();
  await listening.listen("note", onMessage);
  await insert(listening, "own");
  look();
  expect(onMessage).not.toHaveBeenCalled();
  await insert(writing, "1");
  await insert(writing, "2");
  look();
  look();
  expect(onMessage.mock.calls).toEqual([[undefined]]);
});

test("a commit is reported while no transaction of this process is running", async () => {
  stopTime();
  const url = await newSqliteDatabase();
  const [listening, writing] = [await openNotes(url), await openNotes(url)];
  const onMessage = vi.fn<() => void>();
  await listening.listen("note", onMessage);
  await insert(writing, "1");
  await listening.transaction(async (tx) => {
    look();
    await tx.selectFrom("note").selectAll().execute();
    look();
  });
  expect(onMessage).not.toHaveBeenCalled();
  look();
  expect(onMessage).toHaveBeenCalledOnce();
});

test("an in-memory database never reports a commit, and nothing is polled without a listener", async () => {
  stopTime();
  const database = await openNotes("sqlite::memory:");
  const timers = vi.getTimerCount();
  const onMessage = vi.fn<() => void>();
  const stop = await database.listen("note", onMessage);
  await insert(database, "own");
  look();
  expect(onMessage).not.toHaveBeenCalled();
  await stop();
  expect(vi.getTimerCount()).toBe(timers);
});

const elsewhere = "the database's file was moved, replaced or deleted: put it back, or restart the zone";

test.each<[string, (path: string) => Promise<void>]>([
  ["moved", (path) => rename(path, `${path}.old`)],
  ["deleted", (path) => rm(path)],
  ["replaced by a copy", (path) => rename(path, `${path}.old`).then(() => copyFile(`${path}.old`, path))],
  ["without its log", (path) => rm(`${path}-wal`)],
])("O22: nothing is acknowledged into a file that is %s, and the zone is not ready", async (_name, change) => {
  const path = join(tempFolder(), "notes.sqlite");
  const database = await openNotes(`sqlite:${path}`);
  const said: string[] = [];
  const check = createDatabaseCheck(database, (what) => void said.push(what));
  expect(await check()).toBeUndefined();
  const note = (id: string) => database.db.insertInto("note").values({ id, at: 1, text: null });
  await note("before").execute();
  await change(path);
  for (const write of [note("1").execute(), database.batch([note("2").compile()])]) {
    const error: unknown = await write.catch((thrown: unknown) => thrown);
    expect(outageOf(error)).toMatchObject({ what: elsewhere, passes: false });
  }
  await expect(database.transaction((tx) => tx.selectFrom("note").selectAll().execute())).rejects.toThrow(
    "another one",
  );
  expect([await check(), await check()]).toEqual([elsewhere, elsewhere]);
  expect(said).toEqual([elsewhere]);
});

test("O22: a file that was put back is used again, without a restart", async () => {
  const path = join(tempFolder(), "notes.sqlite");
  const database = await openNotes(`sqlite:${path}`);
  const check = createDatabaseCheck(database, () => undefined);
  await rename(path, `${path}.old`);
  expect(await check()).toBe(elsewhere);
  await rename(`${path}.old`, path);
  expect(await check()).toBeUndefined();
  await database.db.insertInto("note").values({ id: "1", at: 1, text: null }).execute();
});
