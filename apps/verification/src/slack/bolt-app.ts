import { App, type Logger as SlackLogger, type Receiver } from "@slack/bolt";
import { listenedCommands, readSlashCommand, type SlashCommand } from "./slash-command.ts";
import { readEnvelope, type SlackEnvelope } from "./slack-event.ts";

/** The events that this app listens to. The manifest subscribes to the same; `message` comes as `message.im` and so on. */
export const listenedEvents = [
  "app_mention",
  "message",
  "agent_session_stopped",
  "app_uninstalled",
  "tokens_revoked",
] as const;

/** Thrown for an event that Slack shall not send again. */
export class RefusedEventError extends Error {
  override readonly name = "RefusedEventError";
}

/** Thrown for an event that was not taken and shall come again; `cause` says why. Whatever else Bolt throws, it could not read. */
export class EventNotTakenError extends Error {
  override readonly name = "EventNotTakenError";
}

/** What is known of the HTTP request that brought an event; a socket brings none. */
export interface DeliveredBy {
  readonly requestId?: string | undefined;
  readonly traceparent?: string | undefined;
}

export interface EventDelivery extends DeliveredBy {
  /** 0 for the first delivery. */
  readonly retry: number;
}

export interface BoltAppOptions {
  readonly receiver: Receiver;
  readonly logger: SlackLogger;
  /** Takes over an event; when it rejects, Slack is not told that the event arrived. */
  readonly onEvent: (envelope: SlackEnvelope, delivery: EventDelivery) => Promise<void>;
  /** Takes over a slash command; what it gives is said at once, and when it throws, Slack says that the command failed. */
  readonly onCommand: (command: SlashCommand, delivery: DeliveredBy) => string | undefined;
}

/**
 * Bolt, as far as it is needed: it verifies, parses and acknowledges. Listeners only hand the event over, so no client and no token
 * is given to Bolt, and it never has to ask Slack who it is.
 */
export function createBoltApp({ receiver, logger, onEvent, onCommand }: BoltAppOptions): App {
  const app = new App({
    receiver,
    logger,
    authorize: async () => ({}),
    // Own messages are counted like all others that are not answered.
    ignoreSelf: false,
    convoStore: false,
    attachFunctionToken: false,
  });
  app.error(async (error) => {
    throw error;
  });
  for (const name of listenedEvents) {
    app.event(name, async ({ body, context }) => {
      const envelope = readEnvelope(body);
      if (envelope === undefined)
        throw new RefusedEventError("the body is no event_callback, or its event has no type");
      try {
        const { requestId, traceparent } = context as DeliveredBy;
        await onEvent(envelope, { retry: context.retryNum ?? 0, requestId, traceparent });
      } catch (cause) {
        throw cause instanceof RefusedEventError ? cause : new EventNotTakenError("the event was not taken", { cause });
      }
    });
  }
  for (const name of listenedCommands) {
    app.command(name, async ({ body, ack, context }) => {
      const command = readSlashCommand(body);
      if (command === undefined) throw new Error("the body is no slash command");
      const { requestId, traceparent } = context as DeliveredBy;
      const said = onCommand(command, { requestId, traceparent });
      await ack(said === undefined ? undefined : { response_type: "ephemeral", text: said });
    });
  }
  return app;
}
