import { expect, test } from "vitest";
import { holdsInfinity } from "./json.ts";

test.each([
  ["1e999", true],
  ['{"a":[1,{"b":-1e999}]}', true],
  ['{"a":[1,null,"1e999",1e308],"b":{}}', false],
  [`${"[".repeat(100_000)}1e999${"]".repeat(100_000)}`, true],
])("%.40s", (json, holds) => {
  expect(holdsInfinity(JSON.parse(json))).toBe(holds);
});
