import { createLocalJWKSet, jwtVerify } from "jose";
import { startFrontEnd, type FrontEnd } from "./front-end.ts";
import type { IdentityProvider } from "./identity-provider.ts";

/**
 * Microsoft Foundry in front of a hosted agent that speaks the `invocations` protocol: wants an Entra token for Foundry, the
 * version of the API, and the name of the session, and posts the body on as it is. The token does not reach the container.
 * https://learn.microsoft.com/azure/ai-foundry/agents/concepts/hosted-agents
 */
export async function startFoundry(
  upstream: string,
  { provider, agent }: { readonly provider: IdentityProvider; readonly agent: string },
): Promise<FrontEnd> {
  return startFrontEnd(upstream, async ({ headers, url = "/" }) => {
    const { pathname, searchParams } = new URL(url, upstream);
    const { authorization, ...others } = headers;
    const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
    const options = { issuer: provider.issuer, audience: "https://ai.azure.com" };
    const verified = await jwtVerify(token, createLocalJWKSet(provider.keys()), options).catch(() => undefined);
    if (verified === undefined) return { refused: { status: 401, text: "Unauthorized" } };
    if (pathname !== `/api/projects/demo/agents/${agent}/endpoint/protocols/invocations`)
      return { refused: { status: 404, text: "Not found" } };
    if (searchParams.get("api-version") !== "v1" || !searchParams.get("agent_session_id"))
      return { refused: { status: 400, text: "Bad request" } };
    return { path: new URL(upstream).pathname, headers: others };
  });
}
