import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { questionRecord as ask, openInbox, takeOne } from "../testing/test-inbox.ts";
import { LeaseLostError } from "./endings.ts";
import type { Inbox } from "./inbox.ts";
import type { LaneLease } from "./records.ts";
import { taken, type MakeInbox } from "./inbox.contract.ts";

/** The contract tests of inbox leases. */
export function inboxLeasesContract(name: string, start: () => Promise<MakeInbox>): void {
  describe(`${name}: leases`, () => {
    test("when a process stops renewing its lease, another leases the record with its notes, and the first is refused", async () => {
      const make = await start();
      // The second process must renew its own lease in time, too.
      const [dead, alive] = [make(), make({ leaseMs: 1_000 })];
      await dead.accept(ask());
      const first = await taken(dead, "ask");
      expect(first).toMatchObject({ attempt: 1, triesLeft: 7, progress: {} });
      await dead.note(first, { placeholder: "1.2" });
      await dead.note(first, { attached: true });
      expect(await takeOne(alive, "ask")).toBeUndefined();
      await openInbox(alive);
      const second = await vi.waitFor(() => taken(alive, "ask"), 10_000);
      expect(second).toMatchObject({ attempt: 2, triesLeft: 6, progress: { placeholder: "1.2", attached: true } });
      await refuses(dead, first);
      await alive.complete(second);
      await expect(alive.note(second, { placeholder: "9.9" })).rejects.toThrow(LeaseLostError);
      // Its response could have been lost.
      await alive.complete(second);
    });

    test("an expired lease is still valid until another process leases the record", async () => {
      const make = await start();
      const inbox = make({ leaseMs: 1 });
      await inbox.accept(ask());
      const question = await taken(inbox, "ask");
      await delay(5);
      expect(await lost(inbox, [question])).toEqual([]);
      await inbox.complete(question);
    });

    test("a renewed lease does not expire", async () => {
      const make = await start();
      const [one, other] = [make({ leaseMs: 2_000 }), make({ leaseMs: 200 })];
      await Promise.all([openInbox(one), openInbox(other)]);
      await one.accept(ask());
      const question = await taken(one, "ask");
      for (let round = 0; round < 5; round += 1) {
        await delay(500);
        expect(await lost(one, [question])).toEqual([]);
        expect(await takeOne(other, "ask")).toBeUndefined();
      }
    });

    test("a process can't change a record that another process leases, or that it leased again later", async () => {
      const make = await start();
      const [one, other] = [make(), make()];
      await one.accept(ask());
      const first = await taken(one, "ask");
      expect(await lost(other, [first])).toEqual([1]);
      await refuses(other, first);
      await one.release(first);
      const again = await taken(one, "ask");
      expect(again.attempt).toBe(2);
      await refuses(one, first);
      expect(await lost(one, [first, again])).toEqual([1]);
    });

    test("a released record can be leased at once, before later records, and costs no attempt", async () => {
      const inbox = (await start())({ attempts: 2 });
      await inbox.accept(ask({ request_id: "a" }));
      await inbox.accept(ask({ request_id: "b", thread_ts: "2.0" }));
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        const question = await taken(inbox, "ask");
        expect(question).toMatchObject({ record: { request_id: "a" }, attempt, triesLeft: 1 });
        await inbox.release(question);
      }
    });

    test("a record released with a delay blocks its thread until then, and costs no attempt", async () => {
      const inbox = (await start())({ attempts: 2 });
      await inbox.accept(ask({ request_id: "a" }));
      await inbox.accept(ask({ request_id: "behind a" }));
      await inbox.accept(ask({ request_id: "b", thread_ts: "2.0" }));
      await inbox.release(await taken(inbox, "ask"), 2_000);
      expect((await taken(inbox, "ask")).record.request_id).toBe("b");
      expect(await takeOne(inbox, "ask")).toBeUndefined();
      const again = await vi.waitFor(() => taken(inbox, "ask"), 10_000);
      expect(again).toMatchObject({ record: { request_id: "a" }, attempt: 2, triesLeft: 1 });
    });

    test("a record counts the attempts that are left, and the count can become negative", async () => {
      const inbox = (await start())({ attempts: 2 });
      await inbox.accept(ask());
      const left: number[] = [];
      for (let time = 0; time < 3; time += 1) {
        const question = await taken(inbox, "ask");
        left.push(question.triesLeft);
        await inbox.retryLater(question, 0);
      }
      expect(left).toEqual([1, 0, -1]);
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
}

/** Returns the attempts of the leases that this process has lost. */
async function lost(inbox: Inbox, leases: readonly LaneLease[]): Promise<readonly number[]> {
  const ids = leases.map(({ record, attempt }) => ({ id: record.request_id, attempt }));
  return (await inbox.jobs.lost(ids)).map(({ attempt }) => attempt);
}

async function refuses(inbox: Inbox, lease: LaneLease): Promise<void> {
  await expect(inbox.note(lease, { placeholder: "9.9" })).rejects.toThrow(LeaseLostError);
  await expect(inbox.complete(lease)).rejects.toThrow(LeaseLostError);
  await expect(inbox.retryLater(lease, 0)).rejects.toThrow(LeaseLostError);
  await expect(inbox.release(lease)).rejects.toThrow(LeaseLostError);
  await expect(inbox.park(lease, "no")).rejects.toThrow(LeaseLostError);
}
