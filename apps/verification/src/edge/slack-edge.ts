import type { RequestListener } from "node:http";
import { HTTPReceiver, type App } from "@slack/bolt";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { VerificationDeps } from "../deps.ts";
import type { Commands } from "../answering/commands/create-commands.ts";
import { sortEvents } from "./events/route-events.ts";
import type { Desks } from "../workspaces/workspaces.ts";
import type { IsForApp } from "../workspaces/is-for-app.ts";
import type { EdgeObserver } from "../ops/observers/observe-edge.ts";
import type { InstallObserver } from "../ops/observers/observe-installs.ts";
import { traceSlackEvent } from "../ops/observers/trace-slack-event.ts";
import { createBoltApp, RefusedEventError } from "./events/bolt-app.ts";
import type { IntakeResult } from "./events/event-intake.ts";
import { createSlackHttpReceiver } from "./events/http-receiver.ts";
import { createSdkLogger } from "../slack/sdk-logger.ts";

/** The path for Slack's events and slash commands. */
export const slackPath = "/slack/events";

export interface SlackEdge {
  readonly bolt: App;
  /** Handles Slack's requests; absent with Socket Mode. */
  readonly listener?: RequestListener;
}

export interface SlackEdgeParts {
  readonly desks: Desks;
  readonly isForApp: IsForApp;
  readonly seen: EdgeObserver;
  readonly installs: InstallObserver;
  readonly commands: Pick<Commands, "take">;
  readonly onAccepted: (result: IntakeResult) => void;
  /** Called when the socket is lost and events no longer arrive. */
  readonly onLost: () => void;
}

/** Connects Bolt to the desks: each event is judged and, if it needs an answer, stored before it is acknowledged. */
export function createSlackEdge(deps: VerificationDeps, parts: SlackEdgeParts): SlackEdge {
  const { desks, isForApp, seen, installs, commands, onAccepted, onLost } = parts;
  const { intake, workspaces, clock, tracer = createTracer() } = deps;
  const takeIn = sortEvents({
    desks,
    isForApp,
    now: clock.now,
    onRemoved: installs.removed,
    ...(workspaces.mode === "installed" && { installations: workspaces.installations }),
  });
  const judge = traceSlackEvent(tracer, takeIn);
  const logger = createSdkLogger((severity, text) => deps.logger.info("slack_sdk_remark", { severity, text }));
  const onFailure = seen.eventNotStored;
  const receiver =
    intake.mode === "http"
      ? createSlackHttpReceiver({ signingSecret: intake.signingSecret, path: slackPath, logger, onFailure })
      : intake.createReceiver({ logger, onFailure, onLost });
  const bolt = createBoltApp({
    receiver,
    logger,
    onEvent: async (envelope, delivery) => {
      const result = await judge(envelope, delivery);
      seen.eventJudged(envelope, result, delivery);
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
