import { describe, expect, it } from "vitest";
import { forgeries, forgeryVerdict, replayVerdict } from "./traffic-panel.ts";

describe("verdicts", () => {
  it.each(Object.keys(forgeries) as (keyof typeof forgeries)[])(
    "S1, S2: %s passes when refused, and fails when accepted",
    (kind) => {
      expect(forgeryVerdict(kind, { status: 401, ms: 2.4 })).toMatchObject({ passed: true });
      expect(forgeryVerdict(kind, { status: 401, ms: 2.4 }).sentence).toMatch(/^Refused: 401 in 2 ms, because it /);
      expect(forgeryVerdict(kind, { status: 200, ms: 2 })).toMatchObject({ passed: false });
      expect(forgeryVerdict(kind, { status: 500, ms: 2 })).toMatchObject({ passed: false });
      expect(forgeryVerdict(kind, { status: 0, ms: 2 })).toMatchObject({ passed: undefined });
    },
  );

  it("S3: a replay passes only without another answer", () => {
    expect(replayVerdict({ status: 200, ms: 3 }, 0)).toMatchObject({
      passed: true,
      sentence: "Duplicate detected: 200 in 3 ms. No second answer.",
    });
    expect(replayVerdict({ status: 200, ms: 3 }, 1)).toMatchObject({ passed: undefined });
    expect(replayVerdict({ status: 401, ms: 3 }, 0)).toMatchObject({ passed: true });
    expect(replayVerdict({ status: 0, ms: 3 }, 0)).toMatchObject({ passed: undefined });
  });
});
