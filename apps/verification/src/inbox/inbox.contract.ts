import { describe, expect, test } from "vitest";
import { questionRecord as ask, takeOne } from "../testing/test-inbox.ts";
import type { InboxRecord, StopRecord, TakenRecord } from "./records.ts";
import type { Inbox } from "./inbox.ts";
import { InboxFullError, LeaseLostError } from "./endings.ts";

/** Makes the inbox of another process, on the same storage as the test's first one. */
export type MakeInbox = (options?: {
  readonly most?: number;
  readonly leaseMs?: number;
  readonly attempts?: number;
}) => Inbox;

export const stopRecord = (more: Partial<StopRecord> = {}): StopRecord => {
  const { ts: _ts, text: _text, files: _files, files_unknown: _unknown, ...head } = ask();
  return { ...head, kind: "stop", whole_channel: false, written: true, ...more };
};

/** Leases a record that must exist. */
export async function taken<K extends InboxRecord["kind"]>(inbox: Inbox, kind: K): Promise<TakenRecord<K>> {
  const leased = await takeOne(inbox, kind);
  if (leased === undefined) throw new Error(`no ${kind} is available`);
  return leased;
}

/** Returns the number in a request id, which increases with each record of a test. */
const numberOf = ({ record }: TakenRecord<"ask">): number => Number(record.request_id.slice(1));

