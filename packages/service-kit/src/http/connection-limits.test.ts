import { expect, test } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import {
  connectionConstants,
  connectionVariables,
  httpLimits,
  openFilesLimit,
  openFilesWarnings,
} from "./connection-limits.ts";

test("a start with fewer open files than connections logs a warning with both numbers and the solution", () => {
  expect(openFilesWarnings({ MAX_CONNECTIONS: 10_000 }, 1_024)).toEqual([
    "Open files: 1024 may be open, 10200 may be needed (MAX_CONNECTIONS and 200). Raise the limit (ulimit -n 10200, LimitNOFILE= of systemd), or lower MAX_CONNECTIONS.",
  ]);
});

test.each([10_200, 1_048_576, undefined])("a limit of %s is enough for 10,000 connections", (limit) => {
  expect(openFilesWarnings({ MAX_CONNECTIONS: 10_000 }, limit)).toEqual([]);
});

test("the limit of this process is a number or undefined", () => {
  expect(openFilesLimit() ?? 1).toBeGreaterThan(0);
});

const load = (env: Record<string, string>): ReturnType<typeof httpLimits> =>
  httpLimits(loadConfig({ ...connectionVariables, ...connectionConstants }, env).values);

function problems(env: Record<string, string>): string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name);
    throw error;
  }
}

const fixed = {
  headersTimeoutMs: 3_000,
  requestTimeoutMs: 4_000,
  readTimeoutMs: 30_000,
  keepAliveTimeoutMs: 620_000,
  maxHeaderBytes: 16_384,
};

test("connection limits are variables if an operator has a reason to change them, otherwise constants", () => {
  expect(load({})).toEqual({ ...fixed, maxConnections: 10_000 });
  expect(load({ MAX_CONNECTIONS: "5" })).toEqual({ ...fixed, maxConnections: 5 });
});

test("a limit of 0 is refused at the start, because Node would read it as no limit", () => {
  for (const name of Object.keys(connectionVariables)) expect(problems({ [name]: "0" })).toEqual([name]);
});
