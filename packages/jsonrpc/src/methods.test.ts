import { expect, test } from "vitest";
import { correlationOf } from "./methods.ts";

test.each<[unknown, string]>([
  [{ correlation_id: "mine" }, "mine"],
  [{ correlation_id: "x".repeat(128) }, "x".repeat(128)],
  [{ correlation_id: "x".repeat(129) }, "other"],
  [{ correlation_id: "" }, "other"],
  [{ correlation_id: "two words" }, "other"],
  [{ correlation_id: ["mine"] }, "other"],
  [Object.create({ correlation_id: "inherited" }), "other"],
  [["mine"], "other"],
  [null, "other"],
  [undefined, "other"],
])("L7: a call with %j is followed by %s", (params, expected) => {
  expect(correlationOf(params, "other")).toBe(expected);
});
