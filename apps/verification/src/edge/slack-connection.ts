import type { RequestListener } from "node:http";
import { type App, HTTPReceiver, type Logger as SlackLogger, type Receiver } from "@slack/bolt";
import type { Commands } from "../answering/commands/create-commands.ts";
import { createSdkLogger } from "../slack/sdk-logger.ts";
import type { InstallationStore } from "../workspaces/installations/installation-store.ts";
import type { IsForApp, Workspaces } from "../workspaces/workspaces.ts";
import type { EdgeObserver } from "./edge-observer.ts";
import { createBoltApp, RefusedEventError } from "./events/bolt-app.ts";
import { createEventIntake, type IntakeDeps, type IntakeResult } from "./events/event-intake.ts";
import { createSlackHttpReceiver } from "./events/receivers.ts";
import { createEventRouter } from "./events/route-events.ts";

/** The path for Slack's events and slash commands. */
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

export interface SlackConnectionDeps extends IntakeDeps {
  readonly intake: SlackIntake;
  readonly workspaces: Workspaces;
  readonly isForApp: IsForApp;
  /** Absent with a single workspace. */
  readonly installations?: InstallationStore;
  readonly commands: Pick<Commands, "take">;
  readonly observer: EdgeObserver;
  readonly onAccepted: (result: IntakeResult) => void;
  /** Called when the socket is lost and events no longer arrive. */
  readonly onLost: () => void;
}

/** Connects Bolt to the workspaces: each event is judged and, if it needs an answer, stored before it is acknowledged. */
export function createSlackConnection(deps: SlackConnectionDeps): SlackConnection {
  const { intake, installations, commands, observer, onAccepted, onLost } = deps;
  const receive = createEventRouter({
    ...deps,
    intake: createEventIntake(deps),
    onRemoved: observer.installationRemoved,
    ...(installations && { installations }),
  });
  const logger = createSdkLogger(observer.sdkRemarked);
  const onFailure = observer.eventNotStored;
  const receiver =
    intake.mode === "http"
      ? createSlackHttpReceiver({ signingSecret: intake.signingSecret, path: slackPath, logger, onFailure })
      : intake.createReceiver({ logger, onFailure, onLost });
  const bolt = createBoltApp({
    receiver,
    logger,
    onEvent: async (envelope, delivery) => {
      const result = await observer.traceEvent(envelope, delivery, (traceparent) => receive(envelope, traceparent));
      observer.eventJudged(envelope, result, delivery);
      if (result.verdict === "wrong_app") throw new RefusedEventError("the event is for another app");
      if (result.verdict === "accepted") onAccepted(result);
    },
    onCommand: (command, delivery) => {
      const taken = commands.take(command, delivery);
      if (taken.refused !== undefined) throw new RefusedEventError("the command is for another app");
      return taken.say;
    },
  });
  return { bolt, ...(receiver instanceof HTTPReceiver && { listener: receiver.requestListener }) };
}
