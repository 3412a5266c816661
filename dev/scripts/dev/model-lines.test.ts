import { expect, test } from "vitest";
import { banner } from "./banner.ts";
import { devEnvironment } from "./environment.ts";
import { modelLines } from "./model-lines.ts";

test("without a model the banner has three lines to copy", () => {
  const shown = banner(devEnvironment({}));
  for (const name of ["ANTHROPIC_API_KEY=", "OPENAI_API_KEY=", "OPENAI_BASE_URL="])
    expect(shown).toMatch(new RegExp(`^ {4}${name}.* npx -y pnpm@12\\.18\\.0 dev$`, "m"));
  expect(modelLines({ ANTHROPIC_API_KEY: "a", MODEL: "none" })).toHaveLength(5);
});

test.each([
  [{ ANTHROPIC_API_KEY: "planted" }, "claude-sonnet-4-6 (Anthropic)"],
  [{ OPENAI_API_KEY_FILE: "/run/key" }, "gpt-5.2 (OpenAI)"],
  [{ MODEL: "bedrock/x" }, "x (Amazon Bedrock)"],
  [{ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, "the model of http://127.0.0.1:1/v1 (OpenAI-compatible)"],
])("with %o it names the model, and no key", (env, shown) => {
  const lines = banner(devEnvironment(env));
  expect(lines).toContain(`\n  Language model: ${shown}\n`);
  expect(lines).not.toContain("planted");
});

test("the MCP servers are named, and no URL", () => {
  const env = { ANTHROPIC_API_KEY: "a", MCP_SERVERS: "search=https://a.example/?k=planted, wiki=http://127.0.0.1:1" };
  expect(modelLines(env).at(-1)).toBe("  MCP servers: search, wiki");
});

test("the zone, not the banner, reports invalid variables", () => {
  expect(modelLines({ MODEL: "anthropic/x" })).toEqual([]);
});
