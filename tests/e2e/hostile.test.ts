import { expect, test } from "vitest";
import { attackExecution } from "../hostile/attack-execution.ts";

/** Another one for each run; a failure names it. */
const seed = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000);

test("Z2, Z3: 6,000 hostile bodies get the answer that an independent oracle expects, and the execution zone lives", async () => {
  const { failures, exitCode, summary } = await attackExecution({ seed, count: 6_000 });
  console.log(summary);
  expect({ seed, failures }).toEqual({ seed, failures: [] });
  expect(exitCode).toBe(0);
});
