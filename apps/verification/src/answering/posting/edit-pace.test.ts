import { expect, onTestFinished, test } from "vitest";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { createEditPace } from "./step-display.ts";

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
