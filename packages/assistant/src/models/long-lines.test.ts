import { cpuMsOf, growthOf } from "@crosszone/testkit/cpu";
import { EventStreamCodec } from "@smithy/eventstream-codec";
import { expect, test } from "vitest";
import { classifyError } from "../calls/classify-error.ts";
import { createFrameFormat, modelFetch } from "./model-fetch.ts";

/** Returns what is read of a body that comes in pieces of this many bytes. */
async function valuesOf(body: Uint8Array, piece: number, createFormat?: typeof createFrameFormat): Promise<unknown[]> {
  const values: unknown[] = [];
  const not = (): boolean => false;
  const reader = { read: (value: unknown) => (values.push(value), []), isOver: not, isFinished: not, end: () => [] };
  const count = Math.ceil(body.length / piece);
  const pieces = Array.from({ length: count }, (_, at) => body.subarray(at * piece, (at + 1) * piece));
  const fetch = async () => new Response(ReadableStream.from(pieces));
  const asked = { query: "", refused: new Set<string>(), fetch, ...(createFormat && { createFormat }) };
  await (await modelFetch(() => reader, asked)("http://127.0.0.1/")).arrayBuffer();
  return values;
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);
const frame = (text: string): Uint8Array =>
  codec.encode({ headers: { ":event-type": { type: "string", value: "x" } }, body: Buffer.from(JSON.stringify(text)) });

test("X15: a long line or frame of a model's stream was read again with each of its pieces", async () => {
  const read = async (kilobytes: number): Promise<void> => {
    const text = "a".repeat(kilobytes * 1_000);
    const lines = Buffer.from(`: hi\n\ndata: ${JSON.stringify(text)}\r\n\r\ndata: "last"`);
    expect((await valuesOf(lines, 1_000)).slice(-2)).toEqual([text, "last"]);
    const frames = Buffer.concat([frame("first"), frame(text), frame("last")]);
    expect(await valuesOf(frames, 1_000, createFrameFormat)).toEqual([{ x: "first" }, { x: text }, { x: "last" }]);
  };
  expect(await growthOf(read, 300)).toBeLessThan(10);
  expect(await valuesOf(Buffer.concat([frame("a"), frame("b")]), 1, createFrameFormat)).toHaveLength(2);
  expect(await valuesOf(Buffer.from('  {"a":1}'), 1, createFrameFormat)).toEqual([{ a: 1 }]);
});

test("X15: a provider's long error was searched for a second word behind each first one", async () => {
  const error = { name: "AI_APICallError", statusCode: 429, responseBody: "limit 0 ".repeat(100_000) };
  expect(await cpuMsOf(() => classifyError(error))).toBeLessThan(1_000);
});
