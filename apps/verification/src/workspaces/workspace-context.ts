import { createPolicies, type Policies } from "../policy/policies.ts";
import { createSlackDirectory, type SlackDirectory } from "../policy/slack-directory.ts";
import type { FileHost } from "../slack/files/open-file.ts";
import type { SlackApi, SlackIdentity } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { forwardToken, type TaskTokens } from "../zone-link/handles/handles.ts";
import type { ZoneParts } from "./zone-parts.ts";
import { SessionStatus } from "./session-status.ts";

/** The connection to one workspace's Slack. */
export interface SlackLink {
  readonly slack: SlackApi;
  readonly fileHost: FileHost;
  /** The bot's token, sent with tasks instead of a handle, for execution zones that need it. */
  readonly forwardedToken?: () => string;
}

/** Everything that answers one workspace: the app's identity there, its connection to Slack and its policy. */
export interface WorkspaceContext {
  readonly slack: SlackApi;
  /** Slack's data about people, places and groups, cached. */
  readonly directory: SlackDirectory;
  readonly fileHost: FileHost;
  readonly identity: SlackIdentity;
  /** Resolves with the app whose events are accepted; undefined accepts every app. Rejects while Slack is unreachable. */
  readonly appId: () => Promise<string | undefined>;
  readonly policies: Policies;
  readonly tokens: TaskTokens;
  readonly session: SessionStatus;
}

/** What to do when Slack refuses to return the bot's app id. */
const appAdvice =
  "Set SLACK_APP_ID, or give the app the scope users:read. Until then, events of any app with this signing secret are accepted.";

interface ContextDeps extends Pick<ZoneParts, "policy" | "limits" | "clock" | "emit" | "recordAct"> {
  /** The configured app. When absent, Slack is asked for the app id of the workspace's bot. */
  readonly appId: string | undefined;
  /** True if a team must be listed even though it installed the app. */
  readonly installersAreListed: boolean;
  /** Issues handles. The workspace's own token replaces them if it is forwarded. */
  readonly tokens: TaskTokens;
}

export type MakeContext = (link: SlackLink, identity: SlackIdentity) => WorkspaceContext;

/** Returns a function that makes the context of a workspace. Its `link` must already be observed. */
export function createContextMaker(deps: ContextDeps): MakeContext {
  const { policy, limits, appId, installersAreListed, tokens, clock, emit, recordAct } = deps;
  const { now } = clock;
  return ({ slack, fileHost, forwardedToken }, identity) => {
    const fetchAppId = createAppId(
      () => slack.appOf(identity),
      (failure) => emit("slack_app_unknown", { team_id: identity.team_id, advice: appAdvice, failure }),
    );
    const directory = createSlackDirectory({ slack, identity, now, timeoutMs: limits.SLACK_LOOKUP_TIMEOUT_MS });
    return {
      identity,
      appId: appId === undefined ? fetchAppId : async () => appId,
      slack,
      directory,
      fileHost,
      policies: createPolicies({ policy, limits, identity, directory, installersAreListed, emit, recordAct }),
      tokens: forwardedToken === undefined ? tokens : forwardToken(forwardedToken),
      session: new SessionStatus(slack, (error) => emit("session_status_refused", { error })),
    };
  };
}

/**
 * Returns a function that fetches the id of this app with `fetch` and caches it. The function resolves with undefined if Slack refuses to
 * return the id. On any other failure it rejects, and the next call tries again.
 */
export function createAppId(
  fetch: () => Promise<string>,
  onUnknown: (error: unknown) => void,
): () => Promise<string | undefined> {
  let known: Promise<string | undefined> | undefined;

  function failed(error: unknown): undefined {
    const isRefused = error instanceof SlackCallError && error.failure === "refused";
    if (!isRefused) {
      known = undefined;
      throw error;
    }
    onUnknown(error);
  }

  return () => (known ??= fetch().catch(failed));
}
