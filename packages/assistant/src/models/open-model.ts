import type { LanguageModelV4 } from "@ai-sdk/provider";
import { isPriced } from "../usage/tokens.ts";
import { labels, type ModelSettings, type ProviderName } from "./model-choice.ts";
import { modelFetch } from "./model-fetch.ts";
import type { Members } from "./provider-error.ts";
import { createChatReader, createMessagesReader, createResponsesReader } from "./wire-readers.ts";

/** How to reach a provider. */
export interface ProviderAccess {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** The region of Bedrock. The AWS SDK finds credentials: an API key, access keys, profile, container, instance. */
  readonly region?: string;
}

/** A model of a provider. */
export interface OpenModel {
  readonly model: LanguageModelV4;
  /** `provider/id`, for logs and usage. */
  readonly name: string;
  readonly id: string;
  /** Display name: `claude-sonnet-4-6 (Anthropic)`. */
  readonly label: string;
  /** Whether its price is known. */
  readonly priced: boolean;
  /** The parameters that the model refused by name. They are not sent again. */
  readonly refused: Set<string>;
}

/** Returns a model. Loads only its provider's package. Opens no connection. */
export async function openModel(provider: ProviderName, id: string, access: ProviderAccess): Promise<OpenModel> {
  const refused = new Set<string>();
  const model = await openers[provider](id, { ...access, refused });
  const server = provider === "openai-compatible" ? ` at ${new URL(access.baseUrl ?? "").host}` : "";
  const label = `${id} (${labels[provider]}${server})`;
  return { model, id, name: `${provider}/${id}`, label, priced: isPriced({ provider, id }), refused };
}

type Opening = ProviderAccess & Pick<OpenModel, "refused">;

// Keys and addresses are always passed: the packages would read missing ones from the environment.
const openers: Readonly<Record<ProviderName, (id: string, access: Opening) => Promise<LanguageModelV4>>> = {
  anthropic: async (id, { apiKey = "", baseUrl = "https://api.anthropic.com/v1" }) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, baseURL: baseUrl, fetch: modelFetch(createMessagesReader) })(id);
  },

  openai: async (id, { apiKey = "", baseUrl = "https://api.openai.com/v1" }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, baseURL: baseUrl, fetch: modelFetch(createResponsesReader) }).responses(id);
  },

  "openai-compatible": async (id, { apiKey, baseUrl = "", refused }) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const settings = { name: "openai-compatible", baseURL: baseUrl, includeUsage: true };
    // OpenAI's name for `max_tokens` since its reasoning models.
    const named = ({ max_tokens, ...body }: Members) =>
      refused.has("max_tokens") ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens };
    const transformRequestBody = (body: Members) =>
      Object.fromEntries(Object.entries(named(body)).filter(([name]) => !refused.has(name)));
    const fetch = modelFetch(createChatReader);
    return createOpenAICompatible({ ...settings, apiKey, transformRequestBody, fetch })(id);
  },

  bedrock: async (id, { baseUrl, region = "us-east-1" }) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    // Without a base URL the package knows the address of each region's partition.
    const place = { region, baseURL: baseUrl };
    const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
    return createAmazonBedrock({ ...place, credentialProvider: defaultProvider() })(id);
  },
};

/** The environment's settings for reaching providers. */
export interface AccessSettings extends ModelSettings {
  readonly ANTHROPIC_BASE_URL?: string;
  readonly AWS_REGION?: string;
}

/** Returns how to reach a provider. */
export function accessOf(provider: ProviderName, settings: AccessSettings): ProviderAccess {
  if (provider === "anthropic") return { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL };
  if (provider !== "bedrock") return { apiKey: settings.OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL };
  return { region: settings.AWS_REGION };
}
