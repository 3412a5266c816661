import { expect, test, vi } from "vitest";
import { atNextFrame } from "./browser/at-next-frame.ts";

test("a thousand requests before a frame run the callback once, and again in the next frame", () => {
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
