import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { answerHeaders, requestIdOf } from "@crosszone/service-kit";
import { guardRefusals, guardRequest, type GuardOptions } from "../slack/request-guard.ts";

/** Why a request to the events URL was refused; `signature` and `malformed` are Bolt's word. */
export const slackRefusals = [...guardRefusals, "not_ready", "signature", "malformed", "unhandled"] as const;

export type SlackRefusal = (typeof slackRefusals)[number];

export interface SlackRouteDeps extends GuardOptions {
  /** Bolt's listener; absent as long as Slack has not said who this app is. */
  readonly bolt: () => RequestListener | undefined;
  readonly onRefused: (refusal: {
    readonly reason: SlackRefusal;
    readonly status: number;
    readonly requestId: string;
  }) => void;
  /** Told how long a request took that Bolt answered, milliseconds. */
  readonly onAnswered: (durationMs: number) => void;
}

const boltRefusals: ReadonlyMap<number, SlackRefusal> = new Map([
  [401, "signature"],
  [400, "malformed"],
  [404, "unhandled"],
]);

/** The events URL: the guard, then Bolt. A refusal has no body, and ends the connection when the body was not read. */
export function createSlackRoute(
  deps: SlackRouteDeps,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(response);
    // Bolt writes the heads of its answers itself.
    const standard = answerHeaders(response);
    for (let at = 0; at < standard.length; at += 2) response.setHeader(standard[at] ?? "", standard[at + 1] ?? "");
    const refuse = (reason: SlackRefusal, status: number, headers: Record<string, string> = {}): void => {
      deps.onRefused({ reason, status, requestId });
      // Unread bytes of this body would be taken for the next request.
      response.writeHead(status, { ...headers, connection: "close" }).end();
    };
    const bolt = deps.bolt();
    if (bolt === undefined) return refuse("not_ready", 503, { "retry-after": "5" });
    const verdict = await guardRequest(request, deps);
    if (verdict === "gone") return;
    if ("refusal" in verdict)
      return refuse(verdict.refusal, verdict.status, verdict.refusal === "method" ? { allow: "POST" } : {});
    response.once("finish", () => {
      const reason = boltRefusals.get(response.statusCode);
      if (reason !== undefined) deps.onRefused({ reason, status: response.statusCode, requestId });
      deps.onAnswered(performance.now() - startedAt);
    });
    // Bolt takes the bytes from here instead of the stream.
    bolt(Object.assign(request, { rawBody: verdict.rawBody, requestId }), response);
  };
}
