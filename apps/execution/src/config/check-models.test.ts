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

const servers =
  "search=https://search.example.com/mcp env:AGENT_SECRET_SEARCH read-only, wiki=http://127.0.0.1:9000/mcp read-only";

const mcpCases: [what: string, env: Record<string, string>, wrong: string[]][] = [
  ["none", {}, []],
  ["two", { MCP_SERVERS: servers }, []],
  ["a URL alone", { MCP_SERVERS: "https://search.example.com/mcp" }, ["MCP_SERVERS"]],
  ["a name with _", { MCP_SERVERS: "my_wiki=https://a.example/mcp" }, ["MCP_SERVERS"]],
  ["another scheme", { MCP_SERVERS: "wiki=stdio:./wiki" }, ["MCP_SERVERS"]],
  ["a password in the URL", { MCP_SERVERS: "wiki=https://u:planted@a.example/mcp" }, ["MCP_SERVERS"]],
  ["a name twice", { MCP_SERVERS: "a=https://a.example, a=https://b.example" }, ["MCP_SERVERS"]],
  ["a plain token", { MCP_SERVERS: "wiki=https://a.example/mcp planted" }, ["MCP_SERVERS"]],
  ["two tokens", { MCP_SERVERS: "wiki=https://a.example/mcp file:a file:b" }, ["MCP_SERVERS"]],
];

test.each(mcpCases)("MCP servers: %s", (_what, env, wrong) => {
  expect(configProblems(env)).toEqual(wrong);
});

test("G5: an error in MCP_SERVERS is reported without its value, which may contain the token", () => {
  for (const MCP_SERVERS of ["wiki=https://a.example/ planted", "wiki=https://u:planted@a.example/"])
    expect(() => loadExecutionConfig({ MCP_SERVERS })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("planted") as string }),
    );
});

test("warns of servers that no model can use, and of unencrypted servers", () => {
  const model = { ANTHROPIC_API_KEY: "k" };
  const warnings = (env: Record<string, string>) => loadExecutionConfig(env).warnings;
  expect(warnings({ MCP_SERVERS: servers, ...model })).toEqual([]);
  expect(warnings({ MCP_SERVERS: servers })).toEqual([expect.stringContaining("no language model is connected")]);
  expect(warnings({ MCP_SERVERS: "wiki=http://wiki.internal/mcp", ...model })).toEqual([
    expect.stringMatching(/^MCP_SERVERS: wiki is http: on another machine/),
  ]);
});
