import { expect, test, vi } from "vitest";
import { atNextFrame } from "./browser/at-next-frame.ts";

test("what is asked for a thousand times before a frame is done once for it, and again for the next one", () => {
  const frames: (() => void)[] = [];
  const draw = vi.fn<() => void>();
  const drawSoon = atNextFrame(draw, (frame) => frames.push(frame));
  for (let count = 0; count < 1_000; count += 1) drawSoon();
  expect([frames.length, draw.mock.calls.length]).toEqual([1, 0]);
  frames[0]?.();
  expect(draw).toHaveBeenCalledTimes(1);
  drawSoon();
  expect(frames).toHaveLength(2);
});
