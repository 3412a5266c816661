import type { Credentials } from "./credentials.ts";
import { getToken, TokenError } from "./get-token.ts";
import { createTokenCache, type FetchedToken } from "./token-cache.ts";

export interface EntraTokenOptions {
  /** The token's scope: `api://<app id>/.default`, or `https://ai.azure.com/.default`. */
  readonly scope: string;
  /** Client id of a user-assigned identity; the system-assigned one if absent. */
  readonly clientId?: string | undefined;
  /** The managed identity endpoint. */
  readonly source: ManagedIdentitySource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** App Service and Container Apps provide an endpoint with a secret header; a virtual machine has its instance metadata service. */
export type ManagedIdentitySource =
  { readonly endpoint: string; readonly header: string } | { readonly instanceMetadata: string };

/**
 * Provides access tokens of this process's managed identity on Azure.
 * https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token#get-a-token-using-http
 */
export function createEntraToken({ scope, clientId, source, now }: EntraTokenOptions): Credentials {
  const [url, headers] =
    "endpoint" in source
      ? [new URL(source.endpoint), { "x-identity-header": source.header }]
      : [new URL("/metadata/identity/oauth2/token", source.instanceMetadata), { metadata: "true" }];
  url.searchParams.set("api-version", "endpoint" in source ? "2019-08-01" : "2018-02-01");
  url.searchParams.set("resource", scope.replace(/\/\.default$/, ""));
  if (clientId !== undefined) url.searchParams.set("client_id", clientId);
  return createTokenCache({ now, fetch: async () => readToken(await getToken(url, headers)) });
}

function readToken(text: string): FetchedToken {
  try {
    const answer = JSON.parse(text) as { access_token?: unknown; expires_on?: unknown };
    // Seconds since 1970; a string from some services, a number from others.
    const expiresAt = Number(answer.expires_on) * 1_000;
    if (typeof answer.access_token === "string" && expiresAt > 0) return { token: answer.access_token, expiresAt };
  } catch {
    // Handled below. The response is not quoted, because it may contain a token.
  }
  throw new TokenError("managed identity returned no valid token");
}
