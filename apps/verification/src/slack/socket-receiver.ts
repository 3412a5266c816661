import { SocketModeReceiver, type Logger as SlackLogger, type Receiver } from "@slack/bolt";
import { EventNotTakenError } from "./bolt-app.ts";
import { withLateAck } from "./late-ack.ts";
import { readCallError } from "./read-call-error.ts";
import { SlackCallError } from "./slack-call-error.ts";

export interface SocketReceiverOptions {
  readonly appToken: string;
  /** Where the Web API is, with a slash at the end. */
  readonly apiUrl: string;
  readonly logger: SlackLogger;
  /** Told of an event that could not be taken, or not be acknowledged; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
  /** Told when an open socket is gone though nobody stopped it. */
  readonly onLost: () => void;
}

/**
 * Bolt's Socket Mode receiver: events come over a WebSocket that this side opens. `start` tries once and rejects with a
 * `SlackCallError`; who calls it tries again. Bolt's own reconnecting is off: when Slack refuses it, as it does once a token is
 * revoked, nobody could catch that, and the process would end. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export function createSocketReceiver(options: SocketReceiverOptions): Receiver {
  const { appToken, apiUrl, logger, onFailure, onLost } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl, allowAbsoluteUrls: false, timeout: 10_000, retryConfig: { retries: 0 } },
    },
    // Bolt would acknowledge behind this, where a socket that is gone by then ends the process too.
    processEventErrorHandler: async ({ error, event }) => {
      const origin = "original" in error ? error.original : error;
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

/** The client rejects with nothing when the socket closes before Slack has said hello. */
function openError(error: unknown): SlackCallError {
  const method = "apps.connections.open";
  if (error === undefined) return new SlackCallError(method, { failure: "unavailable", code: "socket_closed" });
  return readCallError(method, error);
}
