// suite: both
import { type MessageRecord, type MessageState } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { array, assert, asyncProperty, integer, record, shuffledSubarray } from "fast-check";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { createMessageStore, type MessageQuery } from "./message-store.ts";

const start = Date.parse("2026-11-21T09:00:00Z");
const at = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();

/** A message of Alice, in a thread of its own. */
function messageAt(minutes: number, more: Partial<MessageRecord> = {}): MessageRecord {
  const [reference, ts] = [`c-${minutes}`, `17000000${minutes}.000100`];
  const where = { team_id: "T1", channel: "C1", ts, thread_ts: ts, user_id: "U0ALICE", user_name: "Alice Adams" };
  return { reference, revision: 1, state: "answered", attempts: 1, received_at: at(minutes), ...where, ...more };
}

onBothEngines("messages that verification reports", (newDatabase) => {
  async function open(retentionMs = 60_000) {
    const database = await openExecutionDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const store = createMessageStore(database, { retentionMs });
    const found = async (query: Partial<MessageQuery>): Promise<readonly string[]> =>
      (await store.list({ limit: 50, ...query })).found.map(({ message }) => message.reference);
    const purge = async (): Promise<void> => {
      for (const { purge: run } of store.purges) await run(1_000);
    };
    return { ...store, db: database.db, found, purge };
  }

  test("O7: any order and any repetition of reports leads to the same rows: the last revision of each message", async () => {
    const { report, db } = await open();
    const states = ["open", "parked", "answered"] as const satisfies MessageState[];
    const all = [1, 2, 3].flatMap((n) => states.map((state, revision) => messageAt(n, { state, revision })));
    const order = shuffledSubarray(all, { minLength: all.length });
    const batches = array(record({ from: integer({ min: 0, max: 8 }), size: integer({ min: 1, max: 4 }) }));
    await assert(
      asyncProperty(order, batches, async (reports, again) => {
        await db.deleteFrom("message").execute();
        for (const one of reports) await report([one], "verification");
        for (const { from, size } of again) await report(reports.slice(from, from + size), "verification");
        const rows = await db.selectFrom("message").select(["reference", "revision", "state"]).execute();
        const last = [1, 2, 3].map((n) => ({ reference: `c-${n}`, revision: 2, state: "answered" }));
        expect(rows.toSorted((a, b) => (a.reference < b.reference ? -1 : 1))).toEqual(last);
      }),
      { numRuns: 20 },
    );
    const [first] = all;
    await report(all, "verification");
    await report(first ? [first] : [], "another");
    const callers = await db.selectFrom("message").select("caller").where("reference", "=", "c-1").execute();
    expect(callers.map(({ caller }) => caller).toSorted()).toEqual(["another", "verification"]);
  });

  test("O7: a message is found by its link, by its thread, by person and time, by state and by reference", async () => {
    const { report, found } = await open();
    const root = messageAt(10);
    const bob = { user_id: "U0BOB", user_name: "Bob Müller", state: "denied" } as const;
    const reply = messageAt(11, { ...bob, thread_ts: root.thread_ts });
    await report([root, reply, messageAt(12, { ...bob, channel: "C2" }), messageAt(50)], "verification");
    expect(await found({ channel: "C1", ts: root.ts })).toEqual(["c-11", "c-10"]);
    expect(await found({ channel: "C1", ts: reply.ts })).toEqual(["c-11"]);
    expect(await found({ channel: "C2", ts: reply.ts })).toEqual([]);
    for (const person of ["U0ALICE", "u0alice", "alice", "Adams", "Alice Adams"])
      expect(await found({ person })).toEqual(["c-50", "c-10"]);
    expect(await found({ person: "müller", since: start + 11 * 60_000, until: start + 12 * 60_000 })).toEqual(["c-11"]);
    expect(await found({ person: "Carol" })).toEqual([]);
    expect([await found({ state: "denied" }), await found({ channel: "C2" })]).toEqual([["c-12", "c-11"], ["c-12"]]);
    expect(await found({ reference: "c-50" })).toEqual(["c-50"]);
  });

  test("W17: what an operator wants of a parked message is returned to its caller until a later revision, or for a day", async () => {
    const { report, want, list, db } = await open();
    const parked = [1, 2, 3].map((n) => messageAt(n, { state: "parked" }));
    expect(await report([...parked, messageAt(4)], "verification")).toEqual([]);
    await report([messageAt(9, { state: "parked" })], "another");
    expect([await want("c-4", "replay"), await want("c-5", "discard")]).toEqual([
      "It is answered.",
      "There is no such message.",
    ]);
    for (const reference of ["c-2", "c-1", "c-9"]) expect(await want(reference, "replay")).toBeUndefined();
    await db
      .updateTable("message")
      .set({ act_at: sql`act_at - 1000` })
      .where("reference", "=", "c-2")
      .execute();
    await want("c-1", "discard");
    const wanted = [
      { reference: "c-2", revision: 1, act: "replay" },
      { reference: "c-1", revision: 1, act: "discard" },
    ];
    // The same report again ends nothing.
    expect([await report(parked, "verification"), await report([], "verification")]).toEqual([wanted, wanted]);
    const pending = async () => (await list({ limit: 9 })).found.map((one) => one.pending_act ?? "none");
    expect(await pending()).toEqual(["replay", "none", "none", "replay", "discard"]);
    expect(await report([messageAt(2, { revision: 2 })], "verification")).toEqual([wanted[1]]);
    await db
      .updateTable("message")
      .set({ act_at: sql`act_at - 86400000` })
      .execute();
    expect([await report([], "verification"), new Set(await pending())]).toEqual([[], new Set(["none"])]);
  });

  test("pages begin after the last message of the page before, also while newer ones arrive", async () => {
    const { report, list } = await open();
    await report(
      [...Array(7).keys()].map((n) => messageAt(n % 3, { reference: `c-${n}` })),
      "verification",
    );
    const seen: string[] = [];
    let cursor: MessageQuery["cursor"];
    do {
      const { found, next } = await list({ limit: 2, cursor });
      seen.push(...found.map(({ message }) => message.reference));
      cursor = next;
      await report([messageAt(100 + seen.length)], "verification");
    } while (cursor !== undefined);
    expect(seen).toEqual(["c-5", "c-2", "c-4", "c-1", "c-6", "c-3", "c-0"]);
  });

  test("ended messages are deleted after the retention time, and one that waits a month later; names are digests", async () => {
    const { report, db, found, purge } = await open();
    await report([messageAt(1), messageAt(2, { state: "open" })], "verification");
    const stored = await Promise.all([
      db.selectFrom("message").selectAll().execute(),
      db.selectFrom("message_person").selectAll().execute(),
    ]);
    expect(JSON.stringify(stored)).not.toMatch(/adams/i);
    const age = (ms: number) =>
      db
        .updateTable("message")
        .set(({ eb }) => ({ stored_at: eb("stored_at", "-", ms) }))
        .execute();
    await purge();
    expect(await found({})).toEqual(["c-2", "c-1"]);
    await age(120_000);
    await purge();
    expect(await found({})).toEqual(["c-2"]);
    await age(32 * 86_400_000);
    await purge();
    expect(await found({})).toEqual([]);
  });
});
