import type { IncomingMessage } from "node:http";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import {
  type App,
  type BufferedIncomingMessage,
  HTTPReceiver,
  type Logger as SlackLogger,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from "@slack/bolt";
import { isInteraction } from "../../slack/interaction.ts";
import { readCallError, SlackCallError } from "../../slack/slack-call-error.ts";
import { type DeliveredBy, EventNotTakenError, RefusedEventError } from "./bolt-app.ts";
import { type EventsLimit, readEventsLimit } from "./slack-event.ts";

/**
 * Makes Bolt's HTTP receiver, which checks the signature. It responds after the listeners are done: 200 if they stored the event, 503 if
 * Slack must send it again, 403 if it must not, and 400 if Bolt could not read it.
 */
export function createSlackHttpReceiver({
  signingSecret,
  path,
  logger,
  onFailure,
  onRateLimited,
}: {
  readonly signingSecret: string;
  readonly path: string;
  readonly logger: SlackLogger;
  /** Called for an event that could not be stored; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
  /** Called when Slack says that it drops events of the app. */
  readonly onRateLimited: (limit: EventsLimit) => void;
}): HTTPReceiver {
  return new HTTPReceiver({
    signingSecret,
    endpoints: path,
    logger,
    processBeforeResponse: true,
    customPropertiesExtractor: ({
      requestId,
      headers,
    }: IncomingMessage & { readonly requestId?: string }): DeliveredBy => ({
      requestId,
      traceparent: readTraceparent(headers["traceparent"]),
    }),
    processEventErrorHandler: async ({ error, response }) => {
      const origin = originOf(error);
      if (origin instanceof EventNotTakenError) {
        onFailure(origin.cause);
        response.writeHead(503).end();
      } else response.writeHead(origin instanceof RefusedEventError ? 403 : 400, { "x-slack-no-retry": "1" }).end();
      return true;
    },
    // Bolt acknowledges the events that it handles before any timer fires. Others need no retry. Interactions are acknowledged once they are
    // stored.
    unhandledRequestTimeoutMillis: 1,
    unhandledRequestHandler: ({ request, response }) => {
      const { rawBody } = request as BufferedIncomingMessage;
      const limit = readEventsLimit(rawBody);
      if (limit !== undefined) onRateLimited(limit);
      if (limit !== undefined || !isInteraction(rawBody))
        response.writeHead(limit === undefined ? 404 : 200, { "x-slack-no-retry": "1" }).end();
    },
  });
}

/** Returns the original error: Bolt wraps errors that have no code. */
function originOf(error: Error): unknown {
  return "original" in error ? error.original : error;
}

/**
 * Makes a receiver acknowledge only after its listeners succeed, as `processBeforeResponse` does for HTTP. Bolt acknowledges events before
 * its listeners run, and Slack would not resend a lost event.
 */
export function withLateAck(receiver: Receiver): Receiver {
  return {
    init: (app) => {
      const processEvent = async (event: ReceiverEvent): Promise<void> => {
        let answer: { readonly response?: unknown } | undefined;
        await app.processEvent({
          ...event,
          ack: async (response?: unknown) => {
            answer = { response };
          },
        });
        if (answer !== undefined) await event.ack(answer.response);
      };
      receiver.init({ processEvent } as App);
    },
    start: (...args) => receiver.start(...args),
    stop: (...args) => receiver.stop(...args),
  };
}

/**
 * Makes Bolt's Socket Mode receiver: events arrive over a WebSocket that this zone opens. `start` tries once and rejects with a
 * `SlackCallError`; its caller retries. Bolt's own reconnecting is off: when Slack refuses it, for example after a token is revoked, the
 * error cannot be caught and ends the process. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export function createSocketReceiver(options: {
  readonly appToken: string;
  /** URL of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  readonly logger: SlackLogger;
  /** Called for an event that could not be stored or acknowledged; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
  /** Called when an open socket closes unexpectedly. */
  readonly onLost: () => void;
}): Receiver {
  const { appToken, apiUrl, logger, onFailure, onLost } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl, allowAbsoluteUrls: false, timeout: 10_000, retryConfig: { retries: 0 } },
    },
    // Bolt would acknowledge after this, which ends the process too if the socket has closed by then.
    processEventErrorHandler: async ({ error, event }) => {
      const origin = originOf(error);
      if (origin instanceof EventNotTakenError) onFailure(origin.cause);
      else await Promise.try(() => event.ack()).catch(onFailure);
      return false;
    },
  });
  const { client } = receiver;
  let isOpen = false;
  client.on("disconnected", () => {
    if (isOpen) onLost();
    isOpen = false;
  });
  return withLateAck({
    init: (app) => receiver.init(app),
    start: async () => {
      try {
        await receiver.start();
        isOpen = true;
      } catch (error) {
        throw openError(error);
      }
    },
    stop: async () => {
      isOpen = false;
      await receiver.stop();
    },
  });
}

/** The client rejects with undefined if the socket closes before Slack's hello. */
function openError(error: unknown): SlackCallError {
  const method = "apps.connections.open";
  if (error === undefined) return new SlackCallError(method, { failure: "unavailable", code: "socket_closed" });
  return readCallError(method, error);
}
