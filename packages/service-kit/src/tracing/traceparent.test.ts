import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readTraceparent, traceFields } from "./tracer.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";

test("a valid traceparent is accepted as it is, and contains its trace id", () => {
  const valid = `00-${trace}-${parent}-01`;
  expect(readTraceparent(valid)).toBe(valid);
  expect(traceFields(valid)).toEqual({ trace_id: trace });
  expect(traceFields(undefined)).toEqual({});
});

test("a later version is read up to the fields of ours", () => {
  expect(readTraceparent(`cc-${trace}-${parent}-09-what-the-future-brings`)).toBe(`00-${trace}-${parent}-01`);
  expect(readTraceparent(`01-${trace}-${parent}-02`)).toBe(`00-${trace}-${parent}-00`);
});

test.each([
  ["missing", undefined],
  ["sent twice", [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`]],
  ["empty", ""],
  ["upper case", `00-${trace.toUpperCase()}-${parent}-01`],
  ["no trace", `00-${"0".repeat(32)}-${parent}-01`],
  ["no parent", `00-${trace}-${"0".repeat(16)}-01`],
  ["version ff", `ff-${trace}-${parent}-01`],
  ["too much for version 00", `00-${trace}-${parent}-01-x`],
  ["cut off", `00-${trace}-${parent}`],
  ["a line break", `00-${trace}-${parent}-01\n`],
  ["far too long", `01-${trace}-${parent}-01-${"x".repeat(9_000)}`],
])("R5.5: an invalid traceparent is dropped: %s", (_name, header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test("for any input, the traceparent that is passed on is valid and of version 00", () => {
  const hex = (length: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdef")), minLength: length, maxLength: length });
  const near = fc.tuple(hex(2), hex(32), hex(16), hex(2), fc.string()).map((parts) => parts.join("-"));
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (header) => {
      const read = readTraceparent(header);
      expect(read === undefined || /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(read)).toBe(true);
    }),
  );
});
