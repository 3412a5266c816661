import { retry, type RetryOptions } from "@crosszone/service-kit/timing";
import type { StoreRetry } from "../inbox/endings.ts";
import type { SlackIdentity, WorkspaceId } from "../slack/slack-api.ts";
import { type Installation, installationIdOf, type InstallationStore } from "./installations/installation-store.ts";
import type { MakeContext, SlackLink, WorkspaceContext } from "./workspace-context.ts";

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
  /** Resolves with the contexts of all workspaces. Calls only the database. */
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
  readonly linkOf: (installation: Installation) => SlackLink;
}

/** Makes the one workspace of the bot's token, for events of any workspace: its policy denies the others. */
export function createSingleWorkspace(link: SlackLink, make: MakeContext): Workspaces {
  let context: WorkspaceContext | undefined;
  return {
    open: async (retrying) => {
      const identity = await retry(() => link.slack.identity(), retrying);
      const made = make(link, identity);
      await retry(made.appId, retrying);
      context = made;
      return identity;
    },
    find: async () => context,
    all: async () => (context === undefined ? [] : [context]),
    linkOf: async () => link,
  };
}

interface MadeContext {
  /** The id of the installation that the context belongs to. */
  readonly install: string;
  readonly context: WorkspaceContext;
}

/**
 * Makes the workspaces that have installed the app, each context on first use. Its connections must already be observed. Each lookup checks in the store that the installation is
 * unchanged, because another process may have seen it removed or replaced.
 */
export function createInstalledWorkspaces(
  { installations, linkOf }: InstalledWorkspaces,
  make: MakeContext,
): Workspaces {
  const contexts = new Map<string, MadeContext>();

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
    const identity = { team_id, bot_user_id, bot_id, enterprise_id };
    const context = make(linkOf(installation), identity);
    contexts.set(key, { install, context });
    return context;
  }

  async function all(): Promise<readonly WorkspaceContext[]> {
    const ids = await installations.ids();
    const found = await Promise.all(ids.map((team_id) => find({ team_id })));
    return found.filter((context) => context !== undefined);
  }

  return { open: async () => undefined, find, all, linkOf: find };
}
