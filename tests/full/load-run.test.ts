import { expect, test } from "vitest";
import { isFlawless } from "../bench/load-run/report.ts";
import { runLoad } from "../bench/load-run/run-load.ts";

test("both zones answer a mix of right and wrong requests as each deserves, and every mention once", async () => {
  const options = { rate: 100, seconds: 5, warmUpSeconds: 1, write: false };
  const figures = await runLoad(options, () => undefined);
  expect(figures.complaints).toEqual([]);
  expect(figures.rows.filter(({ undeserved }) => undeserved > 0)).toEqual([]);
  expect(figures.answers).toMatchObject({ mentions: 24, right: 24 });
  expect(figures.rows.every(({ requests }) => requests > 0)).toBe(true);
  expect(isFlawless(figures)).toBe(true);
});
