import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { citedPromises, promisesPage } from "../promises.ts";
import { requirements } from "../requirements.ts";

test("every requirement is cited by a test, and no test cites one that is not listed", () => {
  const ids = Object.keys(requirements);
  const cited = citedPromises();
  expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  expect([...cited.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

test("the page of the tests says at which levels each promise is proven", async () => {
  const page = readFileSync(resolve(import.meta.dirname, "../README.md"), "utf8");
  expect(page, "Run `pnpm generate`.").toBe(await promisesPage());
});
