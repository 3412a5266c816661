import { randomBytes } from "node:crypto";
import { createSecureContext } from "node:tls";
import { type LiveFiles, openLiveFiles, readAtMost, signatureHeaders, signRequest } from "@crosszone/service-kit";
import { sharedRun } from "@crosszone/service-kit/timing";
import { Agent, request } from "undici";

/** Authenticates requests to execution. */
export interface LinkCredentials {
  /** Returns the authentication headers; a promise only if a token must be fetched. Rejects if none is available. */
  headers(request: {
    readonly method: string;
    /** Path and query, as in the request line. */
    readonly target: string;
    readonly body: Uint8Array;
  }): ProofHeaders | Promise<ProofHeaders>;
  /**
   * Called after a 401 to a request with these headers; discards outdated proof. Returns true if the next proof can differ, so that the
   * request is worth one retry.
   */
  invalidate(refused: ProofHeaders): boolean;
}

export type ProofHeaders = Readonly<Record<string, string>>;

/** Returns the header of a bearer token. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function bearerHeaders(token: string): ProofHeaders {
  return { authorization: `Bearer ${token}` };
}

/** Signs each request with its body: see `canonicalRequest` of service-kit. Every request gets its own nonce. */
export function createHmacSigner(secret: LiveFiles<string>, now: () => number): LinkCredentials {
  return {
    headers: ({ method, target, body }) => {
      const timestamp = String(Math.floor(now() / 1_000));
      const nonce = randomBytes(16).toString("base64url");
      const signature = signRequest(secret.current(), { method, target, timestamp, nonce, body });
      return {
        [signatureHeaders.timestamp]: timestamp,
        [signatureHeaders.nonce]: nonce,
        [signatureHeaders.signature]: signature,
      };
    },
    invalidate: () => secret.current() !== secret.reread(),
  };
}

const nothing: ProofHeaders = {};

/** Sends no credentials, for an execution zone on this machine. */
export function createNoCredentials(): LinkCredentials {
  return { headers: () => nothing, invalidate: () => false };
}

/** Sends a bearer token that both zones share. */
export function createStaticBearer(token: LiveFiles<string>): LinkCredentials {
  return {
    headers: () => bearerHeaders(token.current()),
    invalidate: (refused) => bearerHeaders(token.reread())["authorization"] !== refused["authorization"],
  };
}

