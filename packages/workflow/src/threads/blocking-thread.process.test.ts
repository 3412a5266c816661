import { setTimeout as delay } from "node:timers/promises";
import { startThread } from "@crosszone/service-kit";
import { expect, test } from "vitest";
import { TimeLimitError } from "./within-time.ts";
import { createBlockingThread, type BlockingThread } from "./blocking-thread.ts";

function newThread(): { thread: BlockingThread<string, string>; ends: () => number } {
  let ends = 0;
  const thread = createBlockingThread<string, string>({
    start: (settings) =>
      startThread(import.meta.url, "../testing/hungry-thread", {
        workerData: settings,
        transferList: [settings.port],
        resourceLimits: { maxOldGenerationSizeMb: 32 },
      }),
    onEnded: () => (ends += 1),
  });
  return { thread, ends: () => ends };
}

test("answers its questions one after the other", () => {
  const { thread } = newThread();
  expect(["a", "b"].map((question) => thread.send(question, 10_000))).toEqual([
    "a, said the thread",
    "b, said the thread",
  ]);
});

test.each(["fill the memory", "never answer", "exit"])(
  "I8: a thread that was told to %s is terminated and replaced, and the process continues",
  async (question) => {
    const { thread, ends } = newThread();
    expect(() => thread.send(question, 2_000)).toThrow(TimeLimitError);
    expect(ends()).toBe(1);
    expect(thread.send("a", 10_000)).toBe("a, said the thread");
    // The first thread's errors and exits arrive now.
    await delay(200);
    expect(thread.send("b", 10_000)).toBe("b, said the thread");
    expect(ends()).toBe(1);
  },
);
