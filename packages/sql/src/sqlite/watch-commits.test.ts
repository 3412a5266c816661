import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { openNotes, type NoteTables } from "../testing/note-migrations.ts";
import type { Database } from "../query/database.ts";

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
