import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHealth } from "./health.ts";
import { TimeLimitError, withTimeout } from "./with-timeout.ts";

test("the service is ready if every check is, and each check has its own entry", async () => {
  const health = createHealth();
  expect(await health.ready()).toEqual({ ready: true, checks: {} });
  health.addCheck("store", () => undefined);
  health.addCheck("bus", async () => "no broker answers");
  expect(await health.ready()).toEqual({
    ready: false,
    checks: { store: { ok: true }, bus: { ok: false, reason: "no broker answers" } },
  });
  expect(health.live()).toEqual({ status: "ok" });
});

test("reasons are short and safe, and the whole error goes to the log", async () => {
  const seen: unknown[] = [];
  const health = createHealth({ onError: (name, error) => void seen.push([name, error]) });
  const refused = Object.assign(new Error("connect to postgres://me:pass@10.0.0.1"), { code: "ECONNREFUSED" });
  health.addCheck("store", () => Promise.reject(refused));
  health.addCheck("odd", () => {
    throw undefined;
  });
  health.addCheck("code", () => Promise.reject(Object.assign(new Error("x"), { code: "select * from users" })));
  health.addCheck("talkative", () => `xoxb-1-2-abc\n${"very ".repeat(100)}long`);
  const { checks } = await health.ready();
  expect(checks["store"]).toEqual({ ok: false, reason: "failed (ECONNREFUSED)" });
  expect(checks["odd"]).toEqual({ ok: false, reason: "failed" });
  expect(checks["code"]).toEqual({ ok: false, reason: "failed" });
  expect(checks["talkative"]?.reason).toMatch(/^\[redacted\] very .{1,150}$/);
  expect(seen).toContainEqual(["store", refused]);
});

test("a check that hangs is not ready in time, is aborted, and can recover", async () => {
  const health = createHealth({ timeoutMs: 30 });
  let hang = true;
  let signal: AbortSignal | undefined;
  health.addCheck("store", async (given) => {
    signal = given;
    if (hang) await sleep(10_000, undefined, { ref: false });
  });
  const started = performance.now();
  expect(await health.ready()).toEqual({
    ready: false,
    checks: { store: { ok: false, reason: "not done within 30 ms" } },
  });
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(signal?.aborted).toBe(true);
  hang = false;
  expect(await health.ready()).toMatchObject({ ready: true });
});

test("concurrent requests share one run of a check", async () => {
  const health = createHealth();
  let runs = 0;
  health.addCheck("store", async () => {
    runs += 1;
    await sleep(10);
  });
  await Promise.all(Array.from({ length: 50 }, () => health.ready()));
  expect(runs).toBe(1);
  await health.ready();
  expect(runs).toBe(2);
});

test("a stopping service is alive but not ready, without running a check", async () => {
  const health = createHealth();
  let asked = false;
  health.addCheck("store", () => {
    asked = true;
  });
  expect(health.stopping.aborted).toBe(false);
  health.markStopping();
  expect(health.stopping.aborted).toBe(true);
  expect(await health.ready()).toEqual({
    ready: false,
    checks: { stopping: { ok: false, reason: "the service is stopping" } },
  });
  expect(asked).toBe(false);
  expect(health.live()).toEqual({ status: "ok" });
});

test("a failing log does not fail the response; a name can be used once", async () => {
  const health = createHealth({
    onError: () => {
      throw new Error("log");
    },
  });
  health.addCheck("store", () => Promise.reject(new Error("down")));
  expect(await health.ready()).toMatchObject({ ready: false });
  expect(() => health.addCheck("store", () => undefined)).toThrow("the health check store already exists");
});

test("work that finishes in time returns its result or its own error, thrown or rejected", async () => {
  await expect(withTimeout(1_000, () => 1)).resolves.toBe(1);
  await expect(withTimeout(1_000, () => Promise.reject(new Error("own")))).rejects.toThrow("own");
  const thrower = (): number => {
    throw new Error("thrown");
  };
  await expect(withTimeout(1_000, thrower)).rejects.toThrow("thrown");
});

test("late work is aborted and not awaited", async () => {
  let signal: AbortSignal | undefined;
  const work = (given: AbortSignal): Promise<void> => {
    signal = given;
    return sleep(10_000, undefined, { ref: false });
  };
  await expect(withTimeout(20, work)).rejects.toThrow(TimeLimitError);
  expect(signal?.aborted).toBe(true);
});
