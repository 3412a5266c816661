import { expect, test, vi } from "vitest";
import { attackExecution } from "../hostile/attack-execution.ts";
import { attackSlack } from "../hostile/attack-slack.ts";

vi.setConfig({ testTimeout: 180_000 });

/** Another one for each run; a failure names it. */
const seed = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000);

test.each(["plain", "agentcore"] as const)(
  "Z2, Z3, H1: on the host %s, 5,000 hostile bodies get the answer that an independent oracle expects, and the execution zone lives",
  async (profile) => {
    const { failures, exitCode, summary } = await attackExecution({ profile, seed, count: 5_000 });
    console.log(summary);
    expect({ seed, failures }).toEqual({ seed, failures: [] });
    expect(exitCode).toBe(0);
  },
);

test("S1, S2, S3, H1: of 1,000 requests to the events URL, signed and unsigned mutants of real ones, only real events reach execution", async () => {
  const { failures, invented, answered, exitCode, unstopped, summary } = await attackSlack({ seed, count: 1_000 });
  console.log(summary);
  expect({ seed, failures, invented }).toEqual({ seed, failures: [], invented: [] });
  expect(answered).toBeGreaterThan(0);
  expect({ exitCode, unstopped }).toEqual({ exitCode: 0, unstopped: [] });
});
