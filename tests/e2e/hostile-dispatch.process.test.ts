import { zoneMethods } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { startExecution, type Execution } from "../harness/start-execution.ts";
import { type Asked, noteAsked, oracleLimits, wrongWith } from "../hostile/send-bodies.ts";
import { expectedAnswer } from "../hostile/oracle.ts";

const text = fc.string({ unit: "binary", maxLength: 40 });
const item = fc.record(
  { text, name: text, size: fc.oneof(fc.nat(), fc.double()), x: fc.jsonValue() },
  { requiredKeys: [] },
);
const params = fc.record(
  {
    channel: fc.oneof(text, fc.jsonValue()),
    text,
    bot_token: text,
    agent: fc.constantFrom("builtin", "nobody", ""),
    task_id: text,
    wait_ms: fc.oneof(fc.constant(0), fc.integer({ max: 0 }), fc.jsonValue()),
    correlation_id: text,
    attachments: fc.array(fc.oneof(item, fc.jsonValue())),
    thread: fc.array(fc.oneof(item, fc.jsonValue())),
  },
  { requiredKeys: [] },
);
const request = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0", 2),
    method: fc.oneof(fc.constantFrom(...Object.keys(zoneMethods)), fc.constantFrom("__proto__", "toString", ""), text),
    params: fc.oneof(params, params, fc.jsonValue()),
    id: fc.oneof(fc.uuid(), fc.uuid(), text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
  },
  { requiredKeys: ["jsonrpc"] },
);
const bytes = fc.oneof(
  request.map((value) => Buffer.from(JSON.stringify(value))),
  fc.array(request).map((value) => Buffer.from(JSON.stringify(value))),
  fc.json().map((json) => Buffer.from(json)),
  fc.uint8Array().map((array) => Buffer.from(array)),
);

test("Z2, Z3, H1: the dispatcher of the execution zone answers every input of fast-check as the oracle expects", async () => {
  const execution: Execution = await startExecution({
    token: "t".repeat(32),
    log: [],
    limits: { maxRunning: 1e6 },
  });
  const asked: Asked = new Map();
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      const expected = expectedAnswer(body, oracleLimits);
      noteAsked(expected, asked);
      const answer = await execution.app.dispatch(body, { caller: "local", correlationId: "c" });
      const http = { status: answer === undefined ? 204 : 200, contentType: "application/json", body: answer ?? "" };
      expect(wrongWith(http, expected, asked)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
  await execution.stop();
});
