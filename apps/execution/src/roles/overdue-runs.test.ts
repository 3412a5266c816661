import { createLogger } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { expect, test } from "vitest";
import { createOverdueCheck } from "./overdue-runs.ts";

const minute = 60_000;

test("overdue runs are logged as an error: at once, every ten minutes, and again after they progressed", async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  let at = 0;
  let oldestDueMs: number | undefined = 0;
  const look = createOverdueCheck({
    logger,
    now: () => at,
    readings: async () => {
      if (oldestDueMs === undefined) throw new Error("the database is away");
      return { oldestDueMs, open: 3 };
    },
  });
  const saidAfter = async (minutes: number, late: number | undefined): Promise<number> => {
    [at, oldestDueMs] = [minutes * minute, late];
    await look();
    return lines.length;
  };
  expect(await saidAfter(0, 29_999)).toBe(0);
  expect(await saidAfter(1, 30_000)).toBe(1);
  expect(lines[0]).toMatchObject({ level: "error", event: "runs_overdue", oldest_due_ms: 30_000, open: 3 });
  expect(await saidAfter(10, 9 * minute)).toBe(1);
  expect(await saidAfter(11, undefined)).toBe(1);
  expect(await saidAfter(11, 10 * minute)).toBe(2);
  expect(await saidAfter(12, 0)).toBe(2);
  expect(await saidAfter(13, minute)).toBe(3);
});
