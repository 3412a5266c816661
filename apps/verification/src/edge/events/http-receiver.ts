import type { IncomingMessage } from "node:http";
import { HTTPReceiver, type Logger as SlackLogger } from "@slack/bolt";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { EventNotTakenError, RefusedEventError, type DeliveredBy } from "./bolt-app.ts";

export interface SlackHttpReceiverOptions {
  readonly signingSecret: string;
  readonly path: string;
  readonly logger: SlackLogger;
  /** Called for an event that could not be stored; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Makes Bolt's HTTP receiver, which checks the signature. It responds after the listeners are done: 200 if they stored the event, 503 if
 * Slack must send it again, 403 if it must not, and 400 if Bolt could not read it.
 */
export function createSlackHttpReceiver({
  signingSecret,
  path,
  logger,
  onFailure,
}: SlackHttpReceiverOptions): HTTPReceiver {
  return new HTTPReceiver({
    signingSecret,
    endpoints: path,
    logger,
    processBeforeResponse: true,
    customPropertiesExtractor: (request) => deliveredBy(request),
    processEventErrorHandler: async ({ error, response }) => {
      const origin = originOf(error);
      if (origin instanceof EventNotTakenError) {
        onFailure(origin.cause);
        response.writeHead(503).end();
      } else response.writeHead(origin instanceof RefusedEventError ? 403 : 400, { "x-slack-no-retry": "1" }).end();
      return true;
    },
    // Bolt acknowledges the events that it handles before any timer fires. Others, such as `app_rate_limited`, need no retry.
    unhandledRequestTimeoutMillis: 1,
    unhandledRequestHandler: ({ response }) => {
      response.writeHead(404, { "x-slack-no-retry": "1" });
      response.end();
    },
  });
}

/** Returns the request's id and a proxy's trace context. */
function deliveredBy(request: IncomingMessage & { readonly requestId?: string }): DeliveredBy {
  const { requestId, headers } = request;
  return { requestId, traceparent: readTraceparent(headers["traceparent"]) };
}

/** Returns the original error: Bolt wraps errors that have no code. */
function originOf(error: Error): unknown {
  return "original" in error ? error.original : error;
}
