import { groupOf, list, nonEmpty, secret, url, variable, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";
import { parseBudget, type Budget } from "../usage/budget.ts";

const key = () => secret(1).describe("a key, with no space or line break at either end").optional();

const budget = z
  .string()
  .transform((text, context): Budget => parseBudget(text) ?? (context.addIssue("it is not a budget"), z.NEVER))
  .describe("such as person/day=5usd");

/** The language model, its credentials and its limits. */
export const modelVariables = {
  ...groupOf("Connect a model", {
    MODEL: variable(nonEmpty("anthropic/<id>, openai/<id>, bedrock/<id>, or none").optional(), {
      example: "anthropic/claude-sonnet-4-6",
    })`
      The language model. Not needed with one of ANTHROPIC_API_KEY and OPENAI_API_KEY. With OPENAI_BASE_URL,
      openai/<id> names a model of that server.`,
    ANTHROPIC_API_KEY: variable(key(), { secret: true })`
      Key of the Anthropic API. It connects a model and stays in this zone.`,
    ANTHROPIC_BASE_URL: variable(url().optional(), { example: "https://gateway.example.com/anthropic/v1" })`
      URL of an Anthropic-compatible gateway, including the version. If unset, it is https://api.anthropic.com/v1.`,
    OPENAI_API_KEY: variable(key(), { secret: true })`
      Key of the OpenAI API, or of the server at OPENAI_BASE_URL. It connects a model and stays in this zone.`,
    OPENAI_BASE_URL: variable(url().optional(), { example: "http://127.0.0.1:11434/v1" })`
      URL of a server with OpenAI's chat API, such as Ollama, vLLM or LiteLLM. Without MODEL, the server's only model
      answers.`,
    AWS_REGION: variable(nonEmpty("a region").optional(), { example: "eu-central-1" })`
      AWS region of Amazon Bedrock. Required with MODEL=bedrock/<id>. The AWS SDK finds credentials: access keys,
      AWS_BEARER_TOKEN_BEDROCK, a profile, or the role of the process.`,
  }),
  ...groupOf("Tune the assistant", {
    BUDGETS: variable(list(budget), {
      default: "",
      example: "person/day=5usd, team/month=500usd, channel/day=2000000tokens",
    })`
      Spending limits for language models, as scope/period=amount. Scopes: person, channel, team, agent. Periods in
      UTC: day, month. Amounts: usd, tokens.`,
    ASSISTANT_FILE: variable(nonEmpty("the path of a JSON file").optional(), {
      example: "/etc/crosszone/assistant.json",
    })`
      JSON file with instructions for the assistant, and with models and instructions per channel and workspace. Edits
      apply without a restart.`,
    MAX_MODEL_INPUT_TOKENS: variable(wholeNumber({ min: 100 }), { default: "32000" })`
      Estimated tokens of earlier messages that the model reads, and again of text files. The assistant summarizes
      older messages.`,
  }),
};

/** Which MCP servers the assistant uses. */
export const mcpVariables = groupOf("MCP servers", {
  MCP_FILE: variable(nonEmpty("a file").optional(), { example: "/etc/crosszone/mcp.yaml" })`
    YAML file of the MCP servers whose tools the assistant can use. Their tools are pinned; an admin approves changes.
    Edits apply after a restart.`,
});
