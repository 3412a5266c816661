import type { ModelSettings, ProviderName } from "./model-choice.ts";
import type { ProviderAccess } from "./open-model.ts";

/** The environment's settings for reaching providers. */
export interface AccessSettings extends ModelSettings {
  readonly ANTHROPIC_BASE_URL?: string | undefined;
  readonly AWS_REGION?: string | undefined;
  readonly AWS_BEARER_TOKEN_BEDROCK?: string | undefined;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_ENDPOINT_URL_BEDROCK_RUNTIME?: string | undefined;
}

/** Returns how to reach a provider. */
export function accessOf(provider: ProviderName, settings: AccessSettings): ProviderAccess {
  if (provider === "anthropic") return { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL };
  if (provider !== "bedrock") return { apiKey: settings.OPENAI_API_KEY, baseUrl: settings.OPENAI_BASE_URL };
  return {
    apiKey: settings.AWS_BEARER_TOKEN_BEDROCK,
    baseUrl: settings.AWS_ENDPOINT_URL_BEDROCK_RUNTIME,
    aws: {
      region: settings.AWS_REGION ?? "",
      accessKeyId: settings.AWS_ACCESS_KEY_ID,
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
      sessionToken: settings.AWS_SESSION_TOKEN,
    },
  };
}
