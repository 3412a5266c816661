import { createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { expect, test } from "vitest";
import { observeWorkflows, measureWorkflows } from "./observe-workflows.ts";

const trace_id = "0af7651916cd43dd8448eb211c80319c";
const ids = { run_id: "r1", workflow_id: "w", correlation_id: "c1" };
const run = { ...ids, traceparent: `00-${trace_id}-b7ad6b7169203331-01` };

function watch() {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const logger = createLogger({ zone: "execution", level: "debug", events: executionEvents, destination });
  const metrics = createMetrics();
  return {
    metrics,
    observer: observeWorkflows({ logger, metrics }),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    shown: async () => (await metrics.render()).body,
  };
}

test("each run is logged at info when it starts and ends, its steps at debug; all are measured by workflow", async () => {
  const { observer, lines, shown } = watch();
  observer.runStarted(run);
  observer.stepChanged(run, { path: "ask", attempt: 1, state: "running", durationMs: undefined });
  observer.stepChanged(run, { path: "ask", attempt: 1, state: "succeeded", durationMs: 1_500 });
  observer.runEnded(run, { state: "succeeded", durationMs: 2_000.4 });
  expect(lines()).toMatchObject([
    { level: "info", event: "run_started", ...ids, trace_id },
    { level: "debug", event: "step_started", ...ids, trace_id, path: "ask", attempt: 1 },
    { level: "debug", event: "step_ended", ...ids, trace_id, state: "succeeded", duration_ms: 1_500 },
    { level: "info", event: "run_ended", ...ids, trace_id, state: "succeeded", duration_ms: 2_000 },
  ]);
  const body = await shown();
  expect(body).toContain('workflow_runs_started_total{workflow="w"} 1\n');
  expect(body).toContain('workflow_run_requests_total{workflow="w",outcome="succeeded"} 1\n');
  expect(body).toContain('workflow_step_requests_total{workflow="w",outcome="succeeded"} 1\n');
  expect(body).toContain('workflow_step_duration_seconds_sum{workflow="w"} 1.5\n');
  expect(body).toContain('workflow_run_duration_seconds_count{workflow="w"} 1\n');
});

test("failed and timed-out runs are logged at warn, canceled and reopened runs at info", async () => {
  const { observer, lines, shown } = watch();
  observer.runEnded(run, { state: "failed", durationMs: 1 });
  observer.runReopened(run);
  observer.runEnded(run, { state: "timed_out", durationMs: 1 });
  observer.runEnded(run, { state: "canceled", durationMs: 1 });
  expect(lines().map(({ level, event, state }) => [level, event, state])).toEqual([
    ["warn", "run_ended", "failed"],
    ["info", "run_reopened", undefined],
    ["warn", "run_ended", "timed_out"],
    ["info", "run_ended", "canceled"],
  ]);
  expect(await shown()).toContain('workflow_runs_reopened_total{workflow="w"} 1\n');
});

test("internal errors are logged with their cause, and counted by kind", async () => {
  const { observer, lines, shown } = watch();
  observer.runBroken(run, new Error("a bug"));
  observer.runUnreadable("r2", new Error("no key"));
  observer.timerFailed(new Error("away"));
  observer.timerFailed(new Error("odd"), "r3");
  expect(lines()).toMatchObject([
    { level: "error", event: "run_broken", ...ids, trace_id, cause: { message: "a bug" } },
    { level: "error", event: "run_unreadable", run_id: "r2" },
    { level: "warn", event: "run_timer_failed" },
    { level: "warn", event: "run_timer_failed", run_id: "r3" },
  ]);
  const body = await shown();
  for (const [kind, count] of Object.entries({ broken: 1, unreadable: 1, timer: 2 }))
    expect(body).toContain(`workflow_failures_total{kind="${kind}"} ${count}\n`);
});

test("open and overdue runs are read once for both gauges of a scrape, and again for the next scrape", async () => {
  const { metrics, shown } = watch();
  let reads = 0;
  measureWorkflows(metrics, { readings: async () => ({ open: (reads += 1), oldestDueMs: 1_500 }) });
  for (const scrape of [1, 2]) {
    const body = await shown();
    expect(body).toContain(`workflow_runs_open ${scrape}\n`);
    expect(body).toContain("workflow_run_oldest_due_seconds 1.5\n");
    expect(reads).toBe(scrape);
  }
});
