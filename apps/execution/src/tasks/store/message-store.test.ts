// suite: both
import { newVault } from "../../testing/new-task.ts";
import { type MessageRecord, type MessageState } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { array, assert, asyncProperty, integer, record, shuffledSubarray } from "fast-check";
import { peopleColumn } from "@crosszone/sql";
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

/** The task of the message of the same minutes, which waits. */
function pausedTask(minutes: number) {
  const waits = { kind: "task", share: "task", state: 0, due_at: 0, created_at: 0, attempt: 0, paused: "{}" } as const;
  return { ...waits, id: `t-${minutes}`, correlation_id: `c-${minutes}`, record: "{}" };
}

onBothEngines("messages that verification reports", (newDatabase) => {
  async function open(retentionMs = 60_000) {
    const database = await openExecutionDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const vault = newVault();
    const store = createMessageStore(database, { retentionMs, vault });
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

  test("Q21: each state that is shown is a filter of its own: a failed answer is not among the answered", async () => {
    const { report, list, found, db } = await open();
    const outcomes = ["failed", "stopped", "no_question", undefined] as const;
    const ended = outcomes.map((outcome, n) => messageAt(n, { outcome }));
    await report([...ended, ...[10, 11].map((n) => messageAt(n, { state: "open" }))], "verification");
    await db.insertInto("job").values(pausedTask(11)).execute();
    const states = {
      failed: "c-0",
      stopped: "c-1",
      no_question: "c-2",
      answered: "c-3",
      open: "c-10",
      waiting: "c-11",
    };
    for (const [state, reference] of Object.entries(states))
      expect([state, await found({ state: state as keyof typeof states })]).toEqual([state, [reference]]);
    const shown = (await list({ limit: 9 })).found.map(({ message, standing }) => [standing, message.reference]);
    expect(Object.fromEntries(shown)).toEqual(states);
    // What an earlier build stored stands as it said.
    await db.updateTable("message").set({ standing: null }).execute();
    expect(await found({ state: "answered" })).toEqual(["c-3", "c-2", "c-1", "c-0"]);
  });

  test("Q21: what waits is found by who decides, by who asked and by where, also by the name of somebody who never wrote", async () => {
    const { report, found, db, names } = await open();
    await report(
      [1, 2].map((n) => messageAt(n, { state: "open", channel_name: "#general" })),
      "verification",
    );
    await db
      .insertInto("job")
      .values([pausedTask(1), pausedTask(2)])
      .execute();
    const asked = { caller: "verification", version: 1, seq: 1, created_at: 0, expires_at: 1, record: "{}" };
    const request = {
      ...asked,
      request_id: "inp_1",
      task_id: "t-1",
      state: "open",
      people: peopleColumn(["UBOB", "Bob Carter"]),
    };
    await db
      .insertInto("input_request")
      .values(request as never)
      .execute();
    for (const person of ["Bob", "bob carter", "UBOB"])
      expect([person, await found({ state: "waiting", person })]).toEqual([person, ["c-1"]]);
    for (const person of ["Alice", "general", "#general", "C1"])
      expect([person, await found({ state: "waiting", person })]).toEqual([person, ["c-2", "c-1"]]);
    expect(await found({ state: "waiting", person: "Carol" })).toEqual([]);
    await names.keep("T1", { UBOB: "Bob Carter", S1: "@oncall", "not an id": "x" });
    expect(await found({ person: "Bob" })).toEqual([]);
    expect(await names.idsOf("oncall")).toEqual(["S1"]);
  });

  test("Q21: people and channels have names, sealed, by which they are found; a later report without a name keeps it", async () => {
    const { report, found, names, db } = await open();
    await report([messageAt(1, { channel_name: "#general" })], "verification");
    await report([messageAt(2, { channel: "D1", user_name: undefined })], "verification");
    expect(await names.namesOf(["U0ALICE", "C1", "D1", "UNOBODY"])).toEqual({ U0ALICE: "Alice Adams", C1: "#general" });
    for (const person of ["#general", "general", "c1"]) expect(await found({ person })).toEqual(["c-1"]);
    const rows = JSON.stringify(await db.selectFrom("message_person").selectAll().execute());
    expect(rows).not.toMatch(/adams|general/i);
    await report([messageAt(3, { user_name: "Alice Berger" })], "verification");
    expect(await names.namesOf(["U0ALICE"])).toEqual({ U0ALICE: "Alice Berger" });
  });

  test("Q21: a message is found by the beginning of its reference, and by no pattern in it", async () => {
    const { report, found } = await open();
    const references = ["f8a53243-76d1-4764-b836-4766d22d188e", "f8a5ffff-0000-4764-b836-4766d22d188e", "f8_53243"];
    await report(
      references.map((reference, n) => messageAt(n, { reference })),
      "verification",
    );
    expect(await found({ beginning: "f8a53" })).toEqual([references[0]]);
    expect(await found({ beginning: "f8a53243-76d1" })).toEqual([references[0]]);
    expect(await found({ beginning: "f8a5" })).toEqual([references[1], references[0]]);
    expect(await found({ beginning: "f8_5" })).toEqual([references[2]]);
    expect(await found({ beginning: "f9a5" })).toEqual([]);
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
