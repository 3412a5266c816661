import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openVerificationDatabase } from "../../database/open-verification-database.ts";
import { createSqlStreamPace } from "./sql-stream-pace.ts";
import { appendEveryMs, placeMs, restMs, streamPlaces, type StreamPace, type StreamPlace } from "./stream-pace.ts";

onBothEngines("the pace of streams", (newDatabase) => {
  const start = async () => {
    const database = await openVerificationDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    let now = 1_000_000;
    const pace = createSqlStreamPace(database, { now: () => now });
    const pass = (ms: number): void => void (now += ms);
    return { database, pace, pass };
  };
  const beginAll = async (pace: StreamPace, team: string, count: number): Promise<StreamPlace[]> =>
    (await Promise.all(Array.from({ length: count }, () => pace.begin(team)))).filter((place) => place !== undefined);

  test("T4: a workspace has 20 stream slots, each used once, even under concurrent requests", async () => {
    const { pace } = await start();
    const places = await beginAll(pace, "T1", 2 * streamPlaces);
    expect(places.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: streamPlaces }, (_none, index) => index + 1),
    );
    expect(await pace.begin("T2")).toMatchObject({ team_id: "T2", place: 1 });
  });

  test("a slot becomes free a minute after its stream ended, and some time after its process crashed", async () => {
    const { pace, pass } = await start();
    const [place, ...others] = await beginAll(pace, "T1", streamPlaces);
    await pace.end(place as StreamPlace);
    pass(restMs - 1);
    expect(await pace.begin("T1")).toBeUndefined();
    pass(1);
    const again = await pace.begin("T1");
    expect(again?.place).toBe(place?.place);
    expect(await pace.begin("T1")).toBeUndefined();
    pass(placeMs - restMs);
    const next = await beginAll(pace, "T1", streamPlaces);
    expect(new Set(next.map(({ place: one }) => one))).toEqual(new Set(others.map(({ place: one }) => one)));
  });

  test("a process that returns late ends no stream of another process", async () => {
    const { pace, pass } = await start();
    const [late] = await beginAll(pace, "T1", streamPlaces);
    pass(placeMs);
    expect(await beginAll(pace, "T1", streamPlaces)).toHaveLength(streamPlaces);
    await pace.end(late as StreamPlace);
    pass(restMs);
    expect(await pace.begin("T1")).toBeUndefined();
  });

  test("T4: turns of a workspace are 600 ms apart across processes; a pause delays all later turns", async () => {
    const { pace, pass } = await start();
    expect(await Promise.all([1, 2, 3].map(() => pace.turn("T1")))).toEqual(expect.arrayContaining([0, 600, 1_200]));
    expect(await pace.turn("T2")).toBe(0);
    pass(10_000);
    expect(await pace.turn("T1")).toBe(0);
    await pace.pause("T1", 30_000);
    expect(await pace.turn("T1")).toBe(appendEveryMs + 30_000);
  });

  test("uses the clock of the database by default", async () => {
    const { database } = await start();
    const pace = createSqlStreamPace(database);
    expect(await pace.turn("T1")).toBe(0);
    const wait = await pace.turn("T1");
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(appendEveryMs);
    const place = await pace.begin("T1");
    expect(Math.abs((place?.free_at ?? 0) - Date.now() - placeMs)).toBeLessThan(60_000);
  });
});
