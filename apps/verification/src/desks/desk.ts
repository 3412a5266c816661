import type { VerificationDeps, SlackLink } from "../deps.ts";
import type { TaskTokens } from "../handles/task-tokens.ts";
import { forwardToken } from "../handles/task-tokens.ts";
import type { PolicyObserver } from "../observation/observe-policies.ts";
import { createPolicies, type Policies } from "../policies/create-policies.ts";
import { createAppId } from "../slack/app-id.ts";
import { createEventIntake, type EventIntake } from "../slack/event-intake.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { SlackCallError } from "../slack/slack-call-error.ts";
import { createSessionStatus, type SessionStatus } from "../tasks/session-status.ts";

/** All that answers one workspace: who the app is there, its way to Slack, who may ask, and what takes its events. */
export interface Desk extends Pick<SlackLink, "slack" | "fileHost"> {
  readonly identity: SlackIdentity;
  /** Returns the app whose events are accepted; undefined accepts every app. Rejects while Slack is unreachable. */
  readonly appId: () => Promise<string | undefined>;
  readonly policies: Policies;
  readonly tokens: TaskTokens;
  readonly session: SessionStatus;
  readonly takeIn: EventIntake;
}

export interface DeskParts {
  /** Handles, unless the workspace's own token is passed on. */
  readonly tokens: TaskTokens;
  readonly onJudged: PolicyObserver["judged"];
  readonly onStatusRefused: (error: SlackCallError) => void;
  /** Called when Slack refuses to return the app id of a workspace's bot. */
  readonly onAppUnknown: (error: unknown, identity: SlackIdentity) => void;
}

export type MakeDesk = (link: SlackLink, identity: SlackIdentity) => Desk;

/** Gives the function that sets up a desk; `link` is observed. */
export function createDeskMaker(
  deps: Pick<VerificationDeps, "workspaces" | "policy" | "limits" | "inbox" | "threads" | "clock" | "newId">,
  { tokens, onJudged, onStatusRefused, onAppUnknown }: DeskParts,
): MakeDesk {
  const { policy, limits, inbox, threads, clock, newId } = deps;
  return ({ slack, fileHost, forwardedToken }, identity) => {
    const policies = createPolicies({
      source: policy,
      limits: limits.policy,
      identity,
      slack,
      clock,
      installersAreListed: deps.workspaces.mode === "installed",
      onJudged,
    });
    const takeIn = createEventIntake({
      identity,
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
    const askAppId = createAppId(
      () => slack.appOf(identity),
      (error) => onAppUnknown(error, identity),
    );
    return {
      identity,
      appId: limits.appId === undefined ? askAppId : async () => limits.appId,
      slack,
      fileHost,
      policies,
      takeIn,
      tokens: forwardedToken === undefined ? tokens : forwardToken(forwardedToken),
      session: createSessionStatus(slack, onStatusRefused),
    };
  };
}