/** The contract tests of inboxes. */
export function inboxContract(name: string, start: () => Promise<MakeInbox>): void {
  describe(`${name}: accept`, () => {
    test("S3, S4: a record is a duplicate if any of its claims exists, even after the first record has ended", async () => {
      const inbox = (await start())();
      expect(await inbox.accept(ask({ claims: ["event 1", "message 1"] }))).toBe("accepted");
      expect(await inbox.accept(ask({ claims: ["event 1", "message 2"] }))).toBe("duplicate");
      expect(await inbox.accept(ask({ claims: ["event 2", "message 1"] }))).toBe("duplicate");
      expect(await inbox.accept(ask({ claims: ["event 2", "message 2"] }))).toBe("accepted");
      await inbox.complete(await taken(inbox, "ask"));
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
        await inbox.complete(await taken(inbox, "ask"));
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
      await inbox.complete(await taken(inbox, "ask"));
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
      await inbox.release(question);
      expect((await taken(inbox, "ask")).progress).toEqual({ answer: { state: "done", parts: [text] } });
    });
  });

  describe(`${name}: order`, () => {
    test("records of one thread are leased one after another, records of other threads meanwhile", async () => {
      const inbox = (await start())();
      await inbox.accept(ask({ request_id: "a1" }));
      await inbox.accept(ask({ request_id: "a2" }));
      await inbox.accept(ask({ request_id: "b1", thread_ts: "2.0" }));
      const a1 = await taken(inbox, "ask");
      expect(a1.record.request_id).toBe("a1");
      expect((await taken(inbox, "ask")).record.request_id).toBe("b1");
      expect(await takeOne(inbox, "ask")).toBeUndefined();
      expect(await inbox.queueIn(a1.record)).toEqual({ waiting: 1, inWork: 1 });
      expect((await inbox.load()).waiting).toBe(1);
      await inbox.complete(a1);
      expect((await taken(inbox, "ask")).record.request_id).toBe("a2");
    });

    test("a question waits until a worker leases it, and does not count as waiting when it is retried", async () => {
      const inbox = (await start())();
      await inbox.accept(ask({ request_id: "a1" }));
      await inbox.accept(ask({ request_id: "a2" }));
      await inbox.accept(stopRecord({ request_id: "s" }));
      const waiting = (): Promise<boolean[]> => Promise.all(["a1", "a2", "none"].map((id) => inbox.isWaiting(id)));
      expect(await waiting()).toEqual([true, true, false]);
      const a1 = await taken(inbox, "ask");
      expect(await inbox.queueIn(a1.record)).toEqual({ waiting: 1, inWork: 1 });
      expect(await waiting()).toEqual([false, true, false]);
      await inbox.retryLater(a1, 60_000);
      expect(await inbox.queueIn(a1.record)).toEqual({ waiting: 2, inWork: 0 });
      expect(await waiting()).toEqual([false, true, false]);
      expect(await inbox.queueIn({ ...a1.record, thread_ts: "2.0" })).toEqual({ waiting: 0, inWork: 0 });
    });

    test("many threads behind a long thread are all found, each in its own order", async () => {
      const inbox = (await start())();
      for (let at = 0; at < 120; at += 1) await inbox.accept(ask({ request_id: `long ${at}` }));
      const threads = ["a", "b", "c", "d", "e"];
      for (const thread_ts of [...threads, ...threads]) await inbox.accept(ask({ thread_ts, text: `of ${thread_ts}` }));
      expect((await taken(inbox, "ask")).record.request_id).toBe("long 0");
      const found: number[][] = [];
      for (let round = 0; round < 2; round += 1) {
        const questions: TakenRecord<"ask">[] = [];
        while (questions.length < threads.length) questions.push(await taken(inbox, "ask"));
        expect(questions.map(({ record }) => record.thread_ts).toSorted()).toEqual(threads);
        expect(await takeOne(inbox, "ask")).toBeUndefined();
        found.push(questions.toSorted((a, b) => (a.record.thread_ts < b.record.thread_ts ? -1 : 1)).map(numberOf));
        for (const question of questions) await inbox.complete(question);
      }
      const [first = [], second = []] = found;
      expect(second).toEqual(first.map((number) => number + threads.length));
    });

    test("a stop does not wait for the question that it stops", async () => {
      const inbox = (await start())();
      await inbox.accept(ask());
      await taken(inbox, "ask");
      await inbox.accept(stopRecord({ request_id: "s" }));
      expect((await taken(inbox, "stop")).record.request_id).toBe("s");
    });

    test("a record that waits for a retry blocks its thread and no other", async () => {
      const inbox = (await start())();
      await inbox.accept(ask({ request_id: "a1" }));
      await inbox.accept(ask({ request_id: "a2" }));
      await inbox.accept(ask({ request_id: "b1", thread_ts: "2.0" }));
      const question = await taken(inbox, "ask");
      await inbox.retryLater(question, 60_000);
      expect((await taken(inbox, "ask")).record.request_id).toBe("b1");
      expect(await takeOne(inbox, "ask")).toBeUndefined();
      await expect(inbox.retryLater(question, 0)).rejects.toThrow(LeaseLostError);
    });

    test("a parked record does not block its thread", async () => {
      const inbox = (await start())({ most: 2 });
      await inbox.accept(ask({ request_id: "a1" }));
      await inbox.accept(ask({ request_id: "a2" }));
      await inbox.park(await taken(inbox, "ask"), "no use");
      expect((await taken(inbox, "ask")).record.request_id).toBe("a2");
      expect(await inbox.load()).toMatchObject({ waiting: 0, inWork: 1, parked: 1 });
      expect(await inbox.accept(ask())).toBe("accepted");
    });

    test("concurrent processes never lease two records of a thread, or a record twice", async () => {
      const make = await start();
      const inboxes = [make(), make(), make()] as const;
      for (let at = 0; at < 40; at += 1) await make().accept(ask({ request_id: `${at}`, thread_ts: `${at % 10}` }));
      const questions = await Promise.all(
        Array.from({ length: 30 }, (_, at) => takeOne(inboxes[(at % 3) as 0], "ask")),
      );
      const ids = questions.filter((question) => question !== undefined).map(({ record }) => Number(record.request_id));
      expect(new Set(ids).size).toBe(ids.length);
      for (let left = await takeOne(make(), "ask"); left !== undefined; left = await takeOne(make(), "ask"))
        ids.push(Number(left.record.request_id));
      expect(ids.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });

  describe(`${name}: stop`, () => {
    test("marks the open questions of a thread, or of the whole channel, that were accepted before it", async () => {
      const inbox = (await start())();
      await inbox.accept(ask({ request_id: "a" }));
      await inbox.accept(ask({ request_id: "b", thread_ts: "2.0" }));
      await inbox.accept(ask({ request_id: "other", channel: "C2" }));
      for (const request_id of ["s1", "s2", "s3"]) await inbox.accept(stopRecord({ request_id }));
      await inbox.accept(ask({ request_id: "later" }));
      const [thread, channel] = [
        { team_id: "T1", channel: "C1", thread_ts: "1.0" },
        { team_id: "T1", channel: "C1" },
      ];
      expect(await inbox.stop(thread, { request_id: "s1" })).toBe(1);
      expect([await inbox.isStopped("a"), await inbox.isStopped("b")]).toEqual([true, false]);
      expect(await inbox.stop(channel, { request_id: "s2" })).toBe(1);
      expect([await inbox.isStopped("b"), await inbox.isStopped("other")]).toEqual([true, false]);
      expect(await inbox.isStopped("later")).toBe(false);
      expect(await inbox.stop(channel, { request_id: "s3" })).toBe(0);
      expect(await inbox.stop(channel, { request_id: "s2" })).toBe(1);
    });
  });
}
