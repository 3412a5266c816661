import type { VerificationDeps, SlackLink } from "../deps.ts";
import type { TaskTokens } from "../zone-link/handles/task-tokens.ts";
import { forwardToken } from "../zone-link/handles/task-tokens.ts";
import type { PolicyObserver } from "../ops/observers/observe-policies.ts";
import { createPolicies, type Policies } from "../policy/create-policies.ts";
import { createAppId } from "./app-id.ts";
import { createEventIntake, type EventIntake } from "../edge/events/event-intake.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { SlackCallError } from "../slack/slack-call-error.ts";
import { createSessionStatus, type SessionStatus } from "./session-status.ts";

/** Everything that answers one workspace: the app's identity there, its connection to Slack, its policy, and its event intake. */
export interface Desk extends Pick<SlackLink, "slack" | "fileHost"> {
  readonly identity: SlackIdentity;
  /** Resolves with the app whose events are accepted; undefined accepts every app. Rejects while Slack is unreachable. */
  readonly appId: () => Promise<string | undefined>;
  readonly policies: Policies;
  readonly tokens: TaskTokens;
  readonly session: SessionStatus;
  readonly takeIn: EventIntake;
}

export interface DeskParts {
  /** Issues handles, or the workspace's own token if it is forwarded. */
  readonly tokens: TaskTokens;
  readonly onJudged: PolicyObserver["judged"];
  readonly onStatusRefused: (error: SlackCallError) => void;
  /** Called when Slack refuses to return the app id of a workspace's bot. */
  readonly onAppUnknown: (error: unknown, identity: SlackIdentity) => void;
}

export type MakeDesk = (link: SlackLink, identity: SlackIdentity) => Desk;

/** Returns a function that makes a desk. Its `link` must already be observed. */
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
