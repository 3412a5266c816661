import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { notices, waitForNotices, tasksStarted } from "../harness/slack-actions.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

test("a question that waits behind another one in its thread gets one queued notice, then the answer", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ channel: "general", text: "@Crosszone slow 3" });
  await vi.waitUntil(() => tasksStarted(zones) === 1, { timeout: 10_000 });
  const queued = zones.write({ channel: "general", user: "bob", text: "@Crosszone 2+2", thread_ts: root.ts });
  const [told] = await waitForNotices(zones);
  expect(told).toMatchObject({
    text: "Your question is queued. In a thread, I answer one question at a time.",
    thread_ts: root.ts,
    ephemeral_for: queued.user,
  });
  expect(tasksStarted(zones)).toBe(1);
  await vi.waitUntil(() => zones.replies(root).some((reply) => reply.markdown_text?.includes("4")), {
    timeout: 10_000,
  });
  expect(notices(zones)).toHaveLength(1);
});

test("a question that starts within a second gets no queued notice", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ text: "slow 0.3" });
  await vi.waitUntil(() => tasksStarted(zones) === 1, { timeout: 10_000 });
  zones.write({ text: "2+2", thread_ts: root.ts });
  await vi.waitUntil(() => tasksStarted(zones) === 2, { timeout: 10_000 });
  await delay(1_200);
  expect(notices(zones)).toEqual([]);
});
