import { bearerHeaders, type Credentials } from "./credentials.ts";
import { getToken, TokenError } from "./get-token.ts";
import { createTokenCache } from "./token-cache.ts";

export interface GoogleIdTokenOptions {
  /** Whom the token is for: the address of the Cloud Run service, or a custom audience of it. */
  readonly audience: string;
  /** Host, and port if it is not 80, of the metadata server. */
  readonly metadataHost: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * ID tokens of the service account that this process runs as, on Google Cloud. Sent twice: Cloud Run checks
 * `x-serverless-authorization` and takes its signature away; `authorization` then arrives whole, so that the zone can check it too.
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

/** When a JSON Web Token ends, by its own word: its receiver is the one who checks it. */
function expiryOf(token: string): number {
  try {
    const [, payload = ""] = token.split(".");
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp?: unknown };
    if (typeof exp === "number") return exp * 1_000;
  } catch {
    // Told below: what is not a token must not be quoted.
  }
  throw new TokenError("the metadata server answered something that is no ID token");
}
