// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { openTestDatabase } from "../testing/test-inbox.ts";
import { createSweepStore } from "./sweep-store.ts";

onBothEngines("the sweeps of workspaces", (newDatabase) => {
  async function start() {
    const database = await openTestDatabase(await newDatabase());
    const storeOf = (owner: string, leaseMs = 60_000) => createSweepStore(database, { owner, leaseMs });
    const [one, other] = [storeOf("one"), storeOf("other")];
    /** Lets time pass for a workspace, milliseconds. */
    const pass = (ms: number) =>
      database.db
        .updateTable("sweep")
        .set((row) => ({ alive_at: row("alive_at", "-", ms) }))
        .execute();
    return { database, storeOf, one, other, pass };
  }
  const teams = ["T1", "T2"];

  test("P5: a workspace is behind after a start and after a gap, since its last heartbeat, and not before", async () => {
    const { one, pass } = await start();
    await one.beat(teams, 0);
    expect(await one.lease(teams)).toBeUndefined();
    await pass(20_000);
    await one.beat(teams, 30_000);
    expect(await one.lease(teams)).toBeUndefined();
    await pass(40_000);
    const before = Date.now();
    await one.beat(["T1"], 30_000);
    const leased = await one.lease(teams);
    expect(leased).toMatchObject({ team_id: "T1", asked: 0 });
    expect(Math.abs(before - 40_000 - (leased?.since ?? 0))).toBeLessThan(5_000);
    await one.beat(["T2"], 0);
    expect(await one.lease(teams)).toMatchObject({ team_id: "T2" });
  });

  test("P5: one process has a sweep until it ends, releases it or dies; another continues it", async () => {
    const { storeOf, one, other } = await start();
    const dead = storeOf("dead", -1);
    for (const gapMs of [0, 0]) await one.beat(["T1"], gapMs);
    const first = await dead.lease(["T1"]);
    if (first === undefined) throw new Error("nothing is behind");
    await dead.read(first, { channel: "C1", asked: 2 });
    expect(await one.lease(["T1"])).toEqual({ ...first, asked: 2 });
    expect([await dead.isMine(first), await one.isMine(first)]).toEqual([false, true]);
    expect(await other.lease(["T1"])).toBeUndefined();
    await one.release(first, 0);
    expect(await other.lease(["T1"])).toMatchObject({ since: first.since });
    expect((await other.channels("T1")).get("C1")).toMatchObject({ read_to: first.began_at, refused: null });
    await other.end(first);
    await other.release(first, 0);
    expect(await one.lease(["T1"])).toBeUndefined();
  });

  test("P5: what is lost during a sweep is read by another one, when Slack has sent again what it does", async () => {
    const { one } = await start();
    for (const gapMs of [0, 0]) await one.beat(["T1"], gapMs);
    const first = await one.lease(["T1"]);
    if (first === undefined) throw new Error("nothing is behind");
    await one.lost(undefined, { agoMs: 90_000, forMs: 60_000 });
    await one.end(first);
    await one.release(first, 0);
    expect(await one.lease(["T1"])).toBeUndefined();
    await one.lost("T1", { agoMs: 0, forMs: 0 });
    const second = await one.lease(["T1"]);
    expect(first.since - (second?.since ?? 0)).toBeGreaterThan(60_000);
    await one.read(first, { channel: "C1", asked: 0, refused: "not_in_channel" });
    if (second !== undefined) await one.end(second);
    expect(await one.channels("T1")).toEqual(new Map());
  });
});
