// suite: rest
import { expect, inject, test, vi } from "vitest";
import { engineNames, subjectNames } from "./jobs.ts";
import { measureJobs, type Plan } from "./measure.ts";

// More than ten processes, one after the other.
vi.setConfig({ testTimeout: 180_000 });

const plan: Plan = {
  rounds: 1,
  tables: [
    { waiting: 40, ended: 0 },
    { waiting: 400, ended: 100 },
  ],
  drainMs: 20,
  wake: { rates: [100], ms: 200 },
};

test.for(engineNames.filter((engine) => engine === "sqlite" || inject("engines") === "both"))(
  "a very small bench:jobs takes and ends every job that it asks for, on %s",
  async (engine) => {
    const { drain, wake } = await measureJobs(plan, [engine], () => undefined);
    expect(drain).toMatchObject(
      plan.tables.flatMap((table) => subjectNames.map((subject) => ({ engine, subject, ...table }))),
    );
    expect(drain.every(({ jobsPerSecond }) => jobsPerSecond > 0)).toBe(true);
    expect(wake).toMatchObject(subjectNames.map((subject) => ({ engine, subject, rate: 100, jobs: 20 })));
  },
);
