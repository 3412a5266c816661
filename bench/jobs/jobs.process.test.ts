import { expect, inject, test, vi } from "vitest";
import { measureJobs } from "./benchmark.ts";
import { engines, parts, subjects, type Plan } from "./plan.ts";

// More than twenty processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

const plan: Plan = {
  rounds: 1,
  sizes: [40, 400],
  kept: 100,
  drainMs: 20,
  snapshot: { waiting: 4_000, drained: 1_000 },
  lanes: { inFront: 300, others: 200 },
  wake: { rates: [100], ms: 200 },
};

test.for(engines.filter((engine) => engine === "sqlite" || inject("engines") === "both"))(
  "a very small bench:jobs takes and ends every job that it asks for, on %s",
  async (engine) => {
    const options = { plan, engines: [engine], parts };
    const { drain, kept, snapshot, lanes, wake } = await measureJobs(options, () => undefined);
    const sizes = plan.sizes.flatMap((waiting) => subjects.map((subject) => ({ engine, subject, waiting })));
    expect(drain).toMatchObject(sizes.map((point) => ({ ...point, kept: 0 })));
    expect(kept).toMatchObject(sizes.map((point) => ({ ...point, kept: 100 })));
    expect([...drain, ...kept].every(({ jobsPerSecond }) => jobsPerSecond > 0)).toBe(true);
    expect(snapshot.map(({ held }) => held)).toEqual([false, true, false, true]);
    expect(snapshot.every((curve) => curve.parts.at(-1)?.drained === 1_000)).toBe(true);
    expect(lanes.map(({ subject, take }) => [subject, take.p50 > 0])).toEqual(subjects.map((one) => [one, true]));
    expect(wake).toMatchObject(subjects.map((subject) => ({ engine, subject, rate: 100, jobs: 20 })));
  },
);
