import { defineConfig, duration, list, secret, url, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";
import { parseBudget, type Budget } from "../usage/budget.ts";
import { groupOf } from "./group-of.ts";

const key = () => secret(1).describe("a key, with no space or line break at either end").optional();

function budgetOf(text: string, context: z.RefinementCtx): Budget {
  const budget = parseBudget(text);
  if (budget !== undefined) return budget;
  context.addIssue({ code: "custom", message: "it is not a budget" });
  return z.NEVER;
}

/** The language model, its credentials and its limits. */
export const modelVariables = defineConfig({
  ...groupOf("Connect a model", {
    MODEL: {
      schema: z.string().trim().min(1).describe("anthropic/<id>, openai/<id>, bedrock/<id>, or none").optional(),
      description:
        "The language model. Not needed with one of ANTHROPIC_API_KEY and OPENAI_API_KEY. With OPENAI_BASE_URL, openai/<id> names a model of that server.",
      example: "anthropic/claude-sonnet-4-6",
    },
    ANTHROPIC_API_KEY: {
      schema: key(),
      secret: true,
      description: "Key of the Anthropic API. It connects a model and stays in this zone.",
    },
    ANTHROPIC_BASE_URL: {
      schema: url().optional(),
      description:
        "URL of an Anthropic-compatible gateway, including the version. If unset, it is https://api.anthropic.com/v1.",
      example: "https://gateway.example.com/anthropic/v1",
    },
    OPENAI_API_KEY: {
      schema: key(),
      secret: true,
      description:
        "Key of the OpenAI API, or of the server at OPENAI_BASE_URL. It connects a model and stays in this zone.",
    },
    OPENAI_BASE_URL: {
      schema: url().optional(),
      description:
        "URL of a server with OpenAI's chat API, such as Ollama, vLLM or LiteLLM. Without MODEL, the server's only model answers.",
      example: "http://127.0.0.1:11434/v1",
    },
    AWS_REGION: {
      schema: z.string().trim().min(1).describe("a region").optional(),
      description: "AWS region of Amazon Bedrock. Required with MODEL=bedrock/<id>.",
      example: "eu-central-1",
    },
    AWS_BEARER_TOKEN_BEDROCK: {
      schema: key(),
      secret: true,
      description:
        "API key of Amazon Bedrock. Without it and without access keys, the AWS credentials of the process apply.",
    },
    AWS_ACCESS_KEY_ID: {
      schema: key(),
      secret: true,
      description: "Access key for Amazon Bedrock.",
    },
    AWS_SECRET_ACCESS_KEY: {
      schema: key(),
      secret: true,
      description: "Secret of AWS_ACCESS_KEY_ID.",
    },
    AWS_SESSION_TOKEN: {
      schema: key(),
      secret: true,
      description: "Session token of AWS_ACCESS_KEY_ID, for temporary credentials.",
    },
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: {
      schema: url().optional(),
      description: "URL of a private Amazon Bedrock endpoint.",
      example: "https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com",
    },
  }),
  ...groupOf("Tune the assistant", {
    BUDGETS: {
      schema: list(z.string().transform(budgetOf).describe("such as person/day=5usd")),
      default: "",
      description:
        "Spending limits for language models, as scope/period=amount. Scopes: person, channel, team, agent. Periods in UTC: day, month. Amounts: usd, tokens.",
      example: "person/day=5usd, team/month=500usd, channel/day=2000000tokens",
    },
    ASSISTANT_FILE: {
      schema: z.string().describe("the path of a JSON file").optional(),
      description:
        "JSON file with instructions for the assistant, and with models and instructions per channel and workspace. Edits apply without a restart.",
      example: "/etc/crosszone/assistant.json",
    },
    MAX_MODEL_STEPS: {
      schema: wholeNumber({ min: 1, max: 50 }),
      default: "8",
      description: "Model calls for one answer. Between them, the model uses tools.",
      formerly: "MODEL_STEPS",
    },
    MAX_MODEL_OUTPUT_TOKENS: {
      schema: wholeNumber({ min: 16 }),
      default: "4096",
      description: "Tokens that one model call can write.",
      formerly: "MODEL_OUTPUT_TOKENS",
    },
    MAX_MODEL_INPUT_TOKENS: {
      schema: wholeNumber({ min: 100 }),
      default: "32000",
      description:
        "Estimated tokens of earlier messages that the model reads, and again of text files. The assistant summarises older messages.",
      formerly: "MODEL_INPUT_TOKENS",
    },
    MODEL_SILENCE: {
      schema: duration({ min: 1_000 }),
      default: "60s",
      description: "How long a model call can send nothing before the assistant retries it. Raise it for a slow model.",
      formerly: "MODEL_SILENCE_MS",
    },
  }),
});
