import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { executionEvents } from "@crosszone/telemetry";
import { createLogger, type LogFields, writePerTurn } from "./logger.ts";

const { task_started, task_failed } = executionEvents;
const events = { task_started, task_failed };

function capture(level: "debug" | "info" | "warn" | "error" | "silent" = "debug") {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ zone: "execution", level, events, destination });
  const records = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, records };
}

test("a line has level, ISO time, zone, event and the fields, and nothing else", () => {
  const { logger, lines, records } = capture();
  logger.info("task_started", { task_id: "t1" });
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(records()).toEqual([
    { level: "info", time: expect.any(String), zone: "execution", event: "task_started", task_id: "t1" },
  ]);
  const time = String(records()[0]?.["time"]);
  expect(new Date(time).toISOString()).toBe(time);
});

test("lines below the level are not written and cost nothing", () => {
  const { logger, records } = capture("warn");
  let reads = 0;
  logger.debug("task_started", Object.defineProperty({}, "a", { get: () => (reads += 1), enumerable: true }));
  expect(reads).toBe(0);
  logger.info("task_started");
  logger.warn("task_started");
  logger.error("task_failed");
  expect(records().map((record) => record["level"])).toEqual(["warn", "error"]);
});

test("a child adds its fields to every line, each name once, with the latest value", () => {
  const { logger, lines, records } = capture();
  const child = logger.child({ correlation_id: "c1", bot_token: "abc" }).child({ task_id: "t1" });
  child.info("task_started", { task_id: "t2" });
  expect(records()[0]).toMatchObject({ correlation_id: "c1", bot_token: "[redacted]", task_id: "t2" });
  expect(lines[0]?.match(/task_id/g)).toHaveLength(1);
});

test("fields cannot replace the logger's own", () => {
  const { logger, lines, records } = capture();
  const forged = { zone: "verification", event: "fake", level: "debug", time: "never" } as unknown as LogFields;
  logger.child(forged).error("task_failed", forged);
  expect(records()[0]).toMatchObject({
    zone: "execution",
    event: "task_failed",
    level: "error",
    field_zone: "verification",
  });
  expect(lines[0]?.match(/"zone"/g)).toHaveLength(1);
});

test("X32: a log line had raw marks of direction: no field can end a line for any reader, move a cursor, or turn text around", () => {
  const { logger, lines } = capture();
  const odd = Array.from({ length: 0x21 }, (_, code) => String.fromCodePoint(0x7f + code)).join("");
  const said = `a\u2028b\u2029c${odd}\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C\u200B\uFEFF\u00AD`;
  logger.info("task_started", { request_id: said });
  const [line = ""] = lines;
  expect(line.slice(0, -1)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(line)).toMatchObject({ request_id: said });
  logger.info("task_started", { name: "Zoë 山田 👨‍👩‍👧", [said]: 1 });
  expect(lines[1]).toContain("Zoë 山田 👨‍👩‍👧");
  expect(lines[1]?.slice(0, -1)).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u);
});

/** Wrapped in functions, because fast-check fails on some of them. */
function hostile(): fc.Arbitrary<() => unknown> {
  const refuse = (): never => {
    throw new Error("no");
  };
  const traps = { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse, has: refuse };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const loop: unknown[] = [];
  loop.push(loop, { loop });
  class Endless extends Set<number> {
    override *[Symbol.iterator](): SetIterator<number> {
      for (;;) yield 1;
    }
  }
  const odd: unknown[] = [
    new Proxy({}, traps),
    new Proxy([], traps),
    new Proxy(new Error("p"), traps),
    new Proxy([], { get: (_target, name) => (name === "length" ? Infinity : 1) }),
    revoked.proxy,
    loop,
    new Endless(),
    Object.defineProperty({}, "a", { get: refuse, enumerable: true }),
    Object.defineProperty(new Error("e"), "message", { get: refuse }),
    Object.defineProperty(new Error("e"), "stack", { value: 1n }),
    { toJSON: refuse, toString: refuse, [Symbol.toPrimitive]: refuse },
    Object.assign(new Date(Number.NaN), { toISOString: refuse }),
    { constructor: {}, toString: [], hasOwnProperty: 1, __proto__: null },
    JSON.parse('{"__proto__":{"a":1},"toString":{"b":1},"constructor":"c"}'),
    Symbol("s"),
    10n ** 50n,
    () => refuse(),
    "\uD800",
    Object.create(null),
    new WeakMap(),
    Promise.resolve(),
    globalThis,
  ];
  const common = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true });
  return fc.oneof(
    fc.constantFrom(...odd.map((value) => () => value)),
    common.map((value) => () => value),
  );
}

test("a call never throws and writes exactly one line of JSON, for any fields", () => {
  const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "err", "msg", "time"));
  const members = fc.array(fc.tuple(names, hostile()));
  const fields = fc.oneof(
    hostile(),
    members.map((pairs) => () => Object.fromEntries(pairs.map(([name, value]) => [name, value()]))),
  );
  fc.assert(
    fc.property(fields, fields, (bindings, more) => {
      const { logger, lines, records } = capture();
      logger.child(bindings() as LogFields).error("task_failed", more() as LogFields);
      expect(lines).toHaveLength(1);
      expect(records()[0]).toMatchObject({ level: "error", zone: "execution", event: "task_failed" });
    }),
    { numRuns: 500 },
  );
});

test("a call does not throw when its destination does", () => {
  const destination = {
    write: () => {
      throw new Error("disk full");
    },
  };
  const logger = createLogger({ zone: "execution", level: "info", events, destination });
  expect(() => logger.info("task_started")).not.toThrow();
});

test("the lines of one turn are one write, in order; the next turn has its own", async () => {
  const write = vi.fn<(lines: string) => void>();
  const lines = writePerTurn({ write });
  lines.write("1\n");
  await Promise.resolve();
  lines.write("2\n");
  expect(write).not.toHaveBeenCalled();
  await nextTurn();
  lines.write("3\n");
  await nextTurn();
  await nextTurn();
  expect(write.mock.calls).toEqual([["1\n2\n"], ["3\n"]]);
});

test("a destination that throws loses its lines, and is used again", async () => {
  const write = vi.fn<(lines: string) => void>();
  write.mockImplementationOnce(() => {
    throw new Error("full");
  });
  const lines = writePerTurn({ write });
  lines.write("1\n");
  await nextTurn();
  lines.write("2\n");
  await nextTurn();
  expect(write.mock.calls).toEqual([["1\n"], ["2\n"]]);
});
