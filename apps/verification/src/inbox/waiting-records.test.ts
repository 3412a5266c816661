// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { inputRequest } from "../testing/scripted-inputs.ts";
import {
  createTestInbox,
  openInbox,
  questionRecord,
  recordHead,
  release,
  taken,
  takeOne,
  openTestDatabase,
} from "../testing/test-inbox.ts";
import { type InboxRecord, inputRecordId, keptMessageId, pausedTaskId, type RecordHead } from "./records.ts";

const head = (id: string, more: Partial<RecordHead> = {}): RecordHead =>
  recordHead({ request_id: id, claims: [id], ...more });

const input = (inputId: string): InboxRecord => ({
  ...head(inputRecordId(inputId)),
  kind: "input",
  request: inputRequest({ request_id: inputId }),
});

const paused = (taskId: string, thread_ts: string): InboxRecord => ({
  ...head(pausedTaskId(taskId), { thread_ts }),
  kind: "paused_task",
  task_id: taskId,
  session: "s",
  is_workflow: false,
  people: [],
  told: { text: "I wait." },
});

onBothEngines("records that wait for people", (newDatabase) => {
  const start = async (most = 10_000) => {
    const database = await openTestDatabase(await newDatabase());
    const inbox = createTestInbox(database, { most });
    await openInbox(inbox);
    return { inbox, database };
  };

  test("don't fill the inbox, and are no load", async () => {
    const { inbox } = await start(2);
    for (const id of ["a", "b", "c"]) expect(await inbox.accept(input(id))).toBe("accepted");
    expect(await inbox.accept(questionRecord())).toBe("accepted");
    expect(await inbox.load()).toMatchObject({ waiting: 1 });
  });

  test("keep what they show, and are found by the id of their request until they are done", async () => {
    const { inbox } = await start();
    await inbox.accept(input("a"));
    const leased = await taken(inbox, "input");
    const shown = { version: 2, reminders: 1, cards: [{ channel: "C1", ts: "1.1" }] };
    await inbox.note(leased, { shown });
    expect(await inbox.findInput("a")).toMatchObject({ request: { title: "Deploy version 1.2?" } });
    await release(inbox, leased);
    expect((await taken(inbox, "input")).progress).toEqual({ shown });
    expect(await inbox.findInput("b")).toBeUndefined();
  });

  test("wake when something has changed for them, and only those", async () => {
    const { inbox } = await start();
    for (const id of ["a", "b"]) {
      await inbox.accept(input(id));
      await release(inbox, await taken(inbox, "input"), 3_600_000);
    }
    expect(await takeOne(inbox, "input")).toBeUndefined();
    await inbox.wake([]);
    await inbox.wake([inputRecordId("b"), inputRecordId("unknown")]);
    expect((await taken(inbox, "input")).record.request_id).toBe("input:b");
    expect(await takeOne(inbox, "input")).toBeUndefined();
  });

  test("W17.1: what a thread waits for is found until Slack shows it as closed, and only there", async () => {
    const { inbox } = await start();
    const place = { team_id: "T1", channel: "C1", thread_ts: "1.0" };
    const elsewhere = [{ team_id: "T2" }, { channel: "C2" }, { thread_ts: "2.0" }];
    const found = async (more: object = {}) =>
      (await inbox.asked.awaitedIn({ ...place, ...more })).map(({ request_id }) => request_id);
    await inbox.accept({ ...input("a"), thread_ts: "1.0" });
    for (const more of elsewhere) expect(await found(more)).toEqual([]);
    const leased = await taken(inbox, "input");
    for (const isOpen of [undefined, true, false]) {
      expect(await found()).toEqual(["a"]);
      await inbox.note(leased, { shown: { version: 1, reminders: 0, cards: [], isOpen } });
    }
    expect(await found()).toEqual([]);
  });

  test("W23: the message of a form is kept, is no load, and is found by the form", async () => {
    const { inbox } = await start(2);
    const message = { raw: { text: "disk is full" }, isCut: false };
    await inbox.accept({ ...head(keptMessageId("f1")), kind: "kept_message", message });
    expect([await inbox.keptMessage("f1"), await inbox.keptMessage("f2")]).toEqual([message, undefined]);
    expect(await inbox.load()).toMatchObject({ waiting: 0 });
  });

  test("a stop marks the tasks of its thread, or of its whole channel, once", async () => {
    const { inbox } = await start();
    await inbox.accept(paused("t1", "1.0"));
    await inbox.accept(paused("t2", "2.0"));
    const channel = { team_id: "T1", channel: "C1" };
    const ids = await inbox.pausedIn({ ...channel, thread_ts: "1.0" });
    expect(ids).toEqual([pausedTaskId("t1")]);
    expect((await inbox.pausedIn(channel)).toSorted()).toEqual([pausedTaskId("t1"), pausedTaskId("t2")]);
    expect(await inbox.pausedIn({ team_id: "T2", channel: "C1" })).toEqual([]);
    const by = { request_id: "stop", user_id: "U2" };
    expect([await inbox.stopPaused(ids, by), await inbox.stopPaused(ids, by)]).toEqual([1, 1]);
    expect(await inbox.stopPaused(ids, { request_id: "later" })).toBe(0);
    expect(await inbox.standing(head(pausedTaskId("t1")))).toMatchObject({ ended: { reason: "stopped", by: "U2" } });
    expect((await inbox.standing(head(pausedTaskId("t2")))).ended).toBeUndefined();
  });
});
