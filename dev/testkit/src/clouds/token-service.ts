import type { IncomingMessage } from "node:http";
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, SignJWT } from "jose";
import { listen } from "../servers/listen.ts";

/** A token service of a cloud, on loopback. As strict as the real one. */
export type TokenService = Awaited<ReturnType<typeof startTokenService>>;

export interface ServiceAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves what `answerTo` says on a free port of loopback. */
export async function startTokenService(
  answerTo: (url: URL, request: IncomingMessage) => ServiceAnswer | Promise<ServiceAnswer>,
) {
  const asked: URL[] = [];
  const server = await listen(async (request, response) => {
    const url = new URL(request.url ?? "", service.url);
    asked.push(url);
    const { outage } = service;
    const answered: ServiceAnswer =
      outage === undefined ? await answerTo(url, request) : { status: outage, body: "out of order" };
    const { status, body, headers } = answered;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  const service = {
    /** Its `url` has no slash at the end. */
    ...server,
    /** The requests that it received, oldest first. */
    asked: asked as readonly URL[],
    /** While this is set, it answers with this status and nothing useful. */
    outage: undefined as number | undefined,
  };
  return service;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JSONWebKeySet["keys"][number];
}

/** What signs tokens in a cloud: private keys, and their public halves as a JSON Web Key Set over HTTP. */
export async function startIdentityProvider(issuer: string) {
  const signing: SigningKey[] = [];
  const rotate = async (): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    const kid = `key-${signing.length + 1}`;
    signing.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig" } });
  };
  await rotate();
  const keys = (): JSONWebKeySet => ({ keys: signing.map(({ jwk }) => jwk) });
  const service = await startTokenService(() => ({ status: 200, body: JSON.stringify(keys()) }));
  return {
    issuer,
    /** Where its public keys are. */
    jwksUrl: `${service.url}/certs`,
    /** The same keys, to be written into a configuration. */
    keys,
    /** How often the keys were fetched. */
    fetched: () => service.asked.length,
    /** Signs claims with the key that is current. Tokens are good for an hour unless the claims say otherwise. */
    mint: (claims: JWTPayload) => {
      const { kid, privateKey } = signing.at(-1) as SigningKey;
      const now = Math.floor(Date.now() / 1_000);
      return new SignJWT({ iss: issuer, iat: now, exp: now + 3_600, ...claims })
        .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
        .sign(privateKey);
    },
    /** Makes a new key, publishes it with the old ones, and signs with it from now on. */
    rotate,
    service,
  };
}

/**
 * Google's metadata server: refuses what lacks `Metadata-Flavor: Google` or was forwarded, and a token without an audience.
 * https://cloud.google.com/compute/docs/metadata/querying-metadata
 */
export async function startGoogleMetadata(
  provider: IdentityProvider,
  account: { readonly sub: string; readonly email: string },
): Promise<TokenService> {
  return startTokenService(async (url, { headers }) => {
    const html = { "content-type": "text/html", "metadata-flavor": "Google" };
    if (headers["metadata-flavor"] !== "Google" || headers["x-forwarded-for"] !== undefined)
      return { status: 403, headers: html, body: "Missing required header: Metadata-Flavor" };
    if (url.pathname !== "/computeMetadata/v1/instance/service-accounts/default/identity")
      return { status: 404, headers: html, body: "not found" };
    const audience = url.searchParams.get("audience");
    if (!audience) return { status: 400, headers: html, body: "non-empty audience parameter required" };
    const full = url.searchParams.get("format") === "full" && { email: account.email, email_verified: true };
    const claims = { aud: audience, sub: account.sub, azp: account.sub, ...full };
    return { status: 200, headers: html, body: await provider.mint(claims) };
  });
}

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
