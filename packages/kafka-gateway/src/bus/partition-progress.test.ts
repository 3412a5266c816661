import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createPartitionProgress } from "./offset-commits.ts";

test("B5: for any order of ends, the committed offset never passes an unfinished message", () => {
  const orders = fc
    .integer({ min: 1, max: 30 })
    .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }));
  fc.assert(
    fc.property(orders, fc.bigInt({ min: 0n, max: 1n << 60n }), (order, start) => {
      const progress = createPartitionProgress(3);
      const open = new Set(order.map((index) => start + BigInt(index)));
      for (const offset of [...open].toSorted((a, b) => Number(a - b))) progress.accept(offset, Number(offset - start));
      for (const index of order) {
        open.delete(start + BigInt(index));
        progress.end(start + BigInt(index));
        const first = [...open].toSorted((a, b) => Number(a - b))[0] ?? start + BigInt(order.length);
        const offset = progress.toCommit();
        expect(offset).toBe(first === start || offset === undefined ? undefined : first);
        if (offset !== undefined) progress.committed(offset);
      }
      progress.committed(start + BigInt(order.length));
      expect([progress.toCommit(), progress.oldest()]).toEqual([undefined, undefined]);
    }),
  );
});

test("a message that arrived before is refused, finished or not; offsets may have gaps", () => {
  const progress = createPartitionProgress(0);
  expect([progress.accept(5n, 100), progress.accept(9n, 200)]).toEqual([true, true]);
  progress.end(5n);
  expect([progress.accept(5n, 100), progress.accept(7n, 150), progress.accept(9n, 200)]).toEqual([false, false, false]);
  expect([progress.toCommit(), progress.oldest()]).toEqual([9n, 200]);
  progress.end(9n);
  expect(progress.toCommit()).toBe(10n);
});
