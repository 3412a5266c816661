import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { writePerTurn } from "./log-lines.ts";

test("the lines of one turn are one write, in order; the next turn has its own", async () => {
  const write = vi.fn<(lines: string) => void>();
  const lines = writePerTurn({ write });
  lines.write("1\n");
  await Promise.resolve();
  lines.write("2\n");
  expect(write).not.toHaveBeenCalled();
  await nextTurn();
  lines.write("3\n");
  await nextTurn();
  await nextTurn();
  expect(write.mock.calls).toEqual([["1\n2\n"], ["3\n"]]);
});

test("a destination that throws loses its lines, and is used again", async () => {
  const write = vi.fn<(lines: string) => void>();
  write.mockImplementationOnce(() => {
    throw new Error("full");
  });
  const lines = writePerTurn({ write });
  lines.write("1\n");
  await nextTurn();
  lines.write("2\n");
  await nextTurn();
  expect(write.mock.calls).toEqual([["1\n"], ["2\n"]]);
});
