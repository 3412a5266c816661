import { setImmediate as turn } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyLanes } from "./key-lanes.ts";

interface Item {
  readonly key: string;
  readonly number: number;
  /** Number of runs until it is done. */
  readonly runs: number;
}

const items = fc.array(fc.record({ key: fc.constantFrom("a", "b", "c", "d"), runs: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 40,
});

test("items of a key run in order and one at a time, even when repeated; concurrency stays within the limit", async () => {
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (given, concurrency) => {
      const all = given.map((item, number): Item => ({ ...item, number }));
      const left = new Map(all.map(({ number, runs }) => [number, runs]));
      const done: Item[] = [];
      const underWay = new Set<string>();
      const lanes = createKeyLanes<Item>({
        concurrency,
        keyOf: ({ key }) => key,
        run: async (item) => {
          expect(underWay.has(item.key)).toBe(false);
          underWay.add(item.key);
          expect(underWay.size).toBeLessThanOrEqual(concurrency);
          await turn();
          underWay.delete(item.key);
          const runs = (left.get(item.number) ?? 0) - 1;
          left.set(item.number, runs);
          if (runs > 0) return 0;
          done.push(item);
          return undefined;
        },
      });
      for (const item of all) lanes.add(item);
      await lanes.idle();
      expect(done).toHaveLength(all.length);
      const order = ({ key }: Item): number[] => done.filter((item) => item.key === key).map(({ number }) => number);
      for (const item of all) expect(order(item)).toEqual(order(item).toSorted((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});

test("an item that waits for its retry leaves its slot to other keys, and runs immediately if it is hurried", async () => {
  const ran: string[] = [];
  const lanes = createKeyLanes<string>({
    concurrency: 1,
    keyOf: (item) => item.slice(0, 1),
    run: async (item) => {
      ran.push(item);
      return item === "a1" && ran.length === 1 ? 3_600_000 : undefined;
    },
  });
  for (const item of ["a1", "a2", "b1"]) lanes.add(item);
  while (ran.length < 2) await turn();
  expect(ran).toEqual(["a1", "b1"]);
  lanes.hurry();
  await lanes.idle();
  expect(ran).toEqual(["a1", "b1", "a1", "a2"]);
});
