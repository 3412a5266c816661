import { beforeEach, describe, expect, test } from "vitest";
import type { VerificationDatabase } from "../database.ts";
import type { Question } from "../inbox/records.ts";
import { askInSlack } from "../testing/ask-in-slack.ts";
import { inputRequest } from "../testing/scripted-inputs.ts";
import { channelMessage, until } from "../testing/start-test-app.ts";
import { createTestInbox, openTestDatabase, release, retryLater, taken } from "../testing/test-inbox.ts";
import { createWorkingZone, settled, type WorkingZone } from "../testing/working-zone.ts";
import { createMessageEnds } from "./message-ends.ts";

let database: VerificationDatabase;
beforeEach(async () => void (database = await openTestDatabase()));

describe.each([true, false])("a question that its author deletes; streams %s", (streams) => {
  let world: WorkingZone;
  let record: Question;
  beforeEach(async () => {
    world = createWorkingZone(database, { streams });
    record = await world.ask();
    world.zone.on("execute_task", () => ({ status: "accepted", task_id: "task-12345678" }));
  });

  const withdraw = (): Promise<void> => world.inbox.withdraw([record.request_id], record);
  const ours = (): unknown[] => world.slack.messages.filter(({ user }) => user === "UBOT");

  test("W3: what it has shown is deleted, and its stream ended", async () => {
    let shown = 0;
    world.zone.on("get_async_task_result", async ({ task_id }) => {
      shown = Math.max(shown, ours().length);
      if (shown > 0) await withdraw();
      await settled(1);
      return { status: "working", task_id };
    });
    await world.live();
    expect([shown, ours(), world.slack.live.size]).toEqual([1, [], 0]);
    await until(() => expect(world.zone.of("cancel_task")).toHaveLength(1));
  });

  test.each([true, false])(
    "W3: a later attempt deletes what a crashed one posted, and cancels its task; noted %s",
    async (isNoted) => {
      const first = await taken(world.inbox, "ask");
      const { ts } = await world.slack.startStream(record, {
        chunks: [{ type: "plan_update", title: "Working on it" }],
      });
      if (isNoted) await world.inbox.note(first, { placeholder: ts });
      await retryLater(world.inbox, first, 0);
      await withdraw();
      await world.live();
      expect([ours(), world.slack.live.size]).toEqual([[], 0]);
      expect(world.zone.of("cancel_task")).toHaveLength(1);
      expect(world.zone.of("get_async_task_result")).toHaveLength(0);
    },
  );

  test("W3: an answer that is stored, but not posted, is not posted", async () => {
    const first = await taken(world.inbox, "ask");
    await world.inbox.note(first, { answer: { state: "done", parts: ["the answer"] } });
    await release(world.inbox, first);
    await withdraw();
    await world.live();
    expect([ours(), world.zone.of("execute_task").length <= 1]).toEqual([[], true]);
  });

  test("W3: nothing is posted or asked if it is deleted before it begins", async () => {
    await withdraw();
    await world.live();
    expect([ours(), world.slack.notices, world.zone.calls]).toEqual([[], [], []]);
  });
});

test("W3: a task that waits for people is canceled when its question is deleted, and its message says withdrawn", async () => {
  const messages = createMessageEnds(database, Date.now);
  const { app, inputs, thread } = await askInSlack([inputRequest()], { messages, inbox: createTestInbox(database) });
  app.zone.on("cancel_task", ({ task_id }) => {
    inputs.change({ state: "withdrawn" });
    return { task_id, status: "canceled" };
  });
  const before = app.slack.messages.length;
  const gone = { subtype: "message_deleted", hidden: true, deleted_ts: thread };
  expect(await app.deliver(channelMessage("", gone))).toBe(200);
  await until(() => expect(app.zone.of("cancel_task")).toHaveLength(1));
  const states = async (): Promise<string[]> =>
    (await database.db.selectFrom("message").select("state").execute()).map(({ state }) => state);
  await until(async () => expect(await states()).toEqual(["withdrawn"]));
  expect(app.slack.messages).toHaveLength(before);
});
