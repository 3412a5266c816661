import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ZoneError, isCorrelationId, type ErrorKind } from "@crosszone/contracts";
import type { RequestContext } from "../methods/request-context.ts";
import { answerJson, refusalText } from "./answer.ts";
import type { Authenticate } from "./bearer-auth.ts";
import { readBody } from "./read-body.ts";

export interface RpcRouteDeps {
  dispatch: (message: Uint8Array, context: RequestContext) => Promise<string | undefined>;
  authenticate: Authenticate;
  /** Largest body, bytes. */
  maxBytes: number;
  /** Told of each request that HTTP refused before JSON-RPC saw it. */
  onRefused: (refusal: { status: number; kind: ErrorKind; correlationId: string }) => void;
}

/**
 * JSON-RPC 2.0 over HTTP: POST, JSON in, JSON out. 200 for every JSON-RPC answer, 204 for none; the HTTP layer's own
 * refusals (401, 405, 413, 415) carry a JSON-RPC error as body too. Never HTML.
 */
export function createRpcRoute(
  deps: RpcRouteDeps,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { dispatch, authenticate, maxBytes, onRefused } = deps;

  return async (request, response) => {
    const given = request.headers["x-correlation-id"];
    const correlationId = isCorrelationId(given) ? given : randomUUID();
    const refuse = (status: number, kind: ErrorKind, headers: Record<string, string> = {}): void => {
      onRefused({ status, kind, correlationId });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      // The body may be unread: a kept connection would take it for the next request.
      response.setHeader("connection", "close");
      answerJson(response, status, refusalText(new ZoneError(kind), correlationId));
    };

    if (request.method !== "POST") return refuse(405, "invalid_request", { allow: "POST" });
    const caller = authenticate(request.headers);
    if (caller === undefined) return refuse(401, "unauthorized", { "www-authenticate": "Bearer" });
    if (!isPlainJson(request)) return refuse(415, "invalid_request", { accept: "application/json" });

    const body = await readBody(request, maxBytes);
    if (body === "aborted") return;
    if (body === "too_large") return refuse(413, "payload_too_large");

    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const answer = await dispatch(body, { caller, correlationId, signal: gone.signal });
    if (answer === undefined) response.writeHead(204).end();
    else answerJson(response, 200, answer);
  };
}

/** `application/json` in UTF-8, not compressed: nothing here unpacks a body, so none can explode. */
function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers["content-type"] ?? "";
  return (
    /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) &&
    (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  );
}
