import { describe, expect, it } from "vitest";
import type { TrafficEntry } from "../../protocol/control-api.ts";
import { countTraffic, duration, filterTraffic, outcomeOf } from "./traffic-row.ts";
import { forgeries, forgeryVerdict, replayVerdict } from "./traffic-panel.ts";

const entry = (id: number, rest: Partial<TrafficEntry> = {}): TrafficEntry => ({
  id,
  at: 0,
  kind: "event",
  name: "message",
  status: 200,
  ms: 1,
  verdict: "",
  request: {},
  response: {},
  ...rest,
});

describe("traffic", () => {
  const all = [entry(1), entry(2, { kind: "rpc" }), entry(3)];

  it("is shown by when it began, not by when it ended", () => {
    const slow = entry(3, { at: 10 });
    expect(filterTraffic([entry(1, { at: 20 }), entry(2, { at: 30 }), slow], "all").at(-1)).toBe(slow);
  });

  it("is shown newest first, all or one kind", () => {
    expect(filterTraffic(all, "all").map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(filterTraffic(all, "event").map(({ id }) => id)).toEqual([3, 1]);
    expect(countTraffic(all)).toEqual({ all: 3, event: 2, web_api: 0, rpc: 1, agent: 0 });
  });

  it.each<[Partial<TrafficEntry>, string]>([
    [{}, "good"],
    [{ response: "ok" }, "good"],
    [{ response: { error: null, result: {} } }, "good"],
    [{ status: 401 }, "refused"],
    [{ response: { ok: false, error: "channel_not_found" } }, "refused"],
    [{ kind: "rpc", response: { error: { code: -32601 } } }, "refused"],
    [{ status: 503 }, "failed"],
    [{ status: 0 }, "failed"],
  ])("%j is %s", (rest, outcome) => {
    expect(outcomeOf(entry(1, rest))).toBe(outcome);
  });

  it.each([
    [0.4, "0 ms"],
    [999.6, "1.0 s"],
    [1234, "1.2 s"],
  ])("%d ms reads %s", (ms, label) => {
    expect(duration(ms)).toBe(label);
  });
});

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
