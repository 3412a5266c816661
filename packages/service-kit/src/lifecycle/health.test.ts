import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, afterEach, onTestFinished } from "vitest";
import { answer, headersOf } from "../http/answer.ts";
import { close, createHttpServer, listen } from "../http/http-server.ts";
import { createHealth, isAlive } from "./health.ts";
import { TimeLimitError, withTimeout } from "../values/timing.ts";

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

test("W22: a service that only a restart may help says so, in a short and safe sentence", () => {
  const health = createHealth();
  let reason: string | undefined;
  health.addLiveCheck(() => reason);
  expect(health.live()).toEqual({ status: "ok" });
  reason = "the socket of xoxb-1-2-abc is deaf";
  expect(health.live()).toEqual({ status: "failing", reason: "the socket of [redacted] is deaf" });
});

test("reasons are short and safe", async () => {
  const health = createHealth();
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
});

test("a check that hangs is not ready in time, is aborted, and can recover", async () => {
  const health = createHealth();
  let hang = true;
  let signal: AbortSignal | undefined;
  const check = async (given: AbortSignal): Promise<void> => {
    signal = given;
    if (hang) await sleep(10_000, undefined, { ref: false });
  };
  health.addCheck("store", check, { timeoutMs: 30 });
  expect(await health.ready()).toEqual({
    ready: false,
    checks: { store: { ok: false, reason: "no answer within 0.03 s" } },
  });
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

test("a name can be used once", async () => {
  const health = createHealth();
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

let server: ReturnType<typeof createHttpServer> | undefined;
afterEach(async () => server && close(server, { deadlineMs: 100 }));

test("over TLS, a header tells browsers to use only TLS from then on", () => {
  const encrypted = Object.assign(new Socket(), { encrypted: true });
  expect(headersOf(encrypted, "id")).toEqual([
    ...headersOf(new Socket(), "id"),
    "strict-transport-security",
    "max-age=31536000",
  ]);
});

test("a response's own headers are sent once, whatever was set before", async () => {
  server = createHttpServer((_request, response) => {
    response.setHeader("x-request-id", "other");
    answer(response, 200, { contentType: "text/plain", body: "ü", headers: ["x-more", "1"] });
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  const response = await fetch(url, { headers: { "x-request-id": "mine" } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-request-id": "mine",
    "x-more": "1",
    "content-length": "2",
  });
});

/** A server that answers `/healthz` with `status`, or never. Gives its port. */
async function startServer(status: number | undefined): Promise<number> {
  const zone = createHttpServer(({ url }, response) => {
    if (status !== undefined) response.writeHead(url === "/healthz" ? status : 404).end();
  });
  onTestFinished(async () => void (await close(zone, { deadlineMs: 0 })));
  return (await listen(zone, { host: "0.0.0.0", port: 0 })).port;
}

test.each([
  ["200", 200, true],
  ["503", 503, false],
  ["nothing", undefined, false],
])("a zone that answers %s is alive: %s", async (_answer, status, alive) => {
  const port = await startServer(status);
  const timeoutMs = status === undefined ? 300 : 30_000;
  for (const host of ["0.0.0.0", "127.0.0.1"])
    expect(await isAlive({ host, port, usesTls: false, timeoutMs })).toBe(alive);
});

test("an unreachable zone, or one without TLS, is not alive", async () => {
  expect(await isAlive({ host: "127.0.0.1", port: 1, usesTls: false })).toBe(false);
  expect(await isAlive({ host: "127.0.0.1", port: await startServer(200), usesTls: true })).toBe(false);
});
