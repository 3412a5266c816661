import type { IncomingMessage } from "node:http";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import { openConnections, proxyEnv } from "@crosszone/service-kit/outgoing";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import {
  App,
  type BufferedIncomingMessage,
  HTTPReceiver,
  type Logger as SlackLogger,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from "@slack/bolt";
import {
  fromJson,
  type Interaction,
  isInteraction,
  listenedCommands,
  messageShortcut,
  type ModalErrors,
  readInteraction,
  readSlashCommand,
  type SlashCommand,
} from "../slack/interaction.ts";
import { readCallError, SlackCallError } from "../slack/slack-call-error.ts";
import { type EventsLimit, readEnvelope, readEventsLimit, type SlackEnvelope } from "./slack-event.ts";

/** The app's events. The manifest subscribes to the same ones; `message` arrives as `message.im` and so on. */
export const listenedEvents = [
  "app_mention",
  "message",
  "agent_session_stopped",
  "app_home_opened",
  "reaction_added",
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
class EventNotTakenError extends Error {
  override readonly name = "EventNotTakenError";
}

/** Data of the HTTP request that delivered an event; empty with a socket. */
interface DeliveredBy {
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
  // Bolt leaves its acknowledgment to a listener, and refuses it after five seconds.
  app.event("function_executed", ({ ack }) => ack());
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
  app.shortcut({ type: "message_action", callback_id: messageShortcut }, async ({ body, ack, context }) => {
    await interacted(body, context);
    await ack();
  });
  app.view({ type: "view_submission" }, async ({ body, ack, context }) => {
    const errors = await interacted(body, context);
    await ack(errors && { response_action: "errors", errors });
  });
  return app;
}

/**
 * Makes Bolt's HTTP receiver, which checks the signature. It responds after the listeners are done: 200 if they stored the event, 503 if
 * Slack must send it again, 403 if it must not, and 400 if Bolt could not read it.
 */
export function createSlackHttpReceiver(options: {
  readonly signingSecret: string;
  readonly path: string;
  readonly logger: SlackLogger;
  /** Called for an event that could not be stored; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
  /** Called when Slack says that it drops events of the app. */
  readonly onRateLimited: (limit: EventsLimit) => void;
}): HTTPReceiver {
  const { signingSecret, path, logger, onFailure, onRateLimited } = options;
  return new HTTPReceiver({
    signingSecret,
    endpoints: path,
    logger,
    processBeforeResponse: true,
    customPropertiesExtractor: (request: IncomingMessage & { readonly requestId?: string }): DeliveredBy => ({
      requestId: request.requestId,
      traceparent: readTraceparent(request.headers["traceparent"]),
    }),
    processEventErrorHandler: async ({ error, response }) => {
      const origin = originOf(error);
      if (origin instanceof EventNotTakenError) {
        onFailure(origin.cause);
        response.writeHead(503, { "retry-after": "5" }).end();
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

interface SocketOptions {
  readonly appToken: string;
  /** URL of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  /** Time to open a socket and for Slack's hello, milliseconds. */
  readonly helloMs: number;
  readonly logger: SlackLogger;
  /** Called for an event that could not be stored or acknowledged; Slack sends it again. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the reason why a frame is left out. */
  readonly onOddFrame: (reason: string) => void;
  /** Called when Slack says that it drops events of the app. */
  readonly onRateLimited: (limit: EventsLimit) => void;
  /** Called when an open socket closes unexpectedly. */
  readonly onLost: () => void;
}

/**
 * Makes Bolt's Socket Mode receiver: events arrive over a WebSocket that this zone opens. `start` tries once, with a new client, and rejects with a
 * `SlackCallError`; its caller retries. Bolt's own reconnecting is off: when Slack refuses it, for example after a token is revoked, the
 * error cannot be caught and ends the process. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export function createSocketReceiver(options: SocketOptions): Receiver {
  const { helloMs, onLost } = options;
  let current: { readonly receiver: SocketModeReceiver; isOpen: boolean } | undefined;
  let app: App | undefined;
  return withLateAck({
    init: (given) => {
      app = given;
    },
    start: async () => {
      const receiver = createClientOf(options);
      if (app !== undefined) receiver.init(app);
      const opened = { receiver, isOpen: false };
      let isLeft = false;
      // A hello that comes too late is no use: another socket is open by then.
      receiver.client.on("connected", () => isLeft && void receiver.stop());
      receiver.client.on("disconnected", () => {
        if (opened.isOpen) onLost();
        opened.isOpen = false;
      });
      current = opened;
      try {
        await withTimeout(helloMs, () => receiver.start());
        opened.isOpen = true;
      } catch (error) {
        isLeft = true;
        void receiver.stop();
        throw openError(error);
      }
    },
    stop: async () => {
      if (current !== undefined) current.isOpen = false;
      await current?.receiver.stop();
    },
  });
}

/** Makes a receiver for one socket. */
function createClientOf({ appToken, apiUrl, logger, onFailure, ...on }: SocketOptions): SocketModeReceiver {
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    autoReconnectEnabled: false,
    // Bolt's own connections ignore the proxies of the environment.
    ...(proxyEnv() && { dispatcher: openConnections({ allowH2: false }) }),
    installerOptions: {
      clientOptions: { slackApiUrl: apiUrl, allowAbsoluteUrls: false, timeout: 10_000, retryConfig: { retries: 0 } },
    },
    // Bolt would acknowledge after this, which ends the process too if the socket has closed by then.
    processEventErrorHandler: async ({ error, event }) => {
      const origin = originOf(error);
      const isOdd = !(origin instanceof RefusedEventError);
      if (origin instanceof EventNotTakenError) onFailure(origin.cause);
      else await Promise.try(() => event.ack()).then(() => isOdd && on.onOddFrame("malformed"), onFailure);
      return false;
    },
  });
  const { client } = receiver;
  // The client's own reader, whose rejection nothing would handle.
  const [read = () => undefined] = client.listeners("ws_message");
  client.removeAllListeners("ws_message");
  client.on("ws_message", (data: unknown, isBinary: boolean) => {
    const frame = isBinary ? undefined : fromJson(data);
    const payload = ownMember(frame, "payload");
    const limit = isObject(payload) ? readEventsLimit(payload) : undefined;
    const reason = oddityOf(frame);
    if (limit === undefined && reason === undefined) {
      void Promise.try(() => read(data, isBinary)).catch(() => on.onOddFrame("malformed"));
      return;
    }
    if (limit !== undefined) on.onRateLimited(limit);
    else if (reason !== undefined) on.onOddFrame(reason);
    const envelope_id = ownMember(frame, "envelope_id");
    // Slack would send it again.
    if (typeof envelope_id === "string")
      client.websocket?.send(JSON.stringify({ envelope_id, payload: {} }), () => undefined);
  });
  return receiver;
}

/** Returns why Slack's client can't read a frame, which would end the process; undefined if it can. */
function oddityOf(frame: unknown): string | undefined {
  if (frame === undefined) return "no_json";
  if (!isObject(frame)) return "no_object";
  const { type, envelope_id, payload } = frame;
  if (typeof type !== "string") return "no_type";
  if (type === "hello" || type === "disconnect") return undefined;
  if (typeof envelope_id !== "string") return "no_envelope_id";
  if (!isObject(payload)) return "no_payload";
  return type !== "events_api" || typeof ownMember(payload["event"], "type") === "string" ? undefined : "no_event";
}

/** Slack's code when a socket opens and stays silent. */
export const noHello = "no_hello";

/** The client rejects with undefined if the socket closes before Slack's hello. */
function openError(error: unknown): SlackCallError {
  const method = "apps.connections.open";
  if (error === undefined) return new SlackCallError(method, { failure: "unavailable", code: "socket_closed" });
  if (error instanceof TimeLimitError) return new SlackCallError(method, { failure: "unavailable", code: noHello });
  return readCallError(method, error);
}
