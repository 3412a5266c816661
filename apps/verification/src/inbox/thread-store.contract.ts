import { describe, expect, test } from "vitest";
import { askRecord } from "../testing/ask-record.ts";
import type { Inbox } from "./inbox.ts";
import type { TeamThread, ThreadStore } from "./thread-store.ts";

const thread = (more: Partial<TeamThread> = {}): TeamThread => ({
  team_id: "T1",
  channel: "C1",
  thread_ts: "1.0",
  ...more,
});

/** What every thread store does, beside the inbox that tells it of threads. */
export function threadStoreContract(
  name: string,
  start: () => Promise<{ readonly threads: ThreadStore; readonly inbox: Inbox }>,
): void {
  describe(`${name} keeps the thread store's contract`, () => {
    test("a thread is known once a record of it is accepted, and no other", async () => {
      const { threads, inbox } = await start();
      expect(await threads.has(thread())).toBe(false);
      await inbox.accept(askRecord({ ...thread(), claims: ["one"] }));
      expect(await threads.has(thread())).toBe(true);
      for (const other of [{ team_id: "T2" }, { channel: "C2" }, { thread_ts: "2.0" }])
        expect(await threads.has(thread(other))).toBe(false);
      await inbox.accept(askRecord({ ...thread({ thread_ts: "2.0" }), claims: ["one"] }));
      expect(await threads.has(thread({ thread_ts: "2.0" }))).toBe(false);
    });

    test("words that are owed in a thread do not bring the app into it", async () => {
      const { threads, inbox } = await start();
      const { ts: _ts, files: _files, files_unknown: _unknown, ...head } = askRecord(thread());
      await inbox.accept({ ...head, kind: "notice", to: "person" });
      expect(await threads.has(thread())).toBe(false);
    });

    test("a thread that was not joined is forgotten when it is left, one that was joined is not", async () => {
      const { threads, inbox } = await start();
      await inbox.accept(askRecord(thread()));
      await threads.leave(thread());
      expect(await threads.has(thread())).toBe(false);
      await threads.leave(thread());
      await threads.join(thread());
      await threads.join(thread());
      await inbox.accept(askRecord(thread()));
      await threads.leave(thread());
      expect(await threads.has(thread())).toBe(true);
    });
  });
}
