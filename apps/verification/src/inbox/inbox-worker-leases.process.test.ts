import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { questionRecord } from "../testing/test-inbox.ts";
import { startInboxBench as start } from "../testing/inbox-bench.ts";
import { taken } from "./inbox.contract.ts";

describe("a shutdown", () => {
  test("leases nothing more, and releases unfinished work with a delay so that its effects become visible", async () => {
    const afterMs = 2_000;
    const { inbox, other, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    const begun = Promise.withResolvers<void>();
    const worker = work(async (_question, lease) => {
      begun.resolve();
      await delay(60_000, undefined, { signal: lease });
    });
    await begun.promise;
    const letGoAt = Date.now();
    const stopped = worker.stop(0, afterMs);
    await inbox.accept(questionRecord({ request_id: "2", thread_ts: "2.0" }));
    await stopped;
    expect(ended).toEqual([["handed_back", "1", 1]]);
    const second = await taken(other, "ask");
    expect(second.record.request_id).toBe("2");
    await other.complete(second);
    const question = await vi.waitFor(() => taken(other, "ask"), { timeout: 10_000 });
    // Tolerates the different rounding of this clock and that of the database.
    expect(Date.now() - letGoAt).toBeGreaterThan(afterMs - 5);
    expect(question).toMatchObject({ record: { request_id: "1" }, attempt: 2, triesLeft: 2 });
  });

  test("does not wait for work that ignores its signal", async () => {
    const { inbox, work, ended } = await start();
    await inbox.accept(questionRecord({ request_id: "1" }));
    const worker = work(() => new Promise(() => undefined));
    await vi.waitFor(() => expect(worker.running()).toBe(1));
    await worker.stop(0, 0);
    expect(ended).toEqual([["handed_back", "1", 1]]);
  });
});
