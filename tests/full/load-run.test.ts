import { isFlawless, loadOptions, runLoad, type LoadOptions } from "@crosszone/bench/load";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

const optionsOf = (members: Partial<Parameters<typeof loadOptions>[0]>): LoadOptions => ({
  ...loadOptions({ rate: 500, mentions: undefined, seconds: undefined, quick: false, zones: repository, ...members }),
  warmUpSeconds: 1,
});

test("both zones answer a mix of valid and invalid requests correctly, and every mention once", async () => {
  const figures = await runLoad(optionsOf({ rate: 100, seconds: 5 }), () => undefined);
  expect(figures.complaints).toEqual([]);
  expect(figures.rows.filter(({ undeserved }) => undeserved > 0)).toEqual([]);
  expect(figures.answers).toMatchObject({ mentions: 24, right: 24 });
  expect(figures.rows.every(({ requests }) => requests > 0)).toBe(true);
  expect(isFlawless(figures)).toBe(true);
});

test("mentions alone are answered once each", async () => {
  const figures = await runLoad(optionsOf({ mentions: 10, seconds: 2 }), () => undefined);
  expect(figures.answers).toMatchObject({ mentions: 30, right: 30 });
  expect(figures.rows.map(({ requests, kind }) => [kind.asks, requests])).toEqual([
    [true, 20],
    [true, 20],
    [true, 20],
  ]);
  expect(isFlawless(figures)).toBe(true);
});
