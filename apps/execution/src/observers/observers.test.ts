import { createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { describe, expect, test } from "vitest";
import { recordSpans } from "../testing/record-spans.ts";
import { echo, startZone } from "../testing/start-zone.ts";
import { measureBridge } from "./observe-bridge.ts";
import { measureWorkflows, observeWorkflows } from "./observe-workflows.ts";

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

describe("observe workflows", () => {
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
});

describe("rpc spans", () => {
  test("an unknown method is not a span name, and its error has kind and code", async () => {
    const { tracer, spans } = recordSpans();
    const zone = await startZone([echo], { tracer });
    await zone.call("made_up", {}, null);
    expect(spans).toMatchObject([
      {
        name: "jsonrpc",
        kind: "server",
        ended: {
          error: "method_not_found",
          attributes: { "rpc.method": "_OTHER", "jsonrpc.request.id": "", "rpc.status_code": "-32601" },
        },
      },
    ]);
    expect(spans[0]?.ended).not.toHaveProperty("name");
  });
});
