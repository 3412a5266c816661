// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import {
  createTestInbox,
  questionRecord,
  recordHead,
  taken,
  complete,
  openTestDatabase,
} from "../testing/test-inbox.ts";
import { LeaseLostError } from "./record-ends.ts";
import type { TeamThread } from "./records.ts";
import { ThreadStore, type ThreadConversation } from "./thread-store.ts";

const thread = (more: Partial<TeamThread> = {}): TeamThread => ({
  team_id: "T1",
  channel: "C1",
  thread_ts: "1.0",
  ...more,
});

/** Whether the app follows a person in a thread. */
const knows = async (threads: ThreadStore, more?: Partial<TeamThread>): Promise<boolean> =>
  (await threads.lookUp({ ...thread(more), user_id: "U1" })).follows === "author";

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const answered = { answer: { state: "done", parts: ["an answer"] } } as const;

onBothEngines("the thread store", (newDatabase) => {
  const start = async () => {
    const database = await openTestDatabase(await newDatabase());
    return { threads: new ThreadStore(database), inbox: createTestInbox(database) };
  };

  test("a thread is known once a record of it is accepted; no other thread is", async () => {
    const { threads, inbox } = await start();
    expect(await knows(threads)).toBe(false);
    await inbox.accept(questionRecord({ ...thread(), claims: ["one"] }));
    expect(await knows(threads)).toBe(true);
    for (const other of [{ team_id: "T2" }, { channel: "C2" }, { thread_ts: "2.0" }])
      expect(await knows(threads, other)).toBe(false);
    await inbox.accept(questionRecord({ ...thread({ thread_ts: "2.0" }), claims: ["one"] }));
    expect(await knows(threads, { thread_ts: "2.0" })).toBe(false);
  });

  test("a notice in a thread does not make the app join it", async () => {
    const { threads, inbox } = await start();
    await inbox.accept({ ...recordHead(thread()), kind: "notice", text: "hi", to: "person" });
    expect(await knows(threads)).toBe(false);
  });

  test("a thread that was not joined is forgotten when its record ends; a joined thread is not", async () => {
    const { threads, inbox } = await start();
    await inbox.accept(questionRecord(thread()));
    await inbox.accept(questionRecord(thread()));
    for (const isKnown of [true, false]) {
      await complete(inbox, await taken(inbox, "ask"));
      expect(await knows(threads)).toBe(isKnown);
    }
    await threads.join(questionRecord(thread()));
    await threads.join(questionRecord(thread()));
    await inbox.accept(questionRecord(thread()));
    await complete(inbox, await taken(inbox, "ask"));
    expect(await knows(threads)).toBe(true);
  });

  test("I4: the questions of a thread share one conversation, from the first attempt on; other threads have their own", async () => {
    const { threads, inbox } = await start();
    const [first, second] = [questionRecord(thread()), questionRecord(thread())];
    for (const record of [first, second]) await inbox.accept(record);
    const asked = [await inbox.standing(first), await inbox.standing(first)];
    expect(asked[0]).toMatchObject({ ended: undefined, isKept: false, conversation: { context_id: uuid } });
    expect(asked[1]).toEqual(asked[0]);
    // A person who stops the question joins the thread meanwhile.
    await threads.join(questionRecord(thread()));
    const { conversation } = await inbox.standing(first);
    expect(conversation).toEqual(asked[0]?.conversation);
    const question = await taken(inbox, "ask");
    await inbox.note(question, answered, { ...conversation, thread: first });
    await complete(inbox, question);
    expect(await inbox.standing(second)).toEqual({ ended: undefined, isKept: true, conversation });
    for (const other of [{ team_id: "T2" }, { channel: "C2" }, { thread_ts: "2.0" }])
      expect((await inbox.standing(questionRecord(thread(other)))).conversation.context_id).not.toBe(
        conversation.context_id,
      );
  });

  test("I6: a thread stays bound to its agent until it is bound to another", async () => {
    const { threads, inbox } = await start();
    await threads.join(questionRecord(thread()));
    const answeredBy = async (agent?: string): Promise<ThreadConversation> => {
      const record = questionRecord(thread());
      await inbox.accept(record);
      const { conversation } = await inbox.standing(record);
      const question = await taken(inbox, "ask");
      await inbox.note(question, answered, {
        context_id: conversation.context_id,
        thread: record,
        ...(agent && { agent }),
      });
      await complete(inbox, question);
      return conversation;
    };
    const { context_id } = await answeredBy("scout");
    expect(await answeredBy()).toEqual({ context_id, agent: "scout" });
    expect(await answeredBy("other")).toEqual({ context_id, agent: "scout" });
    await threads.join(questionRecord(thread()));
    expect(await answeredBy()).toEqual({ context_id, agent: "other" });
    const elsewhere = await inbox.standing(questionRecord(thread({ thread_ts: "2.0" })));
    expect(elsewhere.conversation.agent).toBeUndefined();
  });

  test("an answer joins and binds its thread, unless it is stored after the lease was lost", async () => {
    const { threads, inbox } = await start();
    const record = questionRecord(thread());
    await inbox.accept(record);
    const question = await taken(inbox, "ask");
    const late = { context_id: "late", thread: record, agent: "late" };
    await expect(inbox.note({ id: record.request_id, attempt: 2 }, answered, late)).rejects.toThrow(LeaseLostError);
    expect(await inbox.standing(record)).toMatchObject({ isKept: false });
    await inbox.note(question, answered, { context_id: "one", thread: record });
    await complete(inbox, question);
    expect(await knows(threads)).toBe(true);
    const asked = { context_id: "one" };
    expect((await inbox.standing(questionRecord(thread()))).conversation).toEqual(asked);
  });

  test("W7: a thread follows those who asked there, the newest twenty of them, as long as it is kept", async () => {
    const { threads, inbox } = await start();
    const look = async (user_id: string) => (await threads.lookUp({ ...thread(), user_id })).follows;
    const people = Array.from({ length: 22 }, (_, at) => `U${at}`);
    await inbox.accept(questionRecord(thread({ user_id: "UOPEN" } as object)));
    expect([await look("UOPEN"), await look("U1")]).toEqual(["author", "others"]);
    for (const user_id of [...people, "U2"]) await threads.join(questionRecord({ ...thread(), user_id }));
    const followed = await Promise.all(people.map(look));
    expect(followed.filter((of) => of === "author")).toHaveLength(20);
    expect([followed[0], followed[1], followed[2], followed[21]]).toEqual(["others", "others", "author", "author"]);
    expect((await threads.lookUp({ ...thread({ channel: "C9" }), user_id: "U2" })).follows).toBe("nobody");
  });

  test("W7: a quiet thread follows nobody, not even whom an open question was from, until a later question", async () => {
    const { threads, inbox } = await start();
    const record = questionRecord(thread());
    await inbox.accept(record);
    const question = await taken(inbox, "ask");
    await threads.quiet(thread());
    expect(await threads.lookUp(record)).toMatchObject({ isAnswered: false, isOpen: false, follows: "nobody" });
    await inbox.note(question, answered, { context_id: "one", thread: record });
    await threads.join(record);
    await complete(inbox, question);
    expect(await threads.lookUp(record)).toMatchObject({ isAnswered: true, isOpen: false, follows: "nobody" });
    await new Promise((resolve) => setTimeout(resolve, 2));
    const later = questionRecord(thread());
    await inbox.accept(later);
    expect(await threads.lookUp(record)).toMatchObject({ isAnswered: true, isOpen: true, follows: "author" });
    const next = await taken(inbox, "ask");
    await inbox.note(next, answered, { context_id: "one", thread: later });
    await complete(inbox, next);
    expect(await knows(threads)).toBe(true);
  });
});
