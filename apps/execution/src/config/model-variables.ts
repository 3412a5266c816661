import { defineConfig, duration, list, secret, url, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";
import { parseBudget, type Budget } from "../usage/budget.ts";

const group = "Language model";
const key = () => secret(1).describe("a key, with no space or line break at either end").optional();

function budgetOf(text: string, context: z.RefinementCtx): Budget {
  const budget = parseBudget(text);
  if (budget !== undefined) return budget;
  context.addIssue({ code: "custom", message: "it is not a budget" });
  return z.NEVER;
}

/** Which language model answers, and within which bounds. */
export const modelVariables = defineConfig({
  MODEL: {
    schema: z.string().trim().min(1).describe("anthropic/<id>, openai/<id>, bedrock/<id>, or none").optional(),
    description:
      "The language model that answers. Not needed with ANTHROPIC_API_KEY or OPENAI_API_KEY alone. With OPENAI_BASE_URL, openai/<id> is a model of that server.",
    example: "anthropic/claude-sonnet-4-6",
    group,
  },
  ANTHROPIC_API_KEY: {
    schema: key(),
    secret: true,
    description: "Key of Anthropic's API. It connects a model and stays in this zone.",
    group,
  },
  ANTHROPIC_BASE_URL: {
    schema: url().optional(),
    description: "Where Anthropic's API is, with its version: https://api.anthropic.com/v1 unless it is set.",
    example: "https://gateway.example.com/anthropic/v1",
    group,
  },
  OPENAI_API_KEY: {
    schema: key(),
    secret: true,
    description:
      "Key of OpenAI's API, or of the server at OPENAI_BASE_URL. It connects a model and stays in this zone.",
    group,
  },
  OPENAI_BASE_URL: {
    schema: url().optional(),
    description:
      "A server with OpenAI's chat API, such as vLLM, Ollama, llama.cpp or LiteLLM. Without MODEL, its only model answers.",
    example: "http://127.0.0.1:11434/v1",
    group,
  },
  AWS_REGION: {
    schema: z.string().trim().min(1).describe("a region").optional(),
    description: "Region of Amazon Bedrock. Required with MODEL=bedrock/<id>.",
    example: "eu-central-1",
    group,
  },
  AWS_BEARER_TOKEN_BEDROCK: {
    schema: key(),
    secret: true,
    description:
      "API key of Amazon Bedrock. Without it, and without the two keys below, the credentials of the process are used: profile, container, instance.",
    group,
  },
  AWS_ACCESS_KEY_ID: { schema: key(), secret: true, description: "Access key for Amazon Bedrock.", group },
  AWS_SECRET_ACCESS_KEY: { schema: key(), secret: true, description: "Secret of AWS_ACCESS_KEY_ID.", group },
  AWS_SESSION_TOKEN: { schema: key(), secret: true, description: "Session token of AWS_ACCESS_KEY_ID.", group },
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: {
    schema: url().optional(),
    description: "Where Amazon Bedrock's runtime is, for a private endpoint.",
    example: "https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com",
    group,
  },
  BUDGETS: {
    schema: list(z.string().transform(budgetOf).describe("such as person/day=5usd")),
    default: "",
    description:
      "The most that language models may cost: scope/period=amount, where the scope is person, channel, team or agent, the period day or month (UTC), and the amount in usd or tokens.",
    example: "person/day=5usd, team/month=500usd, channel/day=2000000tokens",
    group,
  },
  ASSISTANT_FILE: {
    schema: z.string().describe("the path of a JSON file").optional(),
    description:
      "JSON file with instructions for the assistant, and with model and instructions of channels and teams (docs/models.md). It is followed while the zone runs.",
    example: "/etc/crosszone/assistant.json",
    group,
  },
  MAX_MODEL_STEPS: {
    schema: wholeNumber({ min: 1, max: 50 }),
    default: "8",
    description: "Calls of the model for one answer, between which it uses its tools.",
    group,
    formerly: "MODEL_STEPS",
  },
  MAX_MODEL_OUTPUT_TOKENS: {
    schema: wholeNumber({ min: 16 }),
    default: "4096",
    description: "Tokens that one call of the model may write.",
    group,
    formerly: "MODEL_OUTPUT_TOKENS",
  },
  MAX_MODEL_INPUT_TOKENS: {
    schema: wholeNumber({ min: 100 }),
    default: "32000",
    description:
      "Tokens, by estimate, of the thread's earlier messages, and as many of its text files. The oldest messages are summarised.",
    group,
    formerly: "MODEL_INPUT_TOKENS",
  },
  MODEL_SILENCE: {
    schema: duration({ min: 1_000 }),
    default: "60s",
    description: "How long a call of the model may send nothing before it is ended and tried again.",
    group,
    formerly: "MODEL_SILENCE_MS",
  },
});
