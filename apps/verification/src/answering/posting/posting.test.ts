import { describe, expect, test } from "vitest";
import { createFakeSlack } from "../../testing/fake-slack.ts";
import type { Clock } from "../../time/clock.ts";
import { attachFile } from "./attach-file.ts";

const thread = { channel: "C1", thread_ts: "1.0", after: "1.0" };

const file = { filename: "answer-1.md", content: "all of it", doubtful: false };

/** Returns a clock on which the timeout of a file expires after two waits. */
function hastyClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: async () => {
      now += 20_000;
    },
  };
}

function started(): { slack: ReturnType<typeof createFakeSlack>; attach: () => Promise<void> } {
  const slack = createFakeSlack();
  slack.say({ ...thread, ts: "1.0", text: "tell me everything" });
  const deps = { slack, thread, clock: hastyClock(), leave: new AbortController().signal };
  return { slack, attach: () => attachFile(deps, file) };
}

describe("attach file", () => {
  test("S12: a file whose last attempt succeeded without a response is not reported as missing", async () => {
    const { slack, attach } = started();
    slack.failNext("upload", "unavailable");
    slack.failNext("upload", "unavailable");
    slack.failNext("upload", "unavailable", { anyway: true });
    await attach();
    expect(slack.uploads).toEqual([{ filename: "answer-1.md", content: "all of it" }]);
  });

  test("a file that Slack refuses is reported as missing; so is a file that can't be searched for", async () => {
    const { slack, attach } = started();
    for (let tries = 0; tries < 3; tries++) slack.failNext("upload", "unavailable");
    await expect(attach()).rejects.toMatchObject({ failure: "unavailable" });
    expect(slack.uploads).toEqual([]);
    for (let tries = 0; tries < 4; tries++) slack.failNext("replies", "unavailable");
    slack.failNext("upload", "unavailable", { anyway: true });
    await expect(attach()).rejects.toMatchObject({ failure: "unavailable" });
  });
});
