import { expect, test } from "vitest";
import { checkConformance } from "./index.ts";

test("K1: an agent that can't be reached speaks no protocol", async () => {
  const refuse = async () => {
    throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") });
  };
  const report = await checkConformance({ url: "http://127.0.0.1:1", fetch: refuse });
  expect(report).toMatchObject({ protocols: [], compliant: false, summary: { failed: 1 } });
  expect(report.checks[0]?.problem).toContain("ECONNREFUSED");
});
