import type { ProviderName } from "../models/model-choice.ts";
import { openModel, type OpenModel } from "../models/open-model.ts";

/** Opens a model of each provider at a test server's URL, with the provider's real package. */
export const wireModels: Readonly<Record<ProviderName, (url: string) => Promise<OpenModel>>> = {
  anthropic: (url) => openModel("anthropic", "claude-sonnet-4-6", { apiKey: "planted-key", baseUrl: `${url}/v1` }),
  openai: (url) => openModel("openai", "gpt-5.2", { apiKey: "planted-key", baseUrl: `${url}/v1` }),
  "openai-compatible": (url) => openModel("openai-compatible", "qwen3:8b", { baseUrl: `${url}/v1` }),
  bedrock: (url) =>
    openModel("bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0", {
      baseUrl: url,
      aws: { region: "eu-central-1", accessKeyId: "AKIDPLANTED", secretAccessKey: "planted-key" },
    }),
};

export const wireProviders = Object.keys(wireModels) as ProviderName[];
