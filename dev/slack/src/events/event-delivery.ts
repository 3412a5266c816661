import { Agent } from "undici";
import { type AppSender, createAppSender } from "./app-sender.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import {
  createEventDispatcher,
  createEventPublisher,
  type EventDispatcher,
  type EventPublisher,
} from "./event-dispatcher.ts";
import type { SlackEvent } from "./event-envelope.ts";
import { createHttpTransport, createSignedPost } from "./signed-request.ts";
import { createSocketHub, type SocketHub } from "./socket-hub.ts";

/** Delivers events from the workspace to the app. */
export interface EventDelivery {
  events: EventPublisher;
  dispatcher: EventDispatcher;
  hub: SocketHub;
  /** Sends a command or an interaction to the app, if it is installed and can be reached. */
  send: AppSender;
  setEventsUrl(url: string | undefined): void;
  /** Sets whether the app is installed. It never gets events from the time when it was not. */
  setInstalled(installed: boolean): void;
  isInstalled(): boolean;
  close(): Promise<void>;
}

/** Options of event delivery. */
export interface EventDeliveryOptions {
  state: WorkspaceState;
  traffic: TrafficLog;
  signingSecret: string;
  eventsUrl: string | undefined;
  ackTimeoutMs: number;
  retryScheduleMs: readonly number[];
  /** Returns whether the app gets this event. */
  isSubscribed: (event: SlackEvent) => boolean;
}

/** Makes an event delivery. Events go to a connected socket, otherwise to the events URL, each request on its own connection. */
export function createEventDelivery(options: EventDeliveryOptions): EventDelivery {
  const { state, traffic, signingSecret, ackTimeoutMs, retryScheduleMs, isSubscribed } = options;
  const agent = new Agent({ pipelining: 0 });
  const hub = createSocketHub(state.directory.workspace.app.app_id, ackTimeoutMs);
  let installed = true;
  let eventsUrl = hrefOf(options.eventsUrl);
  const post = createSignedPost({
    eventsUrl: () => eventsUrl,
    signingSecret,
    ackTimeoutMs,
    dispatcher: agent,
    now: () => state.clock.seconds(),
  });
  const http = createHttpTransport(post);
  const send = createAppSender(hub, () => (eventsUrl === undefined ? undefined : post));
  const dispatcher = createEventDispatcher({
    transport: () => {
      const { kind } = state.outage;
      if (kind === "late_events") return undefined;
      if (kind !== "none") return kind === "away" ? "Slack is away" : "events are lost";
      if (hub.connected()) return hub.transport;
      return eventsUrl === undefined ? "no events URL is set and no socket is connected" : http;
    },
    retryScheduleMs,
    record: (entry) => traffic.record(entry),
    pending: state.storage.keep("events"),
  });
  return {
    events: createEventPublisher(state, (envelope) => {
      if (installed && isSubscribed(envelope.event)) dispatcher.deliver(envelope);
    }),
    dispatcher,
    hub,
    send: async (type, payload) =>
      installed && state.outage.kind !== "away" ? send(type, payload) : { status: 0, ms: 0, error: "dispatch_failed" },
    setEventsUrl: (url) => {
      eventsUrl = hrefOf(url);
    },
    setInstalled: (next) => {
      installed = next;
    },
    isInstalled: () => installed,
    close: async () => {
      await dispatcher.close();
      await hub.close();
      await agent.destroy();
    },
  };
}

/** Throws if it is not a URL. */
const hrefOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).href);
