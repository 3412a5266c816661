import type { RequestListener } from "node:http";
import type { Emit } from "@crosszone/service-kit";
import type { Clock } from "@crosszone/service-kit/timing";
import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { type App, HTTPReceiver, type Receiver } from "@slack/bolt";
import type { Commands } from "../asking/commands.ts";
import { createStoreRetry } from "../inbox/record-ends.ts";
import { createSdkLogger } from "../slack/token-clients.ts";
import { installationIdOf, type InstallationStore } from "../workspaces/installation-store.ts";
import { errorFields } from "../workspaces/traces.ts";
import type { IsForApp, Workspaces } from "../workspaces/workspaces.ts";
import {
  type BoltAppOptions,
  createBoltApp,
  createSlackHttpReceiver,
  type createSocketReceiver,
  type EventDelivery,
  RefusedEventError,
} from "./bolt-app.ts";
import type { EventIntake, EventVerdict, IntakeResult } from "./event-intake.ts";
import { type EventsLimit, readTokensRevoked, type SlackEnvelope, workspaceOf } from "./slack-event.ts";
import type { Sweeper } from "./sweep.ts";

/** An event as it was delivered. */
interface DeliveredEvent {
  readonly envelope: SlackEnvelope;
  readonly delivery: EventDelivery;
}

/**
 * Runs the receipt of an event in a span, whose trace context the record carries through the inbox.
 * https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/
 */
function traceEvent(
  tracer: Tracer,
  { envelope: { event_id, event }, delivery: { retry, traceparent } }: DeliveredEvent,
  receive: (traceparent: string | undefined) => Promise<IntakeResult>,
): Promise<IntakeResult> {
  const span = tracer.start("receive slack.events", {
    kind: "consumer",
    traceparent,
    attributes: {
      "messaging.system.name": "slack",
      "messaging.destination.name": "slack.events",
      "messaging.operation.name": "receive",
      "messaging.operation.type": "receive",
      "messaging.message.id": event_id,
      "crosszone.slack.event_type": event.type,
      "crosszone.slack.retry": retry,
    },
  });
  const received = async (): Promise<IntakeResult> => {
    const result = await receive(span.traceparent);
    const { verdict, record } = result;
    span.set({ "crosszone.verdict": verdict });
    if (verdict === "accepted") span.set({ "messaging.message.conversation_id": record?.correlation_id });
    return result;
  };
  return inSpan(span, received, errorFields);
}

const eventOf: Partial<Record<EventVerdict, VerificationEvent>> = {
  accepted: "event_accepted",
  duplicate: "event_duplicate",
  foreign_team: "event_refused",
  foreign_author: "event_refused",
  not_installed: "event_refused",
  wrong_app: "event_refused",
};

/** Reports the verdict about an event: ids, never a message's content. */
function reportEvent(
  emit: Emit<VerificationEvent>,
  { envelope, delivery: { retry, requestId, traceparent } }: DeliveredEvent,
  { verdict, record }: IntakeResult,
): void {
  const { event, event_id, team_id, api_app_id } = envelope;
  const name = eventOf[verdict] ?? "event_ignored";
  const { correlation_id, request_id } = (verdict === "accepted" ? record : undefined) ?? {};
  const isRefused = name === "event_refused";
  emit(name, {
    correlation_id,
    request_id,
    verdict,
    event_id,
    event_type: event.type,
    retry,
    channel: event["channel"],
    http_request_id: requestId,
    traceparent: record?.traceparent ?? traceparent,
    team_id: isRefused ? team_id : undefined,
    api_app_id: isRefused ? api_app_id : undefined,
  });
}

/** The path for Slack's events, slash commands and interactions. */
export const slackPath = "/slack/events";

/** How events arrive: as signed HTTP requests, or over a socket that this zone opens. */
export type SlackIntake =
  | { readonly mode: "http"; readonly signingSecret: string }
  | {
      readonly mode: "socket";
      /** `onLost` is called when the socket closes unexpectedly; `start` then opens another. */
      readonly createReceiver: (
        options: Pick<
          Parameters<typeof createSocketReceiver>[0],
          "logger" | "onFailure" | "onOddFrame" | "onRateLimited" | "onLost"
        >,
      ) => Receiver;
    };

export interface SlackConnection {
  readonly bolt: App;
  /** Handles Slack's requests; absent with Socket Mode. */
  readonly listener?: RequestListener;
}

