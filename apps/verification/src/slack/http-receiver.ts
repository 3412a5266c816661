import { HTTPReceiver, type Logger as SlackLogger } from "@slack/bolt";
import { EventNotTakenError, RefusedEventError } from "./bolt-app.ts";

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

/** What was thrown: Bolt wraps errors that have no code. */
function originOf(error: Error): unknown {
  return "original" in error ? error.original : error;
}
