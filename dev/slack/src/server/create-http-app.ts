import express, { type Express, type RequestHandler, type Response, Router } from "express";
import type { IncomingMessage, Server } from "node:http";
import { responseUrlRoutes, type ResponseUrlStore } from "../commands/command-replies.ts";
import { controlRoutes } from "../control/control-routes.ts";
import type { Control } from "../control/control.ts";
import type { GuideSection } from "../protocol/guide.ts";
import { ControlError } from "../protocol/control-api.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WebApiParts } from "../web-api/answer-call.ts";
import { type FileFaults, fileRoutes } from "../web-api/file-routes.ts";
import { type FaultQueue, webApiRoutes } from "../web-api/web-api-routes.ts";
import { pageRoutes } from "./page-routes.ts";
import { type TapOptions, tapRoutes } from "./tap-routes.ts";

/**
 * Answers requests that no route has answered, as `{ error: { message } }`: 404 for an unknown path, the status of a `ControlError`, the
 * parser's 4xx for an unreadable body. Anything else is 500 and is logged to the error output, because it is a bug in the local Slack.
 */
export function answerRest(response: Response, error: unknown): void {
  const status = error === undefined ? 404 : statusOf(error);
  if (status >= 500) console.error("The local Slack failed:", error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.status(status).json({ error: { message: messageOf(status, error) } });
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError) return error.status;
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

function messageOf(status: number, error: unknown): string {
  if (error === undefined) return "not found";
  return status < 500 && error instanceof Error ? error.message : "the local Slack failed; see its output";
}

/** The parts that the server serves. */
export interface HttpAppParts {
  webApi: WebApiParts;
  responseUrls: ResponseUrlStore;
  faults: FaultQueue;
  fileFaults: FileFaults;
  traffic: TrafficLog;
  control: Control;
  guide: () => readonly GuideSection[];
  tap: Pick<TapOptions, "upstream" | "dispatcher">;
}

/** Returns all routes of the local Slack, restricted to this machine. */
export function createHttpApp(given: HttpAppParts): Express {
  const parts = { ...given, ...given.webApi };
  const routes = Router();
  routes.use(localOnly);
  routes.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  routes.use(["/api", "/upload", "/files-pri", "/actions", "/app", "/commands"], (_request, response, next) => {
    if (parts.state.outage.kind === "away") response.destroy();
    else next();
  });
  routes.use(webApiRoutes(parts));
  routes.use(fileRoutes(parts));
  routes.use(responseUrlRoutes(parts));
  routes.use("/control", controlRoutes(parts.control, parts.guide));
  routes.use(tapRoutes({ ...parts.tap, traffic: parts.traffic }));
  routes.use(pageRoutes(parts.state));

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use((request, response) => routes(request, response, (error?: unknown) => answerRest(response, error)));
  return app;
}

/** Listens on `host`; resolves with the URL on this machine, without a slash at the end. Rejects if the port is taken. */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host }, resolve);
  await promise;
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/**
 * Returns why a request is refused; undefined if it is allowed. The Host header must name this machine, so that a web page cannot reach the
 * server through its own host name (DNS rebinding). A request that changes something must not come from another origin (CSRF).
 */
export function refusal({ method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">): string | undefined {
  const host = headers.host ?? "";
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(host)) return "the Host header must be 127.0.0.1 or localhost";
  const isSafe = method === "GET" || method === "HEAD";
  if (!isSafe && headers.origin !== undefined && headers.origin !== `http://${host}`) {
    return "requests from other origins are refused";
  }
  return undefined;
}

/** What the page can load: only what it needs, and only from this server. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Disables what the page never needs. No Strict-Transport-Security, because this machine's own address has no TLS. */
const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
};

/** Responds with 403 to requests from other machines, and adds the security headers to every response. */
export const localOnly: RequestHandler = (request, response, next) => {
  response.set(SECURITY_HEADERS);
  const reason = refusal(request);
  if (reason === undefined) next();
  else response.status(403).json({ error: { message: reason } });
};
