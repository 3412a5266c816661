import { expect, test, vi } from "vitest";
import { runCycles } from "../chaos/run/run-cycles.ts";
import { complaintsOf, cycleComplaintsOf } from "../chaos/report/summary.ts";
import { runChaos } from "../chaos/run/run-chaos.ts";

const limitMs = 100_000;
vi.setConfig({ testTimeout: 400_000 });

test.each(["sqlite", "postgres"] as const)(
  "S5, S12, S13, Z9, T4: on %s every message is answered once while zones, database, network and Slack fail",
  async (engine) => {
    const findings = await runChaos({ engine, messages: 40, seed: 2, limitMs });
    expect(complaintsOf(findings)).toEqual([]);
  },
);

test("S5: a data folder survives repeated kill -9 of both zones", async () => {
  const findings = await runCycles({ seed: 2, cycles: 6, limitMs });
  expect(cycleComplaintsOf(findings)).toEqual([]);
});
