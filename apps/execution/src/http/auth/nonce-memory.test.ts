import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createNonceMemory } from "./hmac-auth.ts";

test("a nonce is accepted once, and remains used while its timestamp is accepted", () => {
  const memory = createNonceMemory(300, 1_000);
  expect([memory.remember(1_000, "a"), memory.remember(1_000, "a"), memory.remember(1_000, "b")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(memory.remember(1_600, "c")).toBe(true);
  expect(memory.remember(1_000, "a")).toBe(false);
  expect(memory.forgottenUntil).toBe(-Infinity);
  expect(memory.remember(1_601, "d")).toBe(true);
  expect(memory.forgottenUntil).toBe(1_000);
  expect(memory.remember(1_000, "a")).toBe(false);
});

test("no nonce is accepted twice, in any order of any times, in bounded memory", () => {
  const request = fc.record({
    second: fc.integer({ min: 0, max: 40 }),
    nonce: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (requests, most) => {
      const memory = createNonceMemory(5, most);
      const taken = requests
        .filter(({ second, nonce }) => memory.remember(second, nonce))
        .map(({ second, nonce }) => `${second} ${nonce}`);
      expect(new Set(taken).size).toBe(taken.length);
    }),
  );
});

test("S3: a nonce is refused when its timestamp expired while the body was still arriving", () => {
  const memory = createNonceMemory(300, 2);
  expect(memory.remember(1_000, "a")).toBe(true);
  const isAcceptedByItsHeader = 1_000 > memory.forgottenUntil;
  for (const other of ["b", "c"]) memory.remember(1_001, other);
  expect([isAcceptedByItsHeader, memory.remember(1_000, "a")]).toEqual([true, false]);
});
