import { expect, test } from "vitest";
import { isLoopback, isReadableOnTheWay } from "./loopback.ts";

test.each([
  ["https://example.com", false],
  ["http://127.0.0.1:4000/rpc", false],
  ["http://[::1]:4000", false],
  ["http://localhost", false],
  ["http://example.com", true],
  ["http://127.0.0.1.example.com", true],
])("%s can be read in transit: %s", (url, expected) => {
  expect(isReadableOnTheWay(url)).toBe(expected);
});

test.each(["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("%s is this machine", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(["", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "localhost.example.com", "x127.0.0.1"])(
  "“%s” is not this machine",
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
