// suite: rest
// @module-tag judge
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFile } from "@crosszone/testkit/temporary";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openLaneDatabase } from "../testing/open-jobs.ts";

type LaneDatabase = Awaited<ReturnType<typeof openLaneDatabase>>;

const script = fileURLToPath(new URL("../testing/lane-process.ts", import.meta.url));

interface End {
  readonly id: string;
  readonly lane: string;
  readonly sequence: number;
}

/** On SQLite, `sequence` begins at 1 again whenever the table is empty, so a trigger counts the jobs. */
async function countInsertions({ db, engine }: LaneDatabase): Promise<void> {
  if (engine !== "sqlite") return;
  await sql`create table inserted (place integer primary key autoincrement, id text)`.execute(db);
  await sql`create trigger inserting after insert on job begin insert into inserted (id) values (new.id); end`.execute(
    db,
  );
}

/** Returns the ids of all jobs in the order of their insertion. */
async function insertionOrder({ db, engine }: LaneDatabase, ends: readonly End[]): Promise<readonly string[]> {
  if (engine !== "sqlite") return ends.toSorted((a, b) => a.sequence - b.sequence).map(({ id }) => id);
  const { rows } = await sql<{ readonly id: string }>`select id from inserted order by place`.execute(db);
  return rows.map(({ id }) => id);
}

onBothEngines("lanes shared by processes", (newDatabase) => {
  test("always have a head, however inserts and ends race; every job runs once, in order within its lane", async () => {
    const url = await newDatabase();
    const database = await openLaneDatabase(url);
    await countInsertions(database);
    onTestFinished(() => database.close());
    const file = tempFile("ends", "");
    const exits = ["one", "other"].map(async (name) => {
      const child = spawn(process.execPath, ["--conditions=@crosszone/source", script, url, file, name], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return once(child, "exit");
    });
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null],
    ]);
    // If one left a lane without a head, the other could take it; both would leave it.
    expect(await database.db.selectFrom("job").select(["id", "state"]).execute()).toEqual([]);
    const ends = (await readFile(file, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as End);
    expect(new Set(ends.map(({ id }) => id)).size).toBe(2_400);
    expect(ends).toHaveLength(2_400);
    const places = new Map((await insertionOrder(database, ends)).map((id, place) => [id, place]));
    expect(places.size).toBe(2_400);
    for (const inLane of Map.groupBy(ends, ({ lane }) => lane).values()) {
      const order = inLane.map(({ id }) => places.get(id) ?? NaN);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });
});
