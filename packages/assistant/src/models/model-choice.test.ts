import { expect, test } from "vitest";
import { chooseModel, type ModelChoice, type ModelSettings } from "./model-choice.ts";

const [anthropic, openai] = [{ ANTHROPIC_API_KEY: "a" }, { OPENAI_API_KEY: "o" }];
const ollama = { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" };

test.each<[string, ModelSettings, string | undefined]>([
  ["nothing", {}, undefined],
  ["a key of Anthropic", anthropic, "anthropic claude-sonnet-4-6"],
  ["a key of OpenAI", openai, "openai gpt-5.2"],
  ["OpenAI by its own address", { ...openai, OPENAI_BASE_URL: "https://api.openai.com/v1" }, "openai gpt-5.2"],
  ["a server", ollama, "openai-compatible undefined"],
  ["a server with a key", { ...ollama, ...openai }, "openai-compatible undefined"],
  ["a model of a server", { ...ollama, MODEL: "openai/qwen3:8b" }, "openai-compatible qwen3:8b"],
  ["an id with a slash", { ...ollama, MODEL: "Qwen/Qwen3-8B" }, "openai-compatible Qwen/Qwen3-8B"],
  [
    "a model of Bedrock",
    { MODEL: "bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0" },
    "bedrock eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
  ],
  ["one of two keys", { ...anthropic, ...openai, MODEL: "openai/gpt-5-mini" }, "openai gpt-5-mini"],
  ["none, whatever keys there are", { ...anthropic, MODEL: "none" }, undefined],
])("%s", (_what, settings, expected) => {
  const choice = chooseModel(settings) as ModelChoice | undefined;
  expect(choice && `${choice.provider} ${choice.id ?? "undefined"}`).toBe(expected);
});

test.each<[string, ModelSettings, string, RegExp]>([
  ["two keys", { ...anthropic, ...openai }, "MODEL", /is not set, but ANTHROPIC_API_KEY and OPENAI_API_KEY both are/],
  ["a key and a server", { ...anthropic, ...ollama }, "MODEL", /OPENAI_BASE_URL both/],
  ["no key", { MODEL: "anthropic/claude-sonnet-4-6" }, "ANTHROPIC_API_KEY", /which MODEL=anthropic/],
  ["another's key", { ...anthropic, MODEL: "openai/gpt-5.2" }, "OPENAI_API_KEY", /which MODEL=openai/],
  ["an unknown provider", { ...anthropic, MODEL: "mistral/large" }, "MODEL", /start with a known provider/],
  ["no provider", { ...anthropic, MODEL: "claude-sonnet-4-6" }, "MODEL", /start with a known provider/],
  ["no id", { ...anthropic, MODEL: "anthropic/" }, "MODEL", /start with a known provider/],
])("is refused: %s", (...[, settings, name, wrong]) => {
  expect(chooseModel(settings)).toMatchObject({ name, wrong: expect.stringMatching(wrong) as string });
});
