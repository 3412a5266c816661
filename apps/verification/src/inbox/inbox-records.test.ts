// suite: both
import type { LaneJob } from "@crosszone/jobs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { describe, expect, test, vi } from "vitest";
import {
  createTestInbox,
  openInbox,
  questionRecord as ask,
  recordHead,
  takeOne,
  taken,
  complete,
  park,
  release,
  retryLater,
  openTestDatabase,
} from "../testing/test-inbox.ts";
import { InboxFullError, LeaseLostError } from "./record-ends.ts";
import type { Inbox, InboxOptions } from "./inbox.ts";
import { messageClaim, pausedClaim, type StopRecord } from "./records.ts";

const stopRecord = (request_id: string): StopRecord => ({
  ...recordHead({ request_id }),
  kind: "stop",
  whole_channel: false,
  written: true,
});

// Leases, lanes and what wakes a process are the engine's: its own tests prove them.
onBothEngines("the inbox", (newDatabase) => {
  /** Makes the inboxes of processes that share a database. */
  const start = async () => {
    const database = await openTestDatabase(await newDatabase());
    return (options?: Partial<InboxOptions>): Inbox => createTestInbox(database, options);
  };

  describe("accept", () => {
    test("S3, S4: a record is a duplicate if any of its claims exists, even after the first record has ended", async () => {
      const inbox = (await start())();
      expect(await inbox.accept(ask({ claims: ["event 1", "message 1"] }))).toBe("accepted");
      expect(await inbox.accept(ask({ claims: ["event 1", "message 2"] }))).toBe("duplicate");
      expect(await inbox.accept(ask({ claims: ["event 2", "message 1"] }))).toBe("duplicate");
      expect(await inbox.accept(ask({ claims: ["event 2", "message 2"] }))).toBe("accepted");
      await complete(inbox, await taken(inbox, "ask"));
      expect(await inbox.accept(ask({ claims: ["event 1"] }))).toBe("duplicate");
      expect((await inbox.load()).waiting).toBe(1);
    });

    test.each([[["event 1", "message 1"]], [[]]])(
      "S5, Z9: the same record is accepted again after a lost response, and is stored once; claims %j",
      async (claims) => {
        const inbox = (await start())();
        const record = ask({ claims });
        expect(await inbox.accept(record)).toBe("accepted");
        expect(await inbox.accept(record)).toBe("accepted");
        expect((await inbox.load()).waiting).toBe(1);
        await complete(inbox, await taken(inbox, "ask"));
        expect(await inbox.accept(record)).toBe("accepted");
        expect((await inbox.load()).waiting).toBe(0);
      },
    );

    test("S3, S4: of concurrent records with the same claim in several processes, one is accepted", async () => {
      const make = await start();
      const inboxes = [make(), make(), make()] as const;
      const verdicts = await Promise.all(
        Array.from({ length: 30 }, (_, at) => {
          const claims = [`event ${at % 5}`, `message ${at % 5}`];
          const record = ask({ claims: at % 2 === 0 ? claims : claims.toReversed() });
          return inboxes[(at % 3) as 0].accept(record);
        }),
      );
      expect(verdicts.filter((verdict) => verdict === "accepted")).toHaveLength(5);
      expect((await inboxes[0].load()).waiting).toBe(5);
    });

    test("S5: a full inbox refuses the record and its claims", async () => {
      const inbox = (await start())({ most: 1 });
      await inbox.accept(ask());
      await expect(inbox.accept(ask({ claims: ["x"] }))).rejects.toThrow(InboxFullError);
      await complete(inbox, await taken(inbox, "ask"));
      expect(await inbox.accept(ask({ claims: ["x"] }))).toBe("accepted");
    });

    test("a record reads back as it was written, whatever its text", async () => {
      const inbox = (await start())();
      const text = "\0 \ud83d 😀 \u2028 '; drop table inbox; --".repeat(1_000);
      const record = ask({ text, channel: text, thread_ts: text, claims: [text] });
      await inbox.accept(record);
      const question = await taken(inbox, "ask");
      expect(question.record).toEqual(record);
      await inbox.note(question, { answer: { state: "done", parts: [text] } });
      await release(inbox, question);
      expect((await taken(inbox, "ask")).progress).toEqual({ answer: { state: "done", parts: [text] } });
    });
  });

  describe("order", () => {
    test("a question waits until a worker leases it, and does not count as waiting when it is retried", async () => {
      const inbox = (await start())();
      await inbox.accept(ask({ request_id: "a1" }));
      await inbox.accept(ask({ request_id: "a2" }));
      await inbox.accept(stopRecord("s"));
      const waiting = (): Promise<boolean[]> => Promise.all(["a1", "a2", "none"].map((id) => inbox.isWaiting(id)));
      expect(await waiting()).toEqual([true, true, false]);
      const a1 = await taken(inbox, "ask");
      expect(await inbox.queueIn(a1.record)).toEqual({ waiting: 1, inWork: 1, answered: 0 });
      expect(await waiting()).toEqual([false, true, false]);
      await inbox.note(a1, { answer: { state: "done", parts: ["it is posted now"] } });
      expect(await inbox.queueIn(a1.record)).toEqual({ waiting: 1, inWork: 1, answered: 1 });
      await retryLater(inbox, a1, 60_000);
      expect(await inbox.queueIn(a1.record)).toEqual({ waiting: 2, inWork: 0, answered: 0 });
      expect(await waiting()).toEqual([false, true, false]);
      expect(await inbox.queueIn({ ...a1.record, thread_ts: "2.0" })).toEqual({ waiting: 0, inWork: 0, answered: 0 });
    });

    test("a stop does not wait for the question that it stops", async () => {
      const inbox = (await start())();
      await inbox.accept(ask());
      await taken(inbox, "ask");
      await inbox.accept(stopRecord("s"));
      expect((await taken(inbox, "stop")).record.request_id).toBe("s");
    });
  });

  describe("stop", () => {
    test("marks the open questions of a thread, or of the whole channel, that were accepted before it", async () => {
      const inbox = (await start())();
      await inbox.accept(ask({ request_id: "a" }));
      await inbox.accept(ask({ request_id: "b", thread_ts: "2.0" }));
      await inbox.accept(ask({ request_id: "other", channel: "C2" }));
      for (const request_id of ["s1", "s2", "s3"]) await inbox.accept(stopRecord(request_id));
      await inbox.accept(ask({ request_id: "later" }));
      const [thread, channel] = [
        { team_id: "T1", channel: "C1", thread_ts: "1.0" },
        { team_id: "T1", channel: "C1" },
      ];
      expect(await inbox.stop(thread, { request_id: "s1" })).toBe(1);
      const ended = async (id: string) => (await inbox.endedBy(id))?.reason;
      expect([await ended("a"), await ended("b")]).toEqual(["stopped", undefined]);
      expect(await inbox.stop(channel, { request_id: "s2" })).toBe(1);
      expect([await ended("b"), await ended("other")]).toEqual(["stopped", undefined]);
      expect(await ended("later")).toBeUndefined();
      expect(await inbox.stop(channel, { request_id: "s3" })).toBe(0);
      expect(await inbox.stop(channel, { request_id: "s2" })).toBe(1);
    });
  });

  test("W3: a deleted message ends its question, open, queued or parked, and the task that it waits with; no other", async () => {
    const inbox = (await start())();
    const claim = messageClaim("T1", "C1", "1.0");
    expect(await inbox.asked.openOf(claim)).toBeUndefined();
    await inbox.accept(ask({ request_id: "first" }));
    await inbox.accept(ask({ request_id: "queued", claims: [claim] }));
    expect(await inbox.queueIn(ask())).toEqual({ waiting: 2, inWork: 0, answered: 0 });
    await inbox.stop({ team_id: "T1", channel: "C1" }, { request_id: "s1" });
    expect(await inbox.asked.openOf(claim)).toEqual(["queued"]);
    await inbox.withdraw(["queued"], { user_id: "U1" });
    expect(await inbox.endedBy("queued")).toEqual({ reason: "withdrawn", by: "U1" });
    expect([await inbox.isWaiting("queued"), await inbox.queueIn(ask())]).toEqual([
      false,
      { waiting: 0, inWork: 0, answered: 0 },
    ]);
    await complete(inbox, await taken(inbox, "ask"));
    const queued = await taken(inbox, "ask");
    expect(queued).toMatchObject({ record: { request_id: "queued" }, progress: { isWithdrawn: true } });
    const head = recordHead({ request_id: "paused:1", claims: [pausedClaim(queued.record.request_id)] });
    await inbox.accept({
      ...head,
      kind: "paused_task",
      task_id: "t1",
      session: "queued",
      is_workflow: false,
      people: [],
      told: { text: "I wait." },
    });
    await park(inbox, queued, "it failed");
    expect((await inbox.asked.openOf(claim))?.toSorted()).toEqual(["paused:1", "queued"]);
    expect(await inbox.accept(ask({ claims: [claim] }))).toBe("duplicate");
  });

  test("W18.1: a message is over once it is answered, stopped or parked, and unknown if it was never asked", async () => {
    const inbox = (await start())();
    const claims = ["2.0", "3.0"].map((ts) => messageClaim("T1", "C1", ts)) as [string, string];
    for (const [at, claim] of claims.entries()) await inbox.accept(ask({ request_id: `q${at}`, claims: [claim] }));
    const find = () => Promise.all([...claims, messageClaim("T1", "C1", "4.0")].map((one) => inbox.asked.find(one)));
    const open = (isWaiting: boolean): unknown => expect.objectContaining({ isWaiting });
    await complete(inbox, await taken(inbox, "ask"));
    expect(await find()).toEqual(["over", open(true), undefined]);
    const second = await taken(inbox, "ask");
    expect(await find()).toEqual(["over", open(false), undefined]);
    await park(inbox, second, "it failed");
    expect(await find()).toEqual(["over", "over", undefined]);
  });

  test("W20: of several processes, one takes a claim for its record, as often as it asks, and no message is accepted with it", async () => {
    const processes = await start();
    const claim = messageClaim(":ticket: T1", "C1", "5.0");
    const has = await Promise.all(["a", "b", "c"].map((id) => processes().asked.claim(claim, id)));
    expect(has.filter(Boolean)).toHaveLength(1);
    const winner = ["a", "b", "c"][has.indexOf(true)] ?? "";
    expect(await processes().asked.claim(claim, winner)).toBe(true);
    expect(await processes().accept(ask({ claims: [claim] }))).toBe("duplicate");
  });

  describe("leases", () => {
    test("when a process stops renewing its lease, another leases the record with its notes, and the first is refused", async () => {
      const make = await start();
      // The second process must renew its own lease in time, too.
      const [dead, alive] = [make(), make({ leaseMs: 2_000 })];
      await dead.accept(ask());
      const first = await taken(dead, "ask");
      expect(first).toMatchObject({ attempt: 1, tries: "more", progress: {} });
      await dead.note(first, { placeholder: "1.2" });
      await dead.note(first, { attached: true });
      expect(await takeOne(alive, "ask")).toBeUndefined();
      await openInbox(alive);
      const second = await vi.waitFor(() => taken(alive, "ask"));
      expect(second).toMatchObject({ attempt: 2, tries: "more", progress: { placeholder: "1.2", attached: true } });
      await refuses(dead, first);
      await complete(alive, second);
      await expect(alive.note(second, { placeholder: "9.9" })).rejects.toThrow(LeaseLostError);
      // Its response could have been lost.
      await complete(alive, second);
    });

    test("a record knows whether more attempts follow, also after its last one", async () => {
      const inbox = (await start())({ attempts: 2 });
      await inbox.accept(ask());
      const left: string[] = [];
      for (let time = 0; time < 4; time += 1) {
        const question = await taken(inbox, "ask");
        left.push(question.tries);
        await retryLater(inbox, question, 0);
      }
      expect(left).toEqual(["more", "last", "spent", "over"]);
    });

    test("the age of the oldest record counts while it waits and while it is leased", async () => {
      const inbox = (await start())();
      expect(await inbox.load()).toEqual({ waiting: 0, inWork: 0, parked: 0, oldestMs: 0 });
      await inbox.accept(ask());
      await vi.waitFor(async () => expect((await inbox.load()).oldestMs).toBeGreaterThan(0));
      await taken(inbox, "ask");
      expect((await inbox.load()).oldestMs).toBeGreaterThan(0);
    });
  });
});

async function refuses(inbox: Inbox, lease: LaneJob): Promise<void> {
  await expect(inbox.note(lease, { placeholder: "9.9" })).rejects.toThrow(LeaseLostError);
  await expect(complete(inbox, lease)).resolves.toBe(false);
  await expect(retryLater(inbox, lease, 0)).resolves.toBe(false);
  await expect(release(inbox, lease)).resolves.toBe(false);
  await expect(park(inbox, lease, "no")).resolves.toBe(false);
}
