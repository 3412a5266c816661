import { systemClock } from "@crosszone/service-kit/timing";
import { expect, onTestFinished, test } from "vitest";
import { createSweeper } from "./sweep.ts";

type Deps = Parameters<typeof createSweeper>[0];

test("P5: a socket that was lost while a heartbeat was stored is noted by the next one", async () => {
  const gaps: number[] = [];
  const store = {
    beat: async (_teams: readonly string[], gapMs: number): Promise<void> => {
      if (gaps.push(gapMs) !== 2) return;
      sweeper.down();
      sweeper.up();
    },
    lease: async () => undefined,
  } as unknown as Deps["store"];
  const deps: Partial<Deps> = { store, allWorkspaces: async () => [], heartbeatMs: 1, clock: systemClock };
  const sweeper = createSweeper(deps as Deps);
  onTestFinished(() => sweeper.stop(0));
  sweeper.up();
  await expect.poll(() => gaps.slice(0, 4)).toEqual([0, 3, 0, 3]);
});
