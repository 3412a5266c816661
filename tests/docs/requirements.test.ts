import { expect, test } from "vitest";
import { citedPromises } from "../promises.ts";
import { requirements } from "../requirements.ts";

test("every requirement is cited by a test, and no test cites one that is not listed", () => {
  const ids = Object.keys(requirements);
  const cited = citedPromises();
  expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  expect([...cited.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});
