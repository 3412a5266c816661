import * as fc from "fast-check";
import { expect, test } from "vitest";
import { gatherBytes } from "./gather-bytes.ts";

test("any pieces come together, in their order, and none of them is changed", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (pieces) => {
      const before = pieces.map((piece) => Buffer.from(piece));
      const bytes = gatherBytes();
      const sizes = pieces.map((piece) => bytes.add(piece));
      expect(bytes.whole()).toEqual(Buffer.concat(before));
      expect(sizes.at(-1) ?? 0).toBe(Buffer.concat(before).length);
      expect(pieces.map((piece) => Buffer.from(piece))).toEqual(before);
    }),
  );
});

test("pieces of a byte each cost twice their bytes at the most", () => {
  const bytes = gatherBytes();
  for (let sent = 0; sent < 100_000; sent += 1) bytes.add(Buffer.from("a"));
  expect(bytes.whole().buffer.byteLength).toBeLessThanOrEqual(200_000);
  expect(bytes.whole().toString()).toBe("a".repeat(100_000));
});
