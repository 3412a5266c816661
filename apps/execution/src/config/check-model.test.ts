import { expect, test } from "vitest";
import { loadExecutionConfig } from "./config.ts";
import { configProblems } from "../testing/config-problems.ts";

const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
  ["none", {}, []],
  ["a key", { ANTHROPIC_API_KEY: "k" }, []],
  ["a key with a line break", { ANTHROPIC_API_KEY: "k\n" }, ["ANTHROPIC_API_KEY"]],
  ["two keys", { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, ["MODEL"]],
  ["a model without its key", { MODEL: "openai/x" }, ["OPENAI_API_KEY"]],
  ["an unknown provider", { MODEL: "mistral/x" }, ["MODEL"]],
  ["Bedrock", { MODEL: "bedrock/x", AWS_REGION: "eu-central-1" }, []],
  ["Bedrock without a region", { MODEL: "bedrock/x" }, ["AWS_REGION"]],
  ["AWS credentials alone", { AWS_ACCESS_KEY_ID: "k" }, []],
  ["not an address", { OPENAI_BASE_URL: "localhost:11434" }, ["OPENAI_BASE_URL"]],
];

test.each(cases)("the language model: %s", (_what, env, wrong) => {
  expect(configProblems(env)).toEqual(wrong);
});

test("an unencrypted server on another machine logs a warning; on this machine it does not", () => {
  const warnings = (url: string) => loadExecutionConfig({ OPENAI_BASE_URL: url }).warnings;
  expect(warnings("http://vllm:8000/v1")).toEqual([expect.stringMatching(/^OPENAI_BASE_URL is http: on another/)]);
  expect(warnings("http://127.0.0.1:11434/v1")).toEqual([]);
});
