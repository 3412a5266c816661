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
