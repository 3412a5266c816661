import type { StoreRetry } from "../inbox/store-retry.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/**
 * Resolves with true if a signed request is for this app; the signature alone does not prove it. Rejects while the app id cannot be
 * fetched.
 */
export type IsForApp = (
  sent: { readonly workspace: WorkspaceId; readonly api_app_id?: string | undefined },
  retryStore: StoreRetry,
) => Promise<boolean>;

export interface IsForAppDeps {
  readonly workspaces: {
    readonly find: (workspace: WorkspaceId) => Promise<Pick<WorkspaceContext, "appId"> | undefined>;
  };
  /** The configured app. When absent, Slack is asked for the app id of the workspace's bot. */
  readonly appId: string | undefined;
}

/** Requests of a workspace that has not installed the app pass this check; they get no answer later. */
export function createIsForApp({ workspaces, appId }: IsForAppDeps): IsForApp {
  return async ({ workspace, api_app_id }, retryStore) => {
    const own = appId ?? (await retryStore(async () => (await workspaces.find(workspace))?.appId()));
    return own === undefined || api_app_id === own;
  };
}
