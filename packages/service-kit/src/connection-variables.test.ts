import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./config.ts";
import { connectionConstants, connectionVariables, httpLimits } from "./connection-variables.ts";

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

const fixed = { headersTimeoutMs: 3_000, requestTimeoutMs: 4_000, readTimeoutMs: 30_000, maxHeaderBytes: 16_384 };

test("limits of connections are variables if an operator has a reason to change them, and constants if not", () => {
  expect(load({})).toEqual({ ...fixed, keepAliveTimeoutMs: 65_000, maxConnections: 10_000 });
  const set = { KEEP_ALIVE_TIMEOUT: "400ms", MAX_CONNECTIONS: "5" };
  expect(load(set)).toEqual({ ...fixed, keepAliveTimeoutMs: 400, maxConnections: 5 });
});

test("a limit of 0 is refused at the start: Node would have no limit at all", () => {
  for (const name of Object.keys(connectionVariables)) expect(problems({ [name]: "0" })).toEqual([name]);
});
