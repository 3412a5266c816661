import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { answerHeaders, type Emit, requestIdOf } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Limits } from "../../limits.ts";
import { guardRefusals, guardRequest } from "./request-guard.ts";

/** Why a request to the events URL was refused; `signature` and `malformed` come from Bolt. */
export const slackRefusals = [...guardRefusals, "not_ready", "signature", "malformed", "unhandled"] as const;

export type SlackRefusal = (typeof slackRefusals)[number];

export interface SlackRouteDeps {
  /** Bolt's listener; undefined until Slack has identified this app. */
  readonly bolt: () => RequestListener | undefined;
  readonly limits: Limits;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly emit: Emit<VerificationEvent>;
}

const boltRefusals: ReadonlyMap<number, SlackRefusal> = new Map([
  [401, "signature"],
  [400, "malformed"],
  [404, "unhandled"],
]);

/**
 * Makes the route of the events URL: the guard, then Bolt. A refusal has no body, and closes the connection if the request's body is
 * unread.
 */
export function createSlackRoute({
  bolt,
  limits,
  now,
  emit,
}: SlackRouteDeps): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(response);
    // Bolt writes the response headers itself.
    const standard = answerHeaders(response);
    for (let at = 0; at < standard.length; at += 2) response.setHeader(standard[at] ?? "", standard[at + 1] ?? "");
    const report = (reason: SlackRefusal, status: number): void =>
      emit("slack_request_refused", { reason, status, http_request_id: requestId });
    const refuse = (reason: SlackRefusal, status: number, headers: Record<string, string> = {}): void => {
      report(reason, status);
      // Unread bytes of this body would be parsed as the next request.
      response.writeHead(status, { ...headers, connection: "close" }).end();
    };
    const listener = bolt();
    if (listener === undefined) return refuse("not_ready", 503, { "retry-after": "5" });
    const verdict = await guardRequest(request, limits, now());
    if (verdict === "gone") return;
    if ("refusal" in verdict)
      return refuse(verdict.refusal, verdict.status, verdict.refusal === "method" ? { allow: "POST" } : {});
    response.once("finish", () => {
      const reason = boltRefusals.get(response.statusCode);
      if (reason !== undefined) report(reason, response.statusCode);
      emit("slack_request_answered", { duration_ms: performance.now() - startedAt });
    });
    // Bolt reads the body from here instead of the stream.
    listener(Object.assign(request, { rawBody: verdict.rawBody, requestId }), response);
  };
}
