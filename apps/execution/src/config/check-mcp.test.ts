import { expect, test } from "vitest";
import { loadExecutionConfig } from "./config.ts";
import { configProblems } from "../testing/config-problems.ts";

const servers =
  "search=https://search.example.com/mcp env:AGENT_SECRET_SEARCH read-only, wiki=http://127.0.0.1:9000/mcp read-only";

const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
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

test.each(cases)("MCP servers: %s", (_what, env, wrong) => {
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
