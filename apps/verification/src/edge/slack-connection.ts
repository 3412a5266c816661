import type { RequestListener } from "node:http";
import { type App, HTTPReceiver, type Logger as SlackLogger, type Receiver } from "@slack/bolt";
import type { Commands } from "../answering/commands/create-commands.ts";
import type { Interactions } from "../answering/interactions/interactions.ts";
import { createStoreRetry } from "../inbox/endings.ts";
import { createSdkLogger } from "../slack/token-clients.ts";
import { type InstallationStore, installationIdOf } from "../workspaces/installations/installation-store.ts";
import type { IsForApp, Workspaces } from "../workspaces/workspaces.ts";
import type { ZoneParts } from "../workspaces/zone-parts.ts";
import { createBoltApp, RefusedEventError } from "./events/bolt-app.ts";
import { createEventIntake, type EventIntake, type IntakeResult } from "./events/event-intake.ts";
import { createSlackHttpReceiver } from "./events/receivers.ts";
import { reportEvent, traceEvent } from "./events/trace-event.ts";
import { type EventsLimit, readTokensRevoked, type SlackEnvelope, workspaceOf } from "./events/slack-event.ts";

/** The path for Slack's events, slash commands and interactions. */
export const slackPath = "/slack/events";

/** How events arrive: as signed HTTP requests, or over a socket that this zone opens. */
export type SlackIntake =
  | { readonly mode: "http"; readonly signingSecret: string }
  | {
      readonly mode: "socket";
      /** `onLost` is called when the socket closes unexpectedly; `start` then opens another. */
      readonly createReceiver: (options: {
        logger: SlackLogger;
        onFailure: (error: unknown) => void;
        onLost: () => void;
      }) => Receiver;
    };

export interface SlackConnection {
  readonly bolt: App;
  /** Handles Slack's requests; absent with Socket Mode. */
  readonly listener?: RequestListener;
}

interface SlackConnectionDeps extends ZoneParts {
  readonly intake: SlackIntake;
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  /** Absent with a single workspace. */
  readonly installations?: InstallationStore;
  readonly commands: Commands;
  readonly interactions: Interactions;
  readonly onAccepted: (result: IntakeResult) => void;
  /** Called when the socket is lost and events no longer arrive. */
  readonly onLost: () => void;
}

/** Connects Bolt to the workspaces: each event is judged and, if it needs an answer, stored before it is acknowledged. */
export function createSlackConnection(deps: SlackConnectionDeps): SlackConnection {
  const { intake, commands, interactions, emit, tracer, onAccepted, onLost } = deps;
  const route = createEventRouter({ ...deps, receive: createEventIntake(deps) });
  const logger = createSdkLogger((severity, text) => emit("slack_sdk_remark", { severity, text }));
  const onFailure = (failure: unknown): void => emit("event_not_stored", { operation: "accept_event", failure });
  const onRateLimited = (limit: EventsLimit): void => emit("events_limited", limit);
  const receiver =
    intake.mode === "http"
      ? createSlackHttpReceiver({ ...intake, path: slackPath, logger, onFailure, onRateLimited })
      : intake.createReceiver({ logger, onFailure, onLost });
  const bolt = createBoltApp({
    receiver,
    logger,
    onEvent: async (envelope, delivery) => {
      const delivered = { envelope, delivery };
      const result = await traceEvent(tracer, delivered, (traceparent) => route(envelope, traceparent));
      reportEvent(emit, delivered, result);
      if (result.verdict === "wrong_app") throw new RefusedEventError("the event is for another app");
      if (result.verdict === "accepted") onAccepted(result);
    },
    onCommand: (command, delivery) => {
      const taken = commands.take(command, delivery);
      if (taken.refused !== undefined) throw new RefusedEventError("the command is for another app");
      return taken.say;
    },
    onInteraction: interactions.take,
  });
  return { bolt, listener: receiver instanceof HTTPReceiver ? receiver.requestListener : undefined };
}

/** Slack waits three seconds. An event that could not be stored is refused before that, so that Slack sends it again. */
const storeBudgetMs = 2_000;

/**
 * Routes each event to its workspace, and removes installations that have ended. An event for a workspace without an installation is
 * ignored. All database calls for one event take at most two seconds.
 */
export function createEventRouter({
  findWorkspace,
  isForApp,
  installations,
  clock,
  emit,
  receive,
}: Pick<SlackConnectionDeps, "findWorkspace" | "isForApp" | "installations" | "clock" | "emit"> & {
  readonly receive: EventIntake;
}): (envelope: SlackEnvelope, traceparent?: string) => Promise<IntakeResult> {
  return async (envelope, traceparent) => {
    const retryStore = createStoreRetry(storeBudgetMs);
    const workspace = workspaceOf(envelope);
    if (!(await isForApp({ workspace, api_app_id: envelope.api_app_id }, retryStore))) return { verdict: "wrong_app" };
    if (installations !== undefined && endsInstallation(envelope)) {
      const id = installationIdOf(workspace);
      const moment = momentOf(envelope);
      if (id !== undefined && (await retryStore(() => installations.remove(id, moment))))
        emit("app_removed", { installation: id });
      return { verdict: "installation_ended" };
    }
    const context = await retryStore(() => findWorkspace(workspace));
    return context === undefined
      ? { verdict: "not_installed" }
      : receive(context, envelope, { retryStore, traceparent });
  };

  /** Returns the end of the event's second, in Unix milliseconds. A later installation survives a delayed event. */
  function momentOf({ event_time }: SlackEnvelope): number {
    return event_time === undefined ? clock.now() : event_time * 1_000 + 999;
  }
}

/** Returns true if the app was removed or its bot's token revoked: it has one bot in a workspace. Tokens of people don't count. */
function endsInstallation({ event }: SlackEnvelope): boolean {
  return event.type === "app_uninstalled" || (event.type === "tokens_revoked" && readTokensRevoked(event).length > 0);
}
