import { anyText } from "@crosszone/contracts/any-text";
import { isJsonRpcRequest } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits, type Incoming, parse } from "./parse.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parseText = (text: string): Incoming => parse(bytesOf(text));

/** Values that look like requests, right or wrong in any member. */
const nearRequest = fc
  .record(
    {
      jsonrpc: fc.oneof(fc.constant("2.0"), fc.jsonValue()),
      method: fc.oneof(anyText, fc.jsonValue()),
      params: fc.oneof(fc.jsonValue(), fc.constant({})),
      id: fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((members) => JSON.stringify(members));

test("a parsed request or notification always matches the schema", () => {
  fc.assert(
    fc.property(nearRequest, (text) => {
      expect(parseText(text).type !== "invalid").toBe(isJsonRpcRequest(JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});

test("Z2: a numeric id keeps its text wherever it is in the message", () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,30})$/);
  const number = fc
    .tuple(
      fc.constantFrom("", "-"),
      digits,
      fc.constantFrom("", ".5", ".10000000000000000000001"),
      fc.constantFrom("", "e2", "E+400"),
    )
    .map((parts) => parts.join(""));
  const decoy = fc.oneof(fc.json(), fc.constant(`{"id":1,"x":"\\"id\\":2,\\\\"}`), fc.constant(`[[{"id":3}],"}]"]`));
  fc.assert(
    fc.property(number, decoy, fc.constantFrom(`"id"`, `"\\u0069d"`, `"id" `), (id, params, key) => {
      const [before, after] = [`{"jsonrpc":"2.0","x":${params},`, `, "method":"m","y":${params}}`];
      const single = parseText(`${before}${key}: ${id}${after}`);
      expect(single).toMatchObject({ type: "request", request: { id: Number(id), idText: id } });
      const batch = parseText(`[{"id":1},${params},${before}${key}:\n${id}${after},{"id":2}]`);
      expect(batch).toMatchObject({ items: [{}, {}, { type: "request", request: { idText: id } }, {}] });
    }),
  );
});

test("extra members are dropped", () => {
  expect(parseText(`{"jsonrpc":"2.0","method":"m","id":"1","auth":"x"}`)).toEqual({
    type: "request",
    request: { method: "m", params: undefined, id: "1", idText: `"1"` },
  });
});

test("members inherited from Object.prototype are ignored", () => {
  const prototype = Object.prototype as Record<string, unknown>;
  prototype["id"] = 1;
  try {
    expect(parseText(`{"jsonrpc":"2.0","method":"m"}`).type).toBe("notification");
  } finally {
    delete prototype["id"];
  }
});

test.each([
  [{ ...defaultLimits, maxBytes: 36 }, "payload_too_large", "the message is larger than 36 bytes"],
  [{ ...defaultLimits, maxDepth: 0 }, "invalid_request", "the message is nested in more than 0 levels"],
])("a custom limit: %o", (limits, kind, reason) => {
  expect(parse(bytesOf(`{"jsonrpc":"2.0","method":"m","id":1} `), limits)).toEqual({ type: "invalid", kind, reason });
});

test("a custom batch limit", () => {
  const limits = { ...defaultLimits, maxBatch: 2 };
  expect(parse(bytesOf("[1,2]"), limits).type).toBe("batch");
  expect(parse(bytesOf("[1,2,3]"), limits)).toMatchObject({ kind: "invalid_request" });
});

test("J40: depth is measured before parsing, strings do not count, and brackets that do not match are no JSON", () => {
  const limits = { ...defaultLimits, maxDepth: 4 };
  const pad = " ".repeat(70_000);
  const typeOf = (text: string): unknown => {
    const { type, ...rest } = parse(bytesOf(pad + text), limits);
    return "kind" in rest ? rest.kind : type;
  };
  const request = (params: string): string => `{"jsonrpc":"2.0","method":"m","id":1,"params":${params}}`;
  expect(typeOf(request(`[[[]],{"a":{}},${"[[]],".repeat(1_000)}"[[[[[[{{{\\"[[[[\\\\",{"[[[[":0}]`))).toBe("request");
  expect(typeOf(request(`[["\\\\",[[]]]]`))).toBe("invalid_request");
  expect(typeOf(request(`{"a":[],"b":[{"c":{}}]}`))).toBe("invalid_request");
  expect(typeOf("[".repeat(5) + "]".repeat(5))).toBe("invalid_request");
  for (const opened of [4, 5]) expect(typeOf("[".repeat(opened))).toBe("parse_error");
  for (const text of ["[".repeat(30_000), '{"a":'.repeat(200), `${"[".repeat(200)}${"}".repeat(200)}`])
    expect(typeOf(text)).toBe("parse_error");
  expect(typeOf(`]]]]]${"[".repeat(5)}"`)).toBe("parse_error");
});

test("eight times as many members cost no more than about eight times as much work", () => {
  const timeOf = (members: number): number => {
    const text = `{"jsonrpc":"2.0","method":"m","params":[${"0,".repeat(members)}0],"id":1}`;
    const before = process.threadCpuUsage();
    expect(parseText(text).type).toBe("request");
    return process.threadCpuUsage(before).user;
  };
  const small = Math.min(timeOf(65_000), timeOf(65_000), timeOf(65_000));
  // Slow code is slow each time; a busy machine is not.
  expect([1, 2, 3].some(() => timeOf(520_000) < 24 * small)).toBe(true);
});
