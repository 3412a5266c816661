import type { RequestListener } from "node:http";
import { HTTPReceiver, type App } from "@slack/bolt";
import type { VerificationDeps } from "./deps.ts";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { EdgeObserver } from "./observation/observe-edge.ts";
import type { Policies } from "./policies/create-policies.ts";
import { traceSlackEvent } from "./observation/trace-slack-event.ts";
import { createBoltApp, RefusedEventError } from "./slack/bolt-app.ts";
import { createEventIntake } from "./slack/event-intake.ts";
import { createSlackHttpReceiver } from "./slack/http-receiver.ts";
import { createSdkLogger } from "./slack/sdk-logger.ts";
import type { SlackIdentity } from "./slack/slack-api.ts";

/** Where Slack sends events. */
export const slackPath = "/slack/events";

export interface SlackEdge {
  readonly bolt: App;
  /** Takes Slack's requests; absent when events come over a socket. */
  readonly listener?: RequestListener;
}

/** Bolt and what it hands events to: each is judged and, if it is to be answered, stored before Slack hears that it arrived. */
export function createSlackEdge(
  deps: VerificationDeps,
  {
    identity,
    policies,
    seen,
    onAccepted,
    onLost,
  }: {
    identity: SlackIdentity;
    policies: Policies;
    seen: EdgeObserver;
    onAccepted: () => void;
    /** Told when events cannot come any more, over a socket that is gone. */
    onLost: () => void;
  },
): SlackEdge {
  const { intake, inbox, threads, clock, newId, limits, tracer = createTracer() } = deps;
  const takeIn = createEventIntake({
    identity,
    appId: limits.appId,
    inbox,
    threads,
    foreign: async (record) => {
      const { denial } = await policies.atIntake(record);
      return denial && (denial.reason === "foreign_author" ? "foreign_author" : "foreign_team");
    },
    mostWaiting: limits.policy.mostWaiting,
    now: clock.now,
    newId,
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
    identity,
    logger,
    onEvent: async (envelope, delivery) => {
      const result = await judge(envelope, delivery);
      seen.eventJudged(envelope, result, delivery);
      if (result.verdict === "wrong_app") throw new RefusedEventError("the event is for another app");
      if (result.verdict === "accepted") onAccepted();
    },
  });
  return { bolt, ...(receiver instanceof HTTPReceiver && { listener: receiver.requestListener }) };
}
