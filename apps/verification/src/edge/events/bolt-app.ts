import { App, type Logger as SlackLogger, type Receiver } from "@slack/bolt";
import { type Interaction, type ModalErrors, readInteraction } from "../../slack/interaction.ts";
import { listenedCommands, readSlashCommand, type SlashCommand } from "../../slack/slash-command.ts";
import { readEnvelope, type SlackEnvelope } from "./slack-event.ts";

/** The app's events. The manifest subscribes to the same ones; `message` arrives as `message.im` and so on. */
export const listenedEvents = [
  "app_mention",
  "message",
  "agent_session_stopped",
  "app_uninstalled",
  "tokens_revoked",
] as const;

/** Thrown for an event that Slack must not send again. */
export class RefusedEventError extends Error {
  override readonly name = "RefusedEventError";
}

/**
 * Thrown for an event that was not stored and that Slack must send again; `cause` has the reason. Other errors from Bolt mean that it could
 * not read the event.
 */
export class EventNotTakenError extends Error {
  override readonly name = "EventNotTakenError";
}

/** Data of the HTTP request that delivered an event; empty with a socket. */
export interface DeliveredBy {
  readonly requestId?: string;
  readonly traceparent?: string;
}

export interface EventDelivery extends DeliveredBy {
  /** 0 for the first delivery. */
  readonly retry: number;
}

export interface BoltAppOptions {
  readonly receiver: Receiver;
  readonly logger: SlackLogger;
  /** Accepts an event. If it rejects, the event is not acknowledged. */
  readonly onEvent: (envelope: SlackEnvelope, delivery: EventDelivery) => Promise<void>;
  /** Accepts a slash command. Returns the immediate reply; if it throws, Slack reports that the command failed. */
  readonly onCommand: (command: SlashCommand, delivery: DeliveredBy) => string | undefined;
  /**
   * Accepts an interaction; undefined is one that can't be read. Resolves with what is wrong in a modal, by block, which then stays open. If it
   * rejects, the interaction is not acknowledged, and Slack shows the person a warning.
   */
  readonly onInteraction: (
    interaction: Interaction | undefined,
    delivery: DeliveredBy,
  ) => Promise<ModalErrors | undefined>;
}

/**
 * Makes a Bolt app that only verifies, parses and acknowledges. Its listeners hand events over, so Bolt has no client and no token, and
 * never calls Slack.
 */
export function createBoltApp({ receiver, logger, onEvent, onCommand, onInteraction }: BoltAppOptions): App {
  const app = new App({
    receiver,
    logger,
    authorize: async () => ({}),
    // The app's own messages are counted like other ignored ones.
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
        throw cause instanceof RefusedEventError
          ? cause
          : new EventNotTakenError("the event was not stored", { cause });
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
  const interacted = async (body: unknown, context: object): Promise<ModalErrors | undefined> => {
    const { requestId, traceparent } = context as DeliveredBy;
    try {
      return await onInteraction(readInteraction(body), { requestId, traceparent });
    } catch (cause) {
      throw new EventNotTakenError("the interaction was not stored", { cause });
    }
  };
  app.action({ type: "block_actions" }, async ({ body, ack, context }) => {
    await interacted(body, context);
    await ack();
  });
  app.view({ type: "view_submission" }, async ({ body, ack, context }) => {
    const errors = await interacted(body, context);
    await ack(errors && { response_action: "errors", errors });
  });
  return app;
}
