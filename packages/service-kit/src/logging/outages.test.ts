import { expect, test, vi } from "vitest";
import { createOutageFilter } from "./logger.ts";

const error = (message: string, code?: string): object => ({
  name: "Error",
  message,
  stack: `Error: ${message}\n  at`,
  code,
});
const away = error("connect ECONNREFUSED 10.0.0.1:5432", "ECONNREFUSED");
const line = (event: string, fields: object = { cause: away }) => ({ level: "warn", event, ...fields });

test("J12: one outage was hundreds of lines with stacks; it is one a minute, which counts the others", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const filter = createOutageFilter();
  const { stack: _, ...cause } = away as { readonly stack: string };
  expect(filter(line("job_store_failed"))).toEqual(line("job_store_failed", { cause }));
  for (let second = 0; second < 59; second += 1) {
    vi.advanceTimersByTime(1_000);
    expect(filter(line("purge_failed", { table: `t${second}`, cause: away }))).toBeUndefined();
  }
  vi.advanceTimersByTime(1_000);
  expect(filter(line("task_store_failed"))).toMatchObject({ event: "task_store_failed", left_out: 59 });
  vi.advanceTimersByTime(60_000);
  expect(filter(line("task_store_failed"))).not.toHaveProperty("left_out");
  vi.useRealTimers();
});

test.each([
  ["another host", { cause: error("connect ECONNREFUSED 10.0.0.2:5432", "ECONNREFUSED") }],
  ["an error's own cause", { cause: { ...error("fetch failed"), cause: error("read ECONNRESET", "ECONNRESET") } }],
  ["an error of pg without a code", { error: error("Connection terminated unexpectedly") }],
  ["a full disk", { cause: error("database or disk is full", "ERR_SQLITE_ERROR") }],
  ["the other zone", { kind: "link_unreachable", code: -32_001 }],
  ["one question", { cause: away, correlation_id: "c1" }],
  ["another question", { kind: "zone_unavailable", correlation_id: "c2" }],
  ["an error of a higher level", { cause: away, level: "error" }],
])("J12: %s is a cause of its own, written once and without stacks", (_name, fields) => {
  const filter = createOutageFilter();
  filter(line("job_store_failed"));
  const written = filter(line("job_store_failed", fields));
  expect(written).toBeDefined();
  expect(JSON.stringify(written)).not.toContain("stack");
  expect(filter(line("job_store_failed", fields))).toBeUndefined();
});

test.each([
  ["a bug", { cause: error("x is not a function") }],
  ["an error of a statement", { cause: error("duplicate key", "23505") }],
  ["a bug that ends the process", { err: away }],
  ["an exit code", { code: 53, kind: "agent_failed" }],
])("J12: %s is no outage: each line stays whole", (_name, fields) => {
  const filter = createOutageFilter();
  for (let times = 0; times < 2; times += 1) expect(filter(line("x", fields))).toEqual(line("x", fields));
});
