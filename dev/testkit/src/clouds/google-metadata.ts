import type { IdentityProvider } from "./identity-provider.ts";
import { startTokenService, type TokenService } from "./token-service.ts";

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
