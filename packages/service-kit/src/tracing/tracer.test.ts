import { expect, test } from "vitest";
import { createTracer, inSpan, type SpanEnd, type SpanOptions } from "./tracer.ts";

const came = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("R5.5: with tracing off, the incoming traceparent is passed on, even in nested spans", async () => {
  const tracer = createTracer();
  expect(tracer.recording).toBe(false);
  const span = tracer.start("outer", { kind: "server", traceparent: came });
  expect(span.traceparent).toBe(came);
  await span.run(async () => {
    await Promise.resolve();
    expect(tracer.current()?.traceparent).toBe(came);
    expect(tracer.start("inner", { kind: "client" }).traceparent).toBe(came);
  });
  expect(tracer.current()).toBeUndefined();
});

test("with tracing off and no traceparent, all spans are one shared empty span", () => {
  const tracer = createTracer();
  const one = tracer.start("one", { kind: "server" });
  expect(tracer.start("two", { kind: "client", attributes: { a: 1 } })).toBe(one);
  expect(one.traceparent).toBeUndefined();
  expect(one.run(() => tracer.current())).toBeUndefined();
});

function recording(): { tracer: ReturnType<typeof createTracer>; begun: [string, SpanOptions][]; ended: SpanEnd[] } {
  const begun: [string, SpanOptions][] = [];
  const ended: SpanEnd[] = [];
  const tracer = createTracer((name, options) => {
    begun.push([name, options]);
    return { traceparent: `span-${begun.length}`, set: () => undefined, end: (end = {}) => void ended.push(end) };
  });
  return { tracer, begun, ended };
}

test("a span's parent is the one it names, otherwise the active one", () => {
  const { tracer, begun } = recording();
  const outer = tracer.start("outer", { kind: "server", traceparent: came });
  outer.run(() => {
    tracer.start("inner", { kind: "client" });
    tracer.start("told", { kind: "client", traceparent: "elsewhere" });
  });
  tracer.start("alone", { kind: "client" });
  expect(begun.map(([name, { traceparent }]) => [name, traceparent])).toEqual([
    ["outer", came],
    ["inner", "span-1"],
    ["told", "elsewhere"],
    ["alone", undefined],
  ]);
});

test("a span ends with its work and records the kind of an error, but not its text", async () => {
  const { tracer, ended } = recording();
  const span = tracer.start("work", { kind: "internal" });
  expect(
    await inSpan(
      span,
      async () => tracer.current(),
      () => ({ kind: "none" }),
    ),
  ).toBe(span);
  const failing = inSpan(
    span,
    () => Promise.reject(new Error("private")),
    () => ({ kind: "agent_failed" }),
  );
  await expect(failing).rejects.toThrow("private");
  expect(ended).toEqual([{}, { error: "agent_failed" }]);
});
