import { createMetrics } from "@crosszone/service-kit";
import { expect, test } from "vitest";
import { measureBridge } from "./observe-bridge.ts";

test("M1: the waiting calls are read once for both gauges of a scrape, and again for the next scrape", async () => {
  const metrics = createMetrics();
  let reads = 0;
  measureBridge(metrics, {
    bridge: { readings: async () => ({ open: 9, waiting: (reads += 1), oldestWaitingMs: 1_500, running: 2 }) },
    breakers: { readings: () => [] },
    slots: { readings: () => new Map() },
    isKnown: () => true,
  });
  for (const scrape of [1, 2]) {
    const { body } = await metrics.render();
    expect(body).toContain(`agent_calls_waiting ${scrape}\n`);
    expect(body).toContain("agent_call_oldest_waiting_seconds 1.5\n");
    expect(reads).toBe(scrape);
  }
});
