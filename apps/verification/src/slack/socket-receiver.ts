import { SocketModeReceiver, type Logger as SlackLogger, type Receiver } from "@slack/bolt";
import { EventNotTakenError } from "./bolt-app.ts";
import { withLateAck } from "./late-ack.ts";

export interface SocketReceiverOptions {
  readonly appToken: string;
  /** Where the Web API is, with a slash at the end. */
  readonly apiUrl: string;
  readonly logger: SlackLogger;
  /** Told of an event that could not be taken; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
}

/** Bolt's Socket Mode receiver: events come over a WebSocket that this side opens. https://docs.slack.dev/apis/events-api/using-socket-mode */
export function createSocketReceiver({ appToken, apiUrl, logger, onFailure }: SocketReceiverOptions): Receiver {
  return withLateAck(
    new SocketModeReceiver({
      appToken,
      logger,
      installerOptions: { clientOptions: { slackApiUrl: apiUrl, allowAbsoluteUrls: false, timeout: 10_000 } },
      processEventErrorHandler: async ({ error }) => {
        const origin = "original" in error ? error.original : error;
        if (!(origin instanceof EventNotTakenError)) return true;
        onFailure(origin.cause);
        return false;
      },
    }),
  );
}
