import type { JWTPayload } from "jose";
import type { IdentityProvider } from "./identity-provider.ts";
import { startTokenService, type ServiceAnswer, type TokenService } from "./token-service.ts";

/** The identity that a managed identity service gives tokens for. */
export interface ManagedIdentity {
  readonly appid: string;
  readonly oid: string;
}

/**
 * The identity endpoint of App Service and Container Apps: wants its secret header.
 * https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
 */
export async function startAzureIdentityEndpoint(
  provider: IdentityProvider,
  identity: ManagedIdentity,
  header: string,
): Promise<TokenService> {
  return startTokenService((url, { headers }) => {
    if (headers["x-identity-header"] !== header) return failure(401, "invalid identity header");
    if (url.pathname !== "/msi/token") return failure(404, "no such path");
    return answer(url, { provider, identity, apiVersion: "2019-08-01" });
  });
}

/**
 * Azure's instance metadata service: requires `Metadata: true`, and refuses forwarded requests.
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 */
export async function startAzureInstanceMetadata(
  provider: IdentityProvider,
  identity: ManagedIdentity,
): Promise<TokenService> {
  return startTokenService((url, { headers }) => {
    if (headers["metadata"] !== "true") return failure(400, "Required metadata header not specified");
    if (headers["x-forwarded-for"] !== undefined) return failure(400, "forwarded requests are not served");
    if (url.pathname !== "/metadata/identity/oauth2/token") return failure(404, "no such path");
    return answer(url, { provider, identity, apiVersion: "2018-02-01" });
  });
}

async function answer(
  url: URL,
  { provider, identity, apiVersion }: { provider: IdentityProvider; identity: ManagedIdentity; apiVersion: string },
): Promise<ServiceAnswer> {
  if (url.searchParams.get("api-version") !== apiVersion)
    return failure(400, "api-version is missing or not supported");
  const resource = url.searchParams.get("resource");
  if (!resource) return failure(400, "resource is missing");
  // Entra knows no resource by the name of a scope.
  if (resource.endsWith("/.default")) return failure(400, "AADSTS500011: the resource principal was not found");
  const client = url.searchParams.get("client_id");
  if (client !== null && client !== identity.appid) return failure(400, "Identity not found");
  const expires = Math.floor(Date.now() / 1_000) + 3_600;
  const claims: JWTPayload = { aud: resource, sub: identity.oid, exp: expires, ...identity };
  const token = {
    access_token: await provider.mint(claims),
    expires_on: String(expires),
    resource,
    token_type: "Bearer",
  };
  return { status: 200, body: JSON.stringify(token) };
}

function failure(status: number, description: string): ServiceAnswer {
  return { status, body: JSON.stringify({ error: "invalid_request", error_description: description }) };
}
