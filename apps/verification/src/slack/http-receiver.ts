import type { IncomingMessage } from "node:http";
import { HTTPReceiver, type Logger as SlackLogger } from "@slack/bolt";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { EventNotTakenError, RefusedEventError, type DeliveredBy } from "./bolt-app.ts";

export interface SlackHttpReceiverOptions {
  readonly signingSecret: string;
  readonly path: string;
  readonly logger: SlackLogger;
  /** Told of an event that could not be taken; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Bolt's HTTP receiver, which checks the signature. It acknowledges an event after the listeners are done: 200 when they took it,
 * 503 when Slack shall send it again, 403 when it shall not, 400 when Bolt could not read it.
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
    // Bolt acknowledges what it knows before any timer can fire; the rest, such as `app_rate_limited`, need not come again.
    unhandledRequestTimeoutMillis: 1,
    unhandledRequestHandler: ({ response }) => {
      response.writeHead(404, { "x-slack-no-retry": "1" });
      response.end();
    },
  });
}

/** What the request itself says of the event that it brought: the id that it was given on the way here, and a proxy's trace. */
function deliveredBy(request: IncomingMessage & { readonly requestId?: string }): DeliveredBy {
  const { requestId, headers } = request;
  return { requestId, traceparent: readTraceparent(headers["traceparent"]) };
}

/** What was thrown: Bolt wraps errors that have no code. */
function originOf(error: Error): unknown {
  return "original" in error ? error.original : error;
}
