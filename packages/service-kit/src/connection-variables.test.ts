import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./config.ts";
import { connectionProblems, connectionVariables, httpLimits } from "./connection-variables.ts";

const load = (env: Record<string, string>): ReturnType<typeof httpLimits> =>
  httpLimits(loadConfig(connectionVariables, env, connectionProblems).values);

function problems(env: Record<string, string>): string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name);
    throw error;
  }
}

test("every limit of connections has a default, and a variable", () => {
  expect(load({})).toEqual({
    headersTimeoutMs: 3_000,
    requestTimeoutMs: 4_000,
    readTimeoutMs: 30_000,
    keepAliveTimeoutMs: 65_000,
    maxHeaderBytes: 16_384,
    maxConnections: 10_000,
  });
  const env = {
    HEADERS_TIMEOUT_MS: "100",
    REQUEST_TIMEOUT_MS: "200",
    READ_TIMEOUT_MS: "300",
    KEEP_ALIVE_TIMEOUT_MS: "400",
  };
  expect(load({ ...env, MAX_HEADER: "2KB", MAX_CONNECTIONS: "5" })).toEqual({
    headersTimeoutMs: 100,
    requestTimeoutMs: 200,
    readTimeoutMs: 300,
    keepAliveTimeoutMs: 400,
    maxHeaderBytes: 2_048,
    maxConnections: 5,
  });
});

test("a limit that would be none, or that contradicts another, is refused at the start", () => {
  for (const name of Object.keys(connectionVariables)) expect(problems({ [name]: "0" })).toEqual([name]);
  expect(problems({ MAX_HEADER: "2GB" })).toEqual(["MAX_HEADER"]);
  expect(problems({ HEADERS_TIMEOUT_MS: "5000" })).toEqual(["HEADERS_TIMEOUT_MS"]);
  expect(problems({ HEADERS_TIMEOUT_MS: "5000", REQUEST_TIMEOUT_MS: "5000" })).toEqual([]);
  expect(problems({ REQUEST_TIMEOUT_MS: "2000" })).toEqual(["HEADERS_TIMEOUT_MS"]);
});
