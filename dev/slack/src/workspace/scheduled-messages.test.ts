import { expect, onTestFinished, test, vi } from "vitest";
import { createScheduleStore } from "./scheduled-messages.ts";

test("a scheduled message can wait longer than a timer of Node", () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const schedule = createScheduleStore();
  const days = 24 * 3600;
  const posted: number[] = [];
  for (const day of [1, 30, 100]) {
    const message = { channel: "C1", post_at: day * days, date_created: 0, text: "later" };
    schedule.add(message, () => posted.push(day));
  }
  const postedByDay = [1, 29, 30, 99, 100].map((day) => {
    vi.advanceTimersByTime(day * days * 1000 - Date.now());
    return [...posted];
  });
  expect(postedByDay).toEqual([[1], [1], [1, 30], [1, 30], [1, 30, 100]]);
  expect(schedule.waiting()).toEqual([]);
});
