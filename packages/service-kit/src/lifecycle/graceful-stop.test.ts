import { processEvents } from "@crosszone/telemetry";
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createGracefulStop, type StoppableProcess } from "./graceful-stop.ts";
import { createLogger } from "../logging/logger.ts";

class FakeProcess extends EventEmitter implements StoppableProcess {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
    super.emit("exit");
  }

  async signal(name: string, cause?: unknown): Promise<void> {
    const exit = once(this, "exit");
    this.emit(name, cause);
    await exit;
  }
}

function setUp(deadlineMs = 1_000) {
  const target = new FakeProcess();
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = createLogger({ zone: "execution", level: "info", events: processEvents, destination });
  const order: string[] = [];
  const onSignal = (reason: string) => void order.push(reason);
  const graceful = createGracefulStop({ deadlineMs, process: target, logger, onSignal });
  const uninstall = graceful.install();
  return { graceful, target, lines, order, uninstall };
}

const forever = (): Promise<void> => sleep(60_000, undefined, { ref: false });

describe("a stop", () => {
  test("runs once, one part after the other, in reverse start order", async () => {
    const { graceful, order, lines } = setUp();
    for (const name of ["store", "bus", "server"]) {
      graceful.add(name, async () => {
        order.push(`${name}…`);
        await sleep(5);
        order.push(name);
      });
    }
    const [one, two] = await Promise.all([graceful.stop("test"), graceful.stop("again")]);
    expect(order).toEqual(["test", "server…", "server", "bus…", "bus", "store…", "store"]);
    expect(one).toBe(two);
    expect(one).toEqual({
      reason: "test",
      stopped: ["server", "bus", "store"],
      failed: [],
      durationMs: expect.any(Number),
    });
    expect(lines.map((line) => line["event"])).toEqual(["stop_started", "stop_finished"]);
  });

  test("has a time limit and reports the parts that did not stop; the other parts stop anyway", async () => {
    const { graceful, lines } = setUp(1_000);
    let told = false;
    graceful.add("store", () => sleep(30));
    graceful.add("broken", () => {
      throw new Error("no");
    });
    graceful.add("bus", forever, { timeoutMs: 20 });
    graceful.add("server", (signal) => {
      signal.addEventListener("abort", () => (told = true));
      return forever();
    });
    const report = await graceful.stop("test");
    expect(report.stopped).toEqual(["store"]);
    expect(report.failed).toEqual([
      { name: "server", why: "timed out" },
      { name: "bus", why: "timed out" },
      { name: "broken", why: "failed" },
    ]);
    expect(told).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: "stop_step_failed",
        part: "broken",
        err: expect.objectContaining({ message: "no" }),
      }),
    );
  });

  test("also stops a part that is added meanwhile; later nothing can be added", async () => {
    const { graceful } = setUp();
    graceful.add("server", () => graceful.add("late", () => undefined));
    expect((await graceful.stop("test")).stopped).toEqual(["server", "late"]);
    expect(() => graceful.add("too late", () => undefined)).toThrow("too late was added after the stop");
  });
});

describe("a signal", () => {
  test.each(["SIGTERM", "SIGINT"])("%s stops and exits with 0, or with 1 if a part failed", async (name) => {
    const good = setUp();
    await good.target.signal(name);
    expect(good.target.exits).toEqual([0]);
    expect(good.order).toEqual([name]);
    const bad = setUp();
    bad.graceful.add("store", () => Promise.reject(new Error("no")));
    await bad.target.signal(name);
    expect(bad.target.exits).toEqual([1]);
  });

  test("that arrives a second time exits immediately", async () => {
    const { graceful, target } = setUp();
    graceful.add("server", forever);
    target.emit("SIGTERM");
    await target.signal("SIGINT");
    expect(target.exits).toEqual([130]);
  });
});

test.each([
  ["uncaughtException", "uncaught_exception"],
  ["unhandledRejection", "unhandled_rejection"],
])("%s is logged, stops everything and exits with 1, once", async (name, event) => {
  const { graceful, target, lines } = setUp();
  let stops = 0;
  graceful.add("server", async () => {
    stops += 1;
    target.emit(name, "again");
    await sleep(5);
  });
  await target.signal(name, new Error("xoxb-1-2-abc"));
  await sleep(20);
  expect({ stops, exits: target.exits }).toEqual({ stops: 1, exits: [1] });
  expect(lines[0]).toMatchObject({ level: "error", event, err: { message: "[redacted]" } });
});
