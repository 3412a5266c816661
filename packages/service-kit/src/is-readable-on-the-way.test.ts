import { expect, test } from "vitest";
import { isReadableOnTheWay } from "./is-readable-on-the-way.ts";

test.each([
  ["https://example.com", false],
  ["http://127.0.0.1:4000/rpc", false],
  ["http://[::1]:4000", false],
  ["http://localhost", false],
  ["http://example.com", true],
  ["http://127.0.0.1.example.com", true],
])("%s can be read on the way: %s", (url, expected) => {
  expect(isReadableOnTheWay(url)).toBe(expected);
});
