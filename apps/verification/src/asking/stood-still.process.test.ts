// suite: rest
// @module-tag judge
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@crosszone/service-kit/timing";
import { expect, onTestFinished, test } from "vitest";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import { createTestInbox, openTestDatabase, questionRecord } from "../testing/test-inbox.ts";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { createMarkedMessages } from "../showing/marked-messages.ts";

const leaseMs = 1_500;

/** Starts a process that is suspended for longer than its lease, between Slack's first refusal and the next attempt. */
async function heldUp() {
  const slack = createFakeSlack();
  slack.say({ ts: "1.0", text: "question" });
  const inbox = createTestInbox(await openTestDatabase(), { leaseMs });
  const begun = Promise.withResolvers<AbortSignal>();
  const handle = async (_question: unknown, lease: AbortSignal): Promise<void> => {
    begun.resolve(lease);
    await once(lease, "abort");
  };
  const work = { ask: { concurrency: 1, handle } };
  const worker = createInboxWorker({ inbox, work, emit: () => undefined, reasonOf: String });
  onTestFinished(() => worker.stop(0, 0));
  worker.start();
  await inbox.accept(questionRecord());
  const leave = await begun.promise;
  // In the phase of timers, so that an immediate comes before the next timer.
  await delay(1);
  const standStill = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leaseMs * 2);
  const clock = { ...systemClock, sleep: async () => standStill() };
  const thread = { channel: "C1", thread_ts: "1.0", after: "1.0" };
  return { slack, standStill, parts: { slack, clock, thread, leave } };
}

test("S12: a process that was suspended just before it posts does not post", async () => {
  const { slack, standStill, parts } = await heldUp();
  const message = {
    text: "Working on it…",
    mark: { request_id: "r1", correlation_id: "c1", state: "working" },
  } as const;
  const posting = createMarkedMessages(parts).post({ message, budgetMs: 60_000, doubtful: false });
  setImmediate(standStill);
  await expect(posting).rejects.toMatchObject({ name: "JobDropped", why: "taken_over" });
  expect(slack.calls).toEqual([]);
});

test("S12: a process that was suspended attaches no file", async () => {
  const { slack, parts } = await heldUp();
  slack.failNext("upload", "rate_limited");
  const attaching = createMarkedMessages(parts).attach({ filename: "answer.md", content: "answer", doubtful: false });
  await expect(attaching).rejects.toMatchObject({ name: "JobDropped", why: "taken_over" });
  expect(slack.calls).toEqual(["upload"]);
});
