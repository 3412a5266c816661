import { cpuMsOf, growthOf } from "@crosszone/testkit/cpu";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { expect, test } from "vitest";
import { classifyError } from "../calls/classify-error.ts";
import { createFrameFormat, modelFetch } from "./model-fetch.ts";
import type { WireReader } from "./wire-blocks.ts";

const piece = 1_000;

/** Returns what a reader got of a body that comes in pieces. */
async function valuesOf(pieces: readonly Uint8Array[], createFormat?: typeof createFrameFormat): Promise<unknown[]> {
  const values: unknown[] = [];
  const reader = {
    read: (value: unknown) => (values.push(value), []),
    isOver: () => false,
    isFinished: () => false,
    end: () => [],
  };
  const fetch = async () => new Response(ReadableStream.from(pieces));
  const asked = { query: "", refused: new Set<string>(), fetch, ...(createFormat && { createFormat }) };
  const response = await modelFetch(() => reader as unknown as WireReader, asked)("http://127.0.0.1/");
  await response.arrayBuffer();
  return values;
}

const cut = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) => bytes.subarray(at * piece, (at + 1) * piece));
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);
const frame = (text: string): Uint8Array =>
  codec.encode({ headers: { ":event-type": { type: "string", value: "x" } }, body: Buffer.from(JSON.stringify(text)) });

test("X15: a long line of a model's stream was read again with each of its pieces", async () => {
  const read = async (kilobytes: number): Promise<void> => {
    const text = "a".repeat(kilobytes * 1_000);
    const body = Buffer.from(`: hi\n\ndata: ${JSON.stringify(text)}\r\n\r\ndata: "last"`);
    expect((await valuesOf(cut(body))).slice(-2)).toEqual([text, "last"]);
  };
  expect(await growthOf(read, 300)).toBeLessThan(10);
});

test("X15: a long frame of a model's stream was joined again with each of its pieces", async () => {
  const read = async (kilobytes: number): Promise<void> => {
    const text = "a".repeat(kilobytes * 1_000);
    const body = Buffer.concat([frame("first"), frame(text), frame("last")]);
    expect(await valuesOf(cut(body), createFrameFormat)).toEqual([{ x: "first" }, { x: text }, { x: "last" }]);
  };
  expect(await growthOf(read, 500)).toBeLessThan(10);
  const small = Buffer.concat([frame("a"), frame("b")]);
  const bytes = Array.from(small, (byte) => Buffer.from([byte]));
  expect(await valuesOf(bytes, createFrameFormat)).toEqual([{ x: "a" }, { x: "b" }]);
  const whole = Array.from(Buffer.from('  {"a":1}'), (byte) => Buffer.from([byte]));
  expect(await valuesOf(whole, createFrameFormat)).toEqual([{ a: 1 }]);
});

test("X15: a provider's long error was searched for a second word behind each first one", async () => {
  const message = "limit 0 ".repeat(100_000);
  const error = Object.assign(new Error(message), { name: "AI_APICallError", statusCode: 429, responseBody: message });
  expect(await cpuMsOf(() => expect(classifyError(error).reason).toBe("overloaded"))).toBeLessThan(1_000);
});
