import type { RecordAct } from "@crosszone/audit";
import type { Emit } from "@crosszone/service-kit";
import { type Clock, retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { StoreRetry } from "../inbox/record-ends.ts";
import type { Limits } from "../limits.ts";
import { forwardToken, type TaskTokens } from "../link/handles.ts";
import type { PolicySource } from "../policy/rules.ts";
import { createPolicies, type Policies } from "../policy/policies.ts";
import { createSlackDirectory, type SlackDirectory } from "../policy/slack-directory.ts";
import type { FileHost } from "../slack/files/open-file.ts";
import { isOwnMessage } from "../slack/reading/read-message.ts";
import {
  pagesOf,
  type SlackApi,
  type SlackIdentity,
  type SlackThread,
  type ThreadStatus,
  type WorkspaceId,
} from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import { type InstallId, installationIdOf, type InstallationStore } from "./installation-store.ts";

/** How long finished work waits for Slack to accept the final status, milliseconds. */
export const statusTimeoutMs = 500;

/** Slack's codes for a place that is gone or closed. */
const ofOnePlace =
  /^((channel|thread|message)_not_found|invalid_thread_ts|is_archived|not_in_channel|restricted_action.*)$/;

/**
 * Shows in a thread that the agent is working, with Slack's own Stop button. The status is decoration: answers must not wait for it. Its
 * methods never reject, and updates of one thread reach Slack in order. It stops calling Slack after the first refusal that is not about one
 * place, which Slack sends for an app that is not declared as an agent.
 */
export function createSessionStatus(slack: SlackApi, onRefused: (error: SlackCallError) => void) {
  const latest = new Map<string, Promise<void>>();
  let isRefused = false;

  async function call(thread: SlackThread, status: ThreadStatus): Promise<void> {
    if (isRefused) return;
    try {
      await slack.setSessionStatus(thread, status);
    } catch (error) {
      if (!(error instanceof SlackCallError) || error.failure !== "refused" || isRefused) return;
      if (ofOnePlace.test(error.code)) return;
      isRefused = true;
      onRefused(error);
    }
  }

  async function set(thread: SlackThread, status: ThreadStatus): Promise<void> {
    const key = `${thread.channel} ${thread.thread_ts}`;
    const calling = (latest.get(key) ?? Promise.resolve()).then(() => call(thread, status));
    latest.set(key, calling);
    await calling;
    if (latest.get(key) === calling) latest.delete(key);
  }

  return {
    working: (thread: SlackThread) => set(thread, "processing"),
    idle: (thread: SlackThread) => set(thread, "active"),
    /** A person has to decide before the work goes on. */
    suspended: (thread: SlackThread) => set(thread, "suspended"),
  };
}

type SessionStatus = ReturnType<typeof createSessionStatus>;

/** The connection to one workspace's Slack. */
export interface SlackLink {
  readonly slack: SlackApi;
  readonly fileHost: FileHost;
  /** The bot's token, sent with tasks instead of a handle, for execution zones that need it. */
  readonly forwardedToken?: () => string;
}

/** What the zone gives to each workspace. */
interface ZoneContext {
  /** Who can ask, the agents of channels, and the types of files. */
  readonly policy: PolicySource;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly emit: Emit<VerificationEvent>;
}

/** Everything that answers one workspace: the app's identity there, its connection to Slack and its policy. */
export interface WorkspaceContext extends ZoneContext {
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

type MakeContext = (link: SlackLink, identity: SlackIdentity) => WorkspaceContext;

/** Returns a function that makes the context of a workspace. Its `link` must already be observed. */
export function createContextMaker(
  deps: ZoneContext & {
    readonly recordAct: RecordAct;
    /** The configured app. When absent, Slack is asked for the app id of the workspace's bot. */
    readonly appId: string | undefined;
    /** True if a team must be listed even though it installed the app. */
    readonly installersAreListed: boolean;
    /** Issues handles. The workspace's own token replaces them if it is forwarded. */
    readonly tokens: TaskTokens;
  },
): MakeContext {
  const { policy, limits, appId, installersAreListed, tokens, clock, emit, recordAct } = deps;
  const { now } = clock;
  return ({ slack: given, fileHost, forwardedToken }, identity) => {
    const slack = withOwnMarks(given, identity);
    const fetchAppId = createAppId(
      () => slack.appOf(identity),
      (failure) => emit("slack_app_unknown", { team_id: identity.team_id, advice: appAdvice, failure }),
    );
    const directory = createSlackDirectory({ slack, identity, now, timeoutMs: limits.SLACK_LOOKUP_TIMEOUT_MS });
    return {
      policy,
      limits,
      clock,
      emit,
      identity,
      appId: appId === undefined ? fetchAppId : async () => appId,
      slack,
      directory,
      fileHost,
      policies: createPolicies({ policy, limits, identity, directory, installersAreListed, emit, recordAct }),
      tokens: forwardedToken === undefined ? tokens : forwardToken(forwardedToken),
      session: createSessionStatus(slack, (error) => emit("session_status_refused", { error })),
    };
  };
}

/** Returns a connection that reads marks on the app's own messages alone: every app can write such metadata. */
const withOwnMarks = (slack: SlackApi, identity: SlackIdentity): SlackApi => ({
  ...slack,
  replies: async (query) => {
    const { messages, ...page } = await slack.replies(query);
    const read = messages.map((one) => (isOwnMessage(one, identity) ? one : { ...one, mark: undefined }));
    return { ...page, messages: read };
  },
});

/**
 * Returns a function that fetches the id of this app with `fetch` and caches it. The function resolves with undefined if Slack refuses to
 * return the id. On any other failure it rejects, and the next call tries again.
 */
export function createAppId(
  fetch: () => Promise<string>,
  onUnknown: (error: unknown) => void,
): () => Promise<string | undefined> {
  let known: Promise<string | undefined> | undefined;
  return () =>
    (known ??= fetch().catch((error: unknown): undefined => {
      const isRefused = error instanceof SlackCallError && error.failure === "refused";
      if (!isRefused) {
        known = undefined;
        throw error;
      }
      onUnknown(error);
    }));
}

/**
 * Resolves with true if a signed request is for this app; the signature alone does not prove it. Rejects while the app id cannot be
 * fetched.
 */
export type IsForApp = (
  sent: { readonly workspace: WorkspaceId; readonly api_app_id?: string | undefined },
  retryStore: StoreRetry,
) => Promise<boolean>;

/**
 * Requests of a workspace that has not installed the app pass this check; they get no answer later. Without the configured `appId`, Slack is
 * asked for the app id of the workspace's bot.
 */
export function createIsForApp(findWorkspace: Workspaces["find"], appId: string | undefined): IsForApp {
  return async ({ workspace, api_app_id }, retryStore) => {
    const own = appId ?? (await retryStore(async () => (await findWorkspace(workspace))?.appId()));
    return own === undefined || api_app_id === own;
  };
}

/** The workspaces that this zone answers. */
export interface Workspaces {
  /** Prepares the workspaces before events are accepted. Resolves with the app's identity when it has only one workspace. */
  readonly open: (retrying: RetryOptions) => Promise<SlackIdentity | undefined>;
  /** Resolves with the context of a workspace; undefined if the app is not installed there. Calls only the database. */
  readonly find: (workspace: WorkspaceId) => Promise<WorkspaceContext | undefined>;
  /** Resolves with the contexts of all workspaces. Asks Slack which an organization has. */
  readonly all: () => Promise<readonly WorkspaceContext[]>;
  /** Resolves with the workspace's connection to Slack. With a single workspace, it is available before `open` resolves. */
  readonly linkOf: (workspace: WorkspaceId) => Promise<SlackLink | undefined>;
}

/** The workspace of the bot's token. */
export interface SingleWorkspace {
  readonly mode: "single";
  readonly link: SlackLink;
}

/** The workspaces that have installed the app. */
export interface InstalledWorkspaces {
  readonly mode: "installed";
  readonly installations: InstallationStore;
  /** Returns the connection to Slack with the tokens of an installation. */
  readonly linkOf: (installation: InstallId) => SlackLink;
}

/** What a workspace's context needs of its installation. */
type InstalledApp = InstallId & Omit<SlackIdentity, keyof WorkspaceId>;

/** How long it is known which workspaces an organization has, milliseconds. */
const teamsMs = 600_000;

/** Makes the workspace of the bot's token, whose policy denies the others, or those of the organization that the token belongs to. */
export function createSingleWorkspace(link: SlackLink, make: MakeContext): Workspaces {
  let opened: Pick<Workspaces, "find" | "all"> | undefined;
  return {
    open: async (retrying) => {
      const identity = await retry(() => link.slack.identity(), retrying);
      const { org_id: id } = identity;
      if (id === undefined) {
        const context = make(link, identity);
        await retry(context.appId, retrying);
        opened = { find: async () => context, all: async () => [context] };
      } else {
        const only = { ...identity, id, install: id };
        const store = { find: async (one: string) => (one === id ? only : undefined), ids: async () => [id] };
        opened = createInstalledWorkspaces(store, () => link, make);
      }
      return identity;
    },
    find: async (workspace) => opened?.find(workspace),
    all: async () => (await opened?.all()) ?? [],
    linkOf: async () => link,
  };
}

/**
 * Makes the workspaces that have installed the app, each context on first use. Its connections must already be observed. Each lookup checks in the store that the installation is
 * unchanged, because another process may have seen it removed or replaced.
 */
export function createInstalledWorkspaces(
  installations: {
    readonly find: (id: string) => Promise<InstalledApp | undefined>;
    readonly ids: InstallationStore["ids"];
  },
  linkOf: InstalledWorkspaces["linkOf"],
  make: MakeContext,
): Workspaces {
  // With the id of the installation that each belongs to.
  const contexts = new Map<string, { readonly install: string; readonly context: WorkspaceContext }>();

  async function find(workspace: WorkspaceId): Promise<WorkspaceContext | undefined> {
    const { team_id, org_id } = workspace;
    const id = installationIdOf(workspace);
    const installation = id === undefined ? undefined : await installations.find(id);
    const key = `${org_id ?? ""} ${team_id}`;
    const known = contexts.get(key);
    if (installation === undefined) {
      contexts.delete(key);
      return undefined;
    }
    const { install, bot_user_id, bot_id, enterprise_id } = installation;
    if (known?.install === install) return known.context;
    const context = make(linkOf(installation), { team_id, org_id, bot_user_id, bot_id, enterprise_id });
    contexts.set(key, { install, context });
    return context;
  }

  const organizations = new Map<string, { readonly teams: readonly string[]; readonly at: number }>();

  /** Returns the workspaces of an organization; while Slack does not say, those that it said last. */
  async function teamsOf(org_id: string): Promise<readonly string[]> {
    const known = organizations.get(org_id);
    if (known !== undefined && performance.now() - known.at < teamsMs) return known.teams;
    const installed = await find({ team_id: org_id });
    const teams: string[] = [];
    try {
      if (installed !== undefined) for await (const { ids } of pagesOf(installed.slack.teams)) teams.push(...ids);
    } catch (error) {
      if (!(error instanceof SlackCallError)) throw error;
      return known?.teams ?? [];
    }
    organizations.set(org_id, { teams, at: performance.now() });
    return teams;
  }

  async function all(): Promise<readonly WorkspaceContext[]> {
    const workspacesOf = async (id: string): Promise<WorkspaceId[]> =>
      id.startsWith("E") ? (await teamsOf(id)).map((team_id) => ({ team_id, org_id: id })) : [{ team_id: id }];
    const ids = (await Promise.all((await installations.ids()).map(workspacesOf))).flat();
    return (await Promise.all(ids.map(find))).filter((context) => context !== undefined);
  }

  return { open: async () => undefined, find, all, linkOf: find };
}
