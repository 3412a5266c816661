import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "@crosszone/service-kit/json";
import { isPriced } from "../usage-meter.ts";
import { createChatReader } from "./chat-reader.ts";
import { createConverseReader } from "./converse-reader.ts";
import { createMessagesReader } from "./messages-reader.ts";
import { labels, type ModelSettings, type ProviderName } from "./model-choice.ts";
import { createFrameFormat, modelFetch } from "./model-fetch.ts";
import { createResponsesReader } from "./responses-reader.ts";

export interface ProviderAccess {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** The region of Bedrock. The AWS SDK finds credentials: an API key, access keys, profile, container, instance. */
  readonly region?: string;
}

export interface OpenModel {
  readonly model: LanguageModelV4;
  /** `provider/id`, for logs and usage. */
  readonly name: string;
  readonly id: string;
  /** Display name: `claude-sonnet-4-6 (Anthropic)`. */
  readonly label: string;
  readonly priced: boolean;
  /** The parameters and tools that the model refused by name. They are not sent again. */
  readonly refused: Set<string>;
}

/** Returns a model. Loads only its provider's package. Opens no connection. */
export async function openModel(provider: ProviderName, id: string, access: ProviderAccess): Promise<OpenModel> {
  const refused = new Set<string>();
  const { baseUrl = baseUrls[provider], ...others } = access;
  // The packages append their paths to the base URL as it is.
  const [base = "", query = ""] = baseUrl?.split("?") ?? [];
  const model = await openers[provider](id, { ...others, baseUrl: base || undefined, query, refused });
  const server = provider === "openai-compatible" ? ` at ${new URL(baseUrl ?? "").host}` : "";
  const label = `${id} (${labels[provider]}${server})`;
  return { model, id, name: `${provider}/${id}`, label, priced: isPriced({ provider, id }), refused };
}

/** Without a base URL, Bedrock's package knows the address of each region's partition. */
const baseUrls: Readonly<Partial<Record<ProviderName, string>>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
};

interface Opening extends ProviderAccess {
  readonly query: string;
  readonly refused: ReadonlySet<string>;
}

// Keys and addresses are always passed: the packages would read missing ones from the environment.
const openers: Readonly<Record<ProviderName, (id: string, opening: Opening) => Promise<LanguageModelV4>>> = {
  anthropic: async (id, { apiKey = "", baseUrl, ...asked }) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, baseURL: baseUrl, fetch: modelFetch(createMessagesReader, asked) })(id);
  },

  openai: async (id, { apiKey = "", baseUrl, ...asked }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, baseURL: baseUrl, fetch: modelFetch(createResponsesReader, asked) }).responses(id);
  },

  "openai-compatible": async (id, { apiKey, baseUrl = "", ...asked }) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const settings = {
      name: "openai-compatible",
      baseURL: baseUrl,
      includeUsage: true,
      supportsStructuredOutputs: true,
    };
    const { refused } = asked;
    // OpenAI's name for `max_tokens` since its reasoning models.
    const named = ({ max_tokens, ...body }: JsonObject) =>
      refused.has("max_tokens") ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens };
    const transformRequestBody = (body: JsonObject) =>
      Object.fromEntries(Object.entries(named(body)).filter(([name]) => !refused.has(name)));
    const fetch = modelFetch(createChatReader, asked);
    return createOpenAICompatible({ ...settings, apiKey, transformRequestBody, fetch })(id);
  },

  bedrock: async (id, { baseUrl, region = "us-east-1", ...asked }) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
    const settings = { region, baseURL: baseUrl, credentialProvider: defaultProvider() };
    // The package brings types of another version.
    const open = (fetch: typeof globalThis.fetch): LanguageModelV4 => createAmazonBedrock({ ...settings, fetch })(id);
    const streaming = { ...asked, createFormat: createFrameFormat };
    const model = open(modelFetch(createConverseReader, streaming));
    const stream = model.doStream.bind(model);
    const doStream = async (options: LanguageModelV4CallOptions) => {
      if (!asked.refused.has("stream")) return stream(options);
      // Its path is another, and signed: one call of the package gets the answer, and one reads it as if it were a stream.
      const got: { answer?: Response } = {};
      const keep: typeof globalThis.fetch = async (...sent) => (got.answer = await globalThis.fetch(...sent)).clone();
      try {
        await open(keep).doGenerate(options);
      } catch (error) {
        if (got.answer?.ok !== true) throw error;
      }
      const fetch = async (): Promise<Response> => got.answer ?? Response.error();
      return open(modelFetch(createConverseReader, { ...streaming, fetch })).doStream(options);
    };
    return Object.assign(model, { doStream });
  },
};

/** The environment's settings for reaching providers. */
export interface AccessSettings extends ModelSettings {
  readonly ANTHROPIC_BASE_URL?: string;
  readonly AWS_REGION?: string;
}

export function accessOf(provider: ProviderName, settings: AccessSettings): ProviderAccess {
  if (provider === "anthropic") return { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL };
  if (provider !== "bedrock") return { apiKey: settings.OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL };
  return { region: settings.AWS_REGION };
}