/** The client's TLS settings, PEM. */
export interface ClientTls {
  /** The only trusted certificate authorities, instead of the public ones. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Reads certificates and keys from files, by their paths, that can be replaced at any time. Throws if they are invalid at the start; later
 * failures go to `onFailure`, and the previous files stay in use.
 */
export function openClientTls(files: ClientTls, onFailure: (error: unknown) => void): LiveFiles<ClientTls> {
  const named = Object.entries(files).filter(
    (entry): entry is [keyof typeof variables, string] => entry[1] !== undefined,
  );
  const parse = (texts: readonly string[]): ClientTls => {
    const tls: ClientTls = Object.fromEntries(named.map(([name], index) => [name, texts[index]]));
    // Throws unless certificate and key match: during a replacement, only one may be new.
    createSecureContext(tls);
    return tls;
  };
  return openLiveFiles({
    paths: Object.fromEntries(named.map(([name, path]) => [variables[name], path])),
    parse,
    onFailure,
  });
}

const variables = {
  ca: "EXECUTION_CA_FILE",
  cert: "EXECUTION_CLIENT_CERT_FILE",
  key: "EXECUTION_CLIENT_KEY_FILE",
};

/** Authenticates by the connection's certificate, without headers. */
export function createClientCertificate(tls: LiveFiles<ClientTls>): LinkCredentials {
  return { headers: () => nothing, invalidate: () => tls.current() !== tls.reread() };
}

interface GoogleIdTokenOptions {
  /** The token's audience: the URL of the Cloud Run service, or its custom audience. */
  readonly audience: string;
  /** Host of the metadata server, with the port unless it is 80. */
  readonly metadataHost: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Provides ID tokens of this process's service account on Google Cloud. Each is sent twice: Cloud Run checks `x-serverless-authorization`
 * and removes its signature, while `authorization` arrives intact for the zone's own check.
 * https://cloud.google.com/docs/authentication/get-id-token#metadata-server
 */
export function createGoogleIdToken({ audience, metadataHost, now }: GoogleIdTokenOptions): LinkCredentials {
  const url = new URL(`http://${metadataHost}/computeMetadata/v1/instance/service-accounts/default/identity`);
  url.search = new URLSearchParams({ audience, format: "full" }).toString();
  return createTokenCache({
    now,
    fetch: async () => {
      const token = await getToken(url, { "metadata-flavor": "Google" });
      return { token, expiresAt: expiryOf(token) };
    },
    toHeaders: (token) => ({ ...bearerHeaders(token), "x-serverless-authorization": `Bearer ${token}` }),
  });
}

/** Returns the expiry of a JSON Web Token, unverified: its receiver verifies it. */
function expiryOf(token: string): number {
  try {
    const [, payload = ""] = token.split(".");
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp?: unknown };
    if (typeof exp === "number") return exp * 1_000;
  } catch {
    // Handled below. The response is not quoted, because it may contain a token.
  }
  throw new TokenError("the metadata server returned no valid ID token");
}

export interface EntraTokenOptions {
  /** The token's scope: `api://<app id>/.default`, or `https://ai.azure.com/.default`. */
  readonly scope: string;
  /** Client id of a user-assigned identity; the system-assigned one if absent. */
  readonly clientId?: string;
  /** App Service and Container Apps provide an endpoint with a secret header; a virtual machine has its instance metadata service. */
  readonly source: { readonly endpoint: string; readonly header: string } | { readonly instanceMetadata: string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Provides access tokens of this process's managed identity on Azure.
 * https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token#get-a-token-using-http
 */
export function createEntraToken({ scope, clientId, source, now }: EntraTokenOptions): LinkCredentials {
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

/** Thrown if a token is unavailable. The message has the source and its response, but never a token. */
class TokenError extends Error {
  override readonly name = "TokenError";
}

/** Never through a proxy: the services are on this machine or its network. */
const dispatcher = new Agent();
const timeoutMs = 5_000;
const maxBytes = 65_536;

/** Requests a token from a cloud's local token service. Resolves with the body of a 200 response; rejects with a `TokenError` otherwise. */
async function getToken(url: URL, headers: Readonly<Record<string, string>>): Promise<string> {
  const where = `${url.host}${url.pathname}`;
  try {
    const { statusCode, body } = await request(url, { headers, dispatcher, signal: AbortSignal.timeout(timeoutMs) });
    const bytes = await readAtMost(body, maxBytes);
    if (bytes === "too_large") throw new TokenError(`${where} returned more than ${maxBytes} bytes`);
    const text = Buffer.from(bytes).toString().trim();
    if (statusCode !== 200) throw new TokenError(`${where} responded with ${statusCode}: ${text.slice(0, 300)}`);
    return text;
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(`${where} did not respond`, { cause: error });
  }
}

export interface FetchedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

interface TokenCacheOptions {
  readonly fetch: () => Promise<FetchedToken>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the headers that carry the token; by default only `authorization`. */
  readonly toHeaders?: (token: string) => ProofHeaders;
}

/** A token is renewed this long before its expiry, milliseconds, or after half of a shorter lifetime. */
const renewBeforeMs = 300_000;
/** A token that expires sooner than this is not sent, because it could expire in transit. Milliseconds. */
const leastLeftMs = 20_000;
/** Minimum time between two fetches while a valid token exists, milliseconds. */
const pauseMs = 10_000;

/**
 * Caches a token while it is valid. The token is renewed before it expires while requests continue with the old one. Concurrent callers
 * share one fetch. A failed renewal is retried later; it is an error only without a valid token.
 */
export function createTokenCache({ fetch, now, toHeaders = bearerHeaders }: TokenCacheOptions): LinkCredentials {
  let cached: { readonly headers: ProofHeaders; readonly expiresAt: number; readonly fetchedAt: number } | undefined;
  let renewAt = 0;
  const fetched = sharedRun(async () => {
    const { token, expiresAt } = await fetch();
    const fetchedAt = now();
    cached = { headers: toHeaders(token), expiresAt, fetchedAt };
    // The source may cache tokens and return the same one again.
    const early = Math.min(renewBeforeMs, (expiresAt - fetchedAt) / 2);
    renewAt = Math.max(expiresAt - early, fetchedAt + pauseMs);
    return cached.headers;
  });
  const renew = (): Promise<ProofHeaders> => {
    renewAt = now() + pauseMs;
    return fetched();
  };

  return {
    headers: () => {
      const time = now();
      if (cached === undefined || cached.expiresAt - time < leastLeftMs) return renew();
      // The renewal runs in the background, so its failure is ignored here.
      if (time >= renewAt) renew().catch(() => undefined);
      return cached.headers;
    },
    invalidate: (refused) => {
      if (cached?.headers !== refused) return true;
      // Fetching again right after a fetch would not help.
      if (now() - cached.fetchedAt < pauseMs) return false;
      cached = undefined;
      return true;
    },
  };
}
