import { expect, test } from "vitest";
import { executionEvents } from "@crosszone/telemetry";
import { createLogger } from "../logging/logger.ts";
import { createEmit } from "./emit.ts";
import { createMetrics } from "./registry.ts";

const sets = {
  agent: (name: string) => name === "A",
  agent_error_kind: ["timeout"],
  bus_channel: [],
  bus_group: [],
  error_kind: ["timeout"],
  http_refusal: [],
  protocol: [],
  zone_method: ["execute_task"],
};

function start() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  const { registry, render } = createMetrics(undefined, { ofProcess: false });
  const emit = createEmit({ logger, events: executionEvents, measured: { registry, sets } });
  return { emit, registry, logger, shown: async () => (await render()).body, lines };
}

test("an event is logged at its row's level, and its row's metrics grow", async () => {
  const { emit, lines, shown } = start();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const ended = { state: "error", agent: "A", duration_ms: 12.3456, traceparent };
  emit("task_failed", { ...ended, kind: "timeout", operation: "run_task", code: -32001 });
  emit("task_ended", { ...ended, duration_ms: 1.23456 });
  emit("task_started", { attempt: 1 });
  emit("task_started", { attempt: 2 });
  expect(lines.slice(0, 2).map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: "error", event: "task_failed", duration_ms: 12, trace_id: traceparent.split("-")[1] },
    { level: "info", event: "task_ended", duration_ms: 1.235 },
  ]);
  expect(lines[0]).not.toContain("traceparent");
  const body = await shown();
  expect(body).toContain('task_requests_total{agent="A",outcome="timeout"} 1\n');
  expect(body).toContain('task_requests_total{agent="A",outcome="success"} 1\n');
  expect(body).toContain('task_duration_seconds_sum{agent="A"} 0.01358016\n');
  expect(body).toContain("tasks_retried_total 1\n");
});

test("request metrics count by outcome and measure in seconds", async () => {
  const { emit, shown } = start();
  emit("rpc_answered", { operation: "execute_task", duration_ms: 1_500 });
  emit("rpc_failed", { operation: "execute_task", kind: "timeout", duration_ms: 500 });
  emit("rpc_failed", { operation: "made_up", kind: "made_up", duration_ms: 0 });
  const lines = (await shown()).split("\n").filter((line) => line.startsWith("rpc_") && !line.includes("_bucket"));
  expect(lines.toSorted()).toEqual(
    [
      'rpc_requests_total{method="execute_task",outcome="success"} 1',
      'rpc_requests_total{method="execute_task",outcome="timeout"} 1',
      'rpc_requests_total{method="other",outcome="other"} 1',
      'rpc_duration_seconds_sum{method="execute_task"} 2',
      'rpc_duration_seconds_count{method="execute_task"} 2',
      'rpc_duration_seconds_sum{method="other"} 0',
      'rpc_duration_seconds_count{method="other"} 1',
    ].toSorted(),
  );
});

test("a label without values is an error at the start", () => {
  const { logger } = start();
  const { registry } = createMetrics(undefined, { ofProcess: false });
  expect(() => createEmit({ logger, events: executionEvents, measured: { registry, sets: {} } })).toThrow(/@\w+/);
});
