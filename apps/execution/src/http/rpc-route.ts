import type { IncomingMessage, ServerResponse } from "node:http";
import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import type { RequestContext } from "../methods/request-context.ts";
import { answerJson, refusalText } from "./answer.ts";
import type { Authenticate } from "./bearer-auth.ts";
import { correlationOfRequest } from "./correlation-of-request.ts";
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
    const correlationId = correlationOfRequest(request.headers);
    const refuse = (status: keyof typeof refusals, headers: Record<string, string> = {}): void => {
      const { kind, message } = refusals[status];
      onRefused({ status, kind, correlationId });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      // The body may be unread: a kept connection would take it for the next request.
      response.setHeader("connection", "close");
      answerJson(
        response,
        status,
        refusalText(new ZoneError(kind, { problems: [{ pointer: "", message }] }), correlationId),
      );
    };

    if (request.method !== "POST") return refuse(405, { allow: "POST" });
    const caller = authenticate(request.headers);
    if (caller === undefined) return refuse(401, { "www-authenticate": "Bearer" });
    if (!isPlainJson(request)) return refuse(415, { accept: "application/json" });

    const body = await readBody(request, maxBytes);
    if (body === "aborted") return;
    if (body === "too_large") return refuse(413);

    const gone = new AbortController();
    response.once("close", () => {
      // A close after the whole answer is the normal end; an abort there would cost more than the rest of this route.
      if (!response.writableFinished) gone.abort();
    });
    const answer = await dispatch(body, { caller, correlationId, signal: gone.signal });
    if (answer === undefined) response.writeHead(204).end();
    else answerJson(response, 200, answer);
  };
}

/** What HTTP refuses before JSON-RPC sees it, and what the sender is told to do about it. */
const refusals = {
  401: { kind: "unauthorized", message: "send the zone's token as Authorization: Bearer" },
  405: { kind: "invalid_request", message: "send the request by POST" },
  413: { kind: "payload_too_large", message: "the body is larger than this server takes" },
  415: { kind: "invalid_request", message: "send application/json in UTF-8, not compressed" },
} as const satisfies Record<number, { kind: ErrorKind; message: string }>;

/** `application/json` in UTF-8, not compressed: nothing here unpacks a body, so none can explode. */
function isPlainJson({ headers }: IncomingMessage): boolean {
  const type = headers["content-type"] ?? "";
  return (
    /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) &&
    (headers["content-encoding"] ?? "identity").toLowerCase() === "identity"
  );
}
