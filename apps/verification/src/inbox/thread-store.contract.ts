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

/** The contract tests of thread stores, including how the inbox updates them. */
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

    test("I4: concurrent questions in a thread share one conversation; other threads have their own", async () => {
      const { threads } = await start();
      const asked = await Promise.all([1, 2, 3].map(() => threads.conversation(thread())));
      const [first] = asked;
      expect(first?.context_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Set(asked.map(({ context_id }) => context_id)).size).toBe(1);
      for (const other of [{ team_id: "T2" }, { channel: "C2" }, { thread_ts: "2.0" }])
        expect((await threads.conversation(thread(other))).context_id).not.toBe(first?.context_id);
    });

    test("I6: a thread stays with the agent that it is bound to, until it is bound to another", async () => {
      const { threads, inbox } = await start();
      await inbox.accept(askRecord(thread()));
      expect(await threads.conversation(thread())).not.toHaveProperty("agent");
      await threads.bind(thread(), "scout");
      expect(await threads.conversation(thread())).toMatchObject({ agent: "scout" });
      await threads.bind(thread(), "other");
      await inbox.accept(askRecord({ ...thread(), claims: ["two"] }));
      expect(await threads.conversation(thread())).toMatchObject({ agent: "other" });
      const { context_id } = await threads.conversation(thread());
      await threads.join(thread());
      expect(await threads.conversation(thread())).toEqual({ context_id, agent: "other" });
      expect(await threads.conversation(thread({ thread_ts: "2.0" }))).not.toHaveProperty("agent");
    });
  });
}
