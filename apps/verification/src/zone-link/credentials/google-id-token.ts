import { bearerHeaders, type Credentials } from "./credentials.ts";
import { getToken, TokenError } from "./get-token.ts";
import { createTokenCache } from "./token-cache.ts";

export interface GoogleIdTokenOptions {
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
export function createGoogleIdToken({ audience, metadataHost, now }: GoogleIdTokenOptions): Credentials {
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
