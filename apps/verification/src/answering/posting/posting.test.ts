import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeSlack } from "../../testing/fake-slack.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import type { Clock } from "../../time/clock.ts";
import { attachFile } from "./attach-file.ts";
import { createEditPace } from "./step-display.ts";

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

/** Makes a pace whose burst is used up, and records the later turns. */
async function busyPace() {
  const clock = createVirtualClock();
  onTestFinished(clock.stop);
  const pace = createEditPace(clock);
  const turns: string[] = [];
  const take = async (name: string, signal = new AbortController().signal): Promise<void> => {
    await pace.turn(signal);
    turns.push(name);
  };
  for (let at = 0; at < 10; at++) await take("burst");
  turns.length = 0;
  return { clock, turns, take };
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

describe("edit pace", () => {
  test("the display that waits longest is edited next", async () => {
    const { clock, turns, take } = await busyPace();
    const late = clock.sleep(2_000).then(() => take("late"));
    await Promise.all([take("first"), take("second"), late]);
    expect(turns).toEqual(["first", "second", "late"]);
  });

  test("a display that stops waiting takes no turn and delays no other", async () => {
    const { clock, turns, take } = await busyPace();
    const stopping = [new AbortController(), new AbortController()];
    const leaving = stopping.map(({ signal }) => expect(take("gone", signal)).rejects.toThrow("stopped"));
    const last = take("last");
    for (const one of stopping.toReversed()) one.abort(new Error("stopped"));
    await Promise.all([...leaving, last]);
    expect(turns).toEqual(["last"]);
    expect(clock.now()).toBe(2_000);
  });
});
