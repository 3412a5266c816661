// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { openTestDatabase } from "../testing/test-inbox.ts";
import { createHandles, type HandleGrant } from "./handles.ts";

const grantFor = (request_id = "request-1"): HandleGrant => ({
  request_id,
  correlation_id: "correlation-1",
  team_id: "T1",
  channel: "C1",
  file_ids: ["F1", "F2"],
});

onBothEngines("handles", (newDatabase) => {
  async function start() {
    const clock = { at: 0 };
    const database = await openTestDatabase(await newDatabase());
    return { clock, db: database.db, handles: createHandles(database, { now: () => clock.at, ttlMs: 60_000 }) };
  }

  test("S14: a handle is 256 random bits, different each time, and the database never receives it", async () => {
    const { handles, db } = await start();
    const issued = await Promise.all([1, 2, 3].map(() => handles.issue(grantFor())));
    expect(new Set(issued).size).toBe(3);
    const rows = await db.selectFrom("handle").selectAll().execute();
    expect(rows).toHaveLength(3);
    for (const handle of issued) {
      expect(handle).toMatch(/^czh_[\w-]{43}$/);
      expect(JSON.stringify(rows)).not.toContain(handle.slice(4));
      expect(await handles.find(handle)).toEqual(grantFor());
    }
  });

  test("a handle ends with its task, and at the latest at its expiry", async () => {
    const { handles, clock } = await start();
    const [revoked, again, late] = [
      await handles.issue(grantFor()),
      await handles.issue(grantFor()),
      await handles.issue(grantFor("request-2")),
    ];
    await handles.revoke(grantFor());
    await handles.revoke(grantFor());
    expect([await handles.find(revoked), await handles.find(again)]).toEqual([undefined, undefined]);
    clock.at = 59_999;
    expect(await handles.find(late)).toEqual(grantFor("request-2"));
    clock.at = 60_000;
    expect([await handles.find(late), await handles.countRead(late, 10)]).toEqual([undefined, false]);
  });

  test("J39: the handle of a paused task lives as long as the task, and is revoked when it ends", async () => {
    const { handles, clock, db } = await start();
    const [kept, other] = [await handles.issue(grantFor()), await handles.issue(grantFor("request-2"))];
    await handles.keep(grantFor());
    clock.at = 3 * 86_400_000;
    expect([await handles.find(kept), await handles.countRead(kept, 10)]).toEqual([grantFor(), true]);
    expect(await handles.find(other)).toBeUndefined();
    // What watches a paused task does not know its files.
    await handles.revoke({ request_id: "request-1" });
    expect(await handles.find(kept)).toBeUndefined();
    expect(await db.selectFrom("handle").select("request_id").execute()).toEqual([{ request_id: "request-2" }]);
  });

  test("reads are counted up to the maximum, even when they are concurrent", async () => {
    const { handles } = await start();
    const [one, two] = [await handles.issue(grantFor()), await handles.issue(grantFor())];
    const counted = await Promise.all(Array.from({ length: 10 }, () => handles.countRead(one, 3)));
    expect(counted.filter(Boolean)).toHaveLength(3);
    expect(await handles.countRead(two, 3)).toBe(true);
  });

  test.each(["", "czh_", `czh_${"a".repeat(43)}`, `czh_${"a".repeat(44)}`, "xoxb-1-2-abc", "__proto__"])(
    "an unknown handle opens nothing: “%s”",
    async (text) => {
      const { handles } = await start();
      await handles.issue(grantFor());
      expect([await handles.find(text), await handles.countRead(text, 3)]).toEqual([undefined, false]);
    },
  );
});
