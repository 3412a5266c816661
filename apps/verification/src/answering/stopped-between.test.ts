import { expect, test } from "vitest";
import { questionRecord } from "../testing/question-record.ts";
import { createCrashWorld } from "../testing/crash-world.ts";
import { newTs } from "../testing/fake-slack.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";

const taskId = "task-12345678";

/** Crashes a process after its effect number `at`, stops its question, and runs the next process. */
async function stoppedAfter(at: number) {
  const world = createCrashWorld(await openTestDatabase());
  const { zone, inbox, slack, live } = world;
  zone.on("execute_task", () => ({ status: "accepted", task_id: taskId }));
  const ts = newTs();
  const record = questionRecord({ ts, thread_ts: ts });
  slack.say({ ts, thread_ts: ts, text: record.text });
  await inbox.accept(record);
  expect(await live({ at, when: "after" })).toMatchObject({ died: true });
  const wasSent = zone.of("execute_task").length > 0;
  await inbox.stop(record, { request_id: "stop" });
  await live();
  expect(slack.answers().map(({ text, footer }) => [text, footer])).toEqual([["", "Stopped."]]);
  return { zone, wasSent };
}

test("Z9: a question that is stopped while no worker leases it: its task is found and canceled", async () => {
  for (let at = 1; ; at += 1) {
    const { zone, wasSent } = await stoppedAfter(at);
    if (!wasSent) continue;
    expect(new Set(zone.of("execute_task").map(({ id }) => id)).size).toBe(1);
    expect(zone.of("cancel_task")).toMatchObject([{ params: { task_id: taskId } }]);
    return;
  }
});
