import { createLocalJWKSet, jwtVerify } from "jose";
import { startFrontEnd, type FrontEnd } from "./front-end.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export interface CloudRunOptions {
  readonly provider: IdentityProvider;
  /** Email of the service account that has the invoker role. */
  readonly invoker: string;
  /** A custom audience of the service, accepted in addition to its URL. */
  readonly audience: string;
}

/**
 * Cloud Run in front of a container that needs the invoker role: checks the ID token of `X-Serverless-Authorization`, or else of
 * `Authorization`, and hands that header on with its signature taken away.
 * https://cloud.google.com/run/docs/authenticating/service-to-service
 */
export async function startCloudRun(
  upstream: string,
  { provider, invoker, audience }: CloudRunOptions,
): Promise<FrontEnd> {
  const frontEnd: FrontEnd = await startFrontEnd(upstream, async ({ headers, url = "/" }) => {
    const name = headers["x-serverless-authorization"] === undefined ? "authorization" : "x-serverless-authorization";
    const token = /^Bearer (\S+)$/i.exec(String(headers[name] ?? ""))?.[1] ?? "";
    const verified = await jwtVerify(token, createLocalJWKSet(provider.keys()), {
      issuer: provider.issuer,
      audience: [frontEnd.url, audience],
    }).catch(() => undefined);
    if (verified === undefined) return { refused: { status: 401, text: "The request was not authenticated." } };
    if (verified.payload["email"] !== invoker)
      return { refused: { status: 403, text: "The request was not authorized." } };
    const unsigned = token.replace(/[^.]*$/, "SIGNATURE_REMOVED_BY_GOOGLE");
    return { path: url, headers: { ...headers, [name]: `Bearer ${unsigned}` } };
  });
  return frontEnd;
}
