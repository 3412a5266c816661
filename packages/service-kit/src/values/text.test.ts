import { expect, test } from "vitest";
import { isNearName, isLoopback, isReadableOnTheWay } from "./text.ts";
import { holdsInfinity } from "./json.ts";

test.each([
  ["SLACK_SIGNIN_SECRET", "SLACK_SIGNING_SECRET", true],
  ["SLACK_SINGING_SECERT", "SLACK_SIGNING_SECRET", true],
  ["KAFKA_BROKER", "KAFKA_BROKERS", true],
  ["EXECUTION_PROT", "EXECUTION_PORT", true],
  ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", false],
  ["DB_HOST", "DB_PORT", false],
  ["DB_POTR", "DB_PORT", true],
  ["A_B", "A_B_C_D", false],
])("%s for %s: %s", (name, known, near) => {
  expect(isNearName(name, known)).toBe(near);
  expect(isNearName(known, name)).toBe(near);
});

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

test.each([
  ["1e999", true],
  ['{"a":[1,{"b":-1e999}]}', true],
  ['{"a":[1,null,"1e999",1e308],"b":{}}', false],
  [`${"[".repeat(100_000)}1e999${"]".repeat(100_000)}`, true],
])("%.40s", (json, holds) => {
  expect(holdsInfinity(JSON.parse(json))).toBe(holds);
});