/** Where events go. */
interface EventRoutes {
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  /** Absent with a single workspace. */
  readonly installations?: InstallationStore;
  readonly clock: Clock;
  readonly emit: Emit<VerificationEvent>;
  readonly receive: EventIntake;
}

/** Connects Bolt to the workspaces: each event is judged and, if it needs an answer, stored before it is acknowledged. */
export function createSlackConnection(
  deps: EventRoutes & {
    readonly intake: SlackIntake;
    readonly tracer: Tracer;
    readonly commands: Commands;
    readonly takeInteraction: BoltAppOptions["onInteraction"];
    /** Called when a record was stored, or its message was edited too late. */
    readonly onAccepted: (result: IntakeResult) => void;
    /** Called when the socket is lost and events no longer arrive. */
    readonly onLost: () => void;
    /** Called when an event was not stored, or Slack says that it drops events. */
    readonly onLoss: Sweeper["lost"] | undefined;
  },
): SlackConnection {
  const { intake, commands, takeInteraction, emit, tracer, onAccepted, onLost, onLoss } = deps;
  const logger = createSdkLogger((severity, text) => emit("slack_sdk_remark", { severity, text }));
  const onFailure = (failure: unknown): void => {
    emit("event_not_stored", { operation: "accept_event", failure });
    onLoss?.({ since: deps.clock.now() });
  };
  const onOddFrame = (reason: string): void => emit("slack_frame_left_out", { reason });
  const onRateLimited = (limit: EventsLimit): void => {
    emit("events_limited", limit);
    onLoss?.({ team_id: limit.team_id, since: Date.parse(limit.since) });
  };
  const receiver =
    intake.mode === "http"
      ? createSlackHttpReceiver({ ...intake, path: slackPath, logger, onFailure, onRateLimited })
      : intake.createReceiver({ logger, onFailure, onOddFrame, onRateLimited, onLost });
  const bolt = createBoltApp({
    receiver,
    logger,
    onEvent: async (envelope, delivery) => {
      const delivered = { envelope, delivery };
      const result = await traceEvent(tracer, delivered, (traceparent) => routeEvent(deps, envelope, traceparent));
      reportEvent(emit, delivered, result);
      if (result.verdict === "wrong_app") throw new RefusedEventError("the event is for another app");
      if (result.verdict === "accepted" || result.late === true) onAccepted(result);
    },
    onCommand: (command, delivery) => {
      const taken = commands.take(command, delivery);
      if (taken.refused !== undefined) throw new RefusedEventError("the command is for another app");
      return taken.say;
    },
    onInteraction: takeInteraction,
  });
  return { bolt, listener: receiver instanceof HTTPReceiver ? receiver.requestListener : undefined };
}

/** Slack waits three seconds. An event that could not be stored is refused before that, so that Slack sends it again. */
const storeBudgetMs = 2_000;

/**
 * Routes an event to its workspace, and removes an installation that has ended. An event for a workspace without an installation is ignored. All
 * database calls for one event take at most two seconds.
 */
export async function routeEvent(
  { findWorkspace, isForApp, installations, clock, emit, receive }: EventRoutes,
  envelope: SlackEnvelope,
  traceparent?: string,
): Promise<IntakeResult> {
  const retryStore = createStoreRetry(storeBudgetMs);
  const workspace = workspaceOf(envelope);
  if (!(await isForApp({ workspace, api_app_id: envelope.api_app_id }, retryStore))) return { verdict: "wrong_app" };
  if (installations !== undefined && endsInstallation(envelope)) {
    const id = installationIdOf(workspace);
    // The end of the event's second: a later installation survives a delayed event.
    const { event_time } = envelope;
    const moment = event_time === undefined ? clock.now() : event_time * 1_000 + 999;
    if (id !== undefined && (await retryStore(() => installations.remove(id, moment))))
      emit("app_removed", { installation: id });
    return { verdict: "installation_ended" };
  }
  const context = await retryStore(() => findWorkspace(workspace));
  return context === undefined ? { verdict: "not_installed" } : receive(context, envelope, { retryStore, traceparent });
}

/** Returns true if the app was removed or its bot's token revoked: it has one bot in a workspace. Tokens of people don't count. */
function endsInstallation({ event }: SlackEnvelope): boolean {
  return event.type === "app_uninstalled" || (event.type === "tokens_revoked" && readTokensRevoked(event).length > 0);
}
