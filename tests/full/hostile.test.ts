import { expect, test } from "vitest";
import { attackExecution } from "../hostile/attack-execution.ts";
import { attackSlack } from "../hostile/attack-slack.ts";

/** A new seed for each run. Failures name it. */
const seed = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000);

test.each(["plain", "agentcore"] as const)(
  "Z2, Z3, H1: on the host %s, 100,000 hostile bodies get the answer that an independent oracle expects, and memory stays flat",
  async (profile) => {
    const { failures, exitCode, summary, memory } = await attackExecution({ profile, seed, count: 100_000 });
    console.log(summary);
    expect({ seed, failures }).toEqual({ seed, failures: [] });
    expect(exitCode).toBe(0);
    const [first, , last] = memory;
    expect(last?.heapUsed).toBeLessThan((first?.heapUsed ?? 0) * 1.1);
    expect(last?.rss).toBeLessThan((first?.rss ?? 0) * 1.25);
  },
  900_000,
);

test("S1, S2, S3, H1: of 20,000 requests to the events URL, only real events reach execution, and memory use stays flat", async () => {
  const { failures, invented, answered, exitCode, unstopped, summary, memory } = await attackSlack({
    seed,
    count: 20_000,
  });
  console.log(summary);
  expect({ seed, failures, invented }).toEqual({ seed, failures: [], invented: [] });
  expect(answered).toBeGreaterThan(0);
  expect({ exitCode, unstopped }).toEqual({ exitCode: 0, unstopped: [] });
  const [first, , last] = memory;
  expect(last?.heapUsed).toBeLessThan((first?.heapUsed ?? 0) * 1.5);
  expect(last?.rss).toBeLessThan((first?.rss ?? 0) * 1.25);
}, 900_000);
