import { ConfigError } from "@crosszone/service-kit";
import { expect, test } from "vitest";
import { loadExecutionConfig } from "./config.ts";

function problems(env: Record<string, string>): string[] {
  try {
    loadExecutionConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ name }) => name);
  }
}

test("callers must prove who they are unless they are on this machine", () => {
  expect(problems({})).toEqual([]);
  expect(problems({ EXECUTION_HOST: "::1" })).toEqual([]);
  expect(problems({ EXECUTION_HOST: "0.0.0.0" })).toEqual(["EXECUTION_TOKEN"]);
  expect(problems({ EXECUTION_HOST: "0.0.0.0", EXECUTION_TOKEN: "a-token-of-thirty-two-characters" })).toEqual([]);
});

test("what is wrong between variables is told together with what is wrong in one", () => {
  expect(problems({ EXECUTION_HOST: "0.0.0.0", EXECUTION_PORT: "abc" })).toEqual(["EXECUTION_PORT", "EXECUTION_TOKEN"]);
  expect(problems({ EXECUTION_HOST: "0.0.0.0", EXECUTION_TOKEN: "short" })).toEqual(["EXECUTION_TOKEN"]);
});

test("S14: handles are sent to verification over TLS, or stay on this machine", () => {
  expect(problems({ VERIFICATION_URL: "http://verification.example.com" })).toEqual(["VERIFICATION_URL"]);
  expect(problems({ VERIFICATION_URL: "https://verification.example.com/zone" })).toEqual([]);
  expect(problems({ VERIFICATION_URL: "http://127.0.0.1:3000" })).toEqual([]);
});

test("a host's profile decides the address, so it decides whether callers must prove who they are", () => {
  for (const HOST_PROFILE of ["agentcore", "cloud-run", "container-apps", "foundry"]) {
    expect(problems({ HOST_PROFILE })).toEqual(["EXECUTION_TOKEN"]);
    expect(problems({ HOST_PROFILE, EXECUTION_HOST: "127.0.0.1" })).toEqual([]);
    expect(problems({ HOST_PROFILE, EXECUTION_AUTH: "platform" })).toEqual([]);
  }
  expect(problems({ HOST_PROFILE: "lambda" })).toEqual(["HOST_PROFILE"]);
});

test("that the platform has checked the callers must be said, and of a platform", () => {
  expect(problems({ EXECUTION_AUTH: "platform" })).toEqual(["EXECUTION_AUTH"]);
  expect(problems({ EXECUTION_AUTH: "platform", EXECUTION_HOST: "0.0.0.0" })).toEqual(["EXECUTION_AUTH"]);
});

test("AgentCore ends a session fifteen seconds after it says so: the default stop fits", () => {
  const { values } = loadExecutionConfig({ HOST_PROFILE: "agentcore", EXECUTION_AUTH: "platform" });
  expect(values.STOP_GRACE_MS + 5_000).toBeLessThanOrEqual(15_000);
});
