import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { createLocalJWKSet, jwtVerify } from "jose";
import { listen } from "../servers/listen.ts";
import type { IdentityProvider } from "./token-service.ts";

/** What a platform does to a request before the container sees it. */
type Admission =
  | { readonly refused: { readonly status: number; readonly text: string } }
  | { readonly headers: IncomingMessage["headers"]; readonly path: string };

export interface FrontEnd {
  readonly url: string;
  stop(): Promise<void>;
}

/** A platform's own front end on loopback: it admits requests, or refuses them in HTML, and passes them on to `upstream`. */
async function startFrontEnd(
  upstream: string,
  admit: (request: IncomingMessage) => Promise<Admission>,
): Promise<FrontEnd> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = await admit(request);
    if ("refused" in admission) {
      const { status, text } = admission.refused;
      response.writeHead(status, { "content-type": "text/html", connection: "close" }).end(`<html>${text}</html>`);
      return;
    }
    const onward = send(new URL(admission.path, upstream), { method: request.method, headers: admission.headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.once("close", () => onward.destroy());
    request.pipe(onward);
  };
  return listen(pass);
}

interface CloudRunOptions {
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
