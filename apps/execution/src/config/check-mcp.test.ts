import { expect, test } from "vitest";
import { loadExecutionConfig } from "./config.ts";
import { configProblems } from "../testing/config-problems.ts";

const servers = "search=https://search.example.com/mcp, wiki=http://127.0.0.1:9000/mcp";

const cases: [what: string, env: Record<string, string>, wrong: string[]][] = [
  ["none", {}, []],
  ["two", { MCP_SERVERS: servers, MCP_READ_ONLY: "wiki" }, []],
  ["a token", { MCP_SERVERS: servers, MCP_TOKENS: "search=env:AGENT_SECRET_SEARCH,wiki=file:wiki" }, []],
  ["a URL alone", { MCP_SERVERS: "https://search.example.com/mcp" }, ["MCP_SERVERS"]],
  ["a name with _", { MCP_SERVERS: "my_wiki=https://a.example/mcp" }, ["MCP_SERVERS"]],
  ["another scheme", { MCP_SERVERS: "wiki=stdio:./wiki" }, ["MCP_SERVERS"]],
  ["a password in the URL", { MCP_SERVERS: "wiki=https://u:planted@a.example/mcp" }, ["MCP_SERVERS"]],
  ["a name twice", { MCP_SERVERS: "a=https://a.example, a=https://b.example" }, ["MCP_SERVERS"]],
  ["a plain token", { MCP_SERVERS: servers, MCP_TOKENS: "search=planted" }, ["MCP_TOKENS"]],
  ["a token for an unknown server", { MCP_SERVERS: servers, MCP_TOKENS: "x=env:AGENT_SECRET_X" }, ["MCP_TOKENS"]],
  ["an unknown read-only server", { MCP_READ_ONLY: "wiki" }, ["MCP_READ_ONLY"]],
];

test.each(cases)("MCP servers: %s", (_what, env, wrong) => {
  expect(configProblems(env)).toEqual(wrong);
});

test("G5: an error in MCP_TOKENS or MCP_SERVERS is reported without its value, which may contain the token", () => {
  for (const env of [{ MCP_TOKENS: "wiki=planted" }, { MCP_SERVERS: "wiki=https://u:planted@a.example/" }])
    expect(() => loadExecutionConfig(env)).toThrow(
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
