import type { Insist } from "../edge/events/event-intake.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";
import type { Desk } from "./workspace-context.ts";
import type { Desks } from "./workspaces.ts";

/**
 * Resolves with true if a signed request is for this app; the signature alone does not prove it. Rejects while the app id cannot be
 * fetched.
 */
export type IsForApp = (
  sent: { readonly workspace: WorkspaceId; readonly api_app_id?: string | undefined },
  insist: Insist,
) => Promise<boolean>;

export interface IsForAppDeps {
  readonly desks: {
    readonly of: (...given: Parameters<Desks["of"]>) => Promise<Pick<Desk, "appId"> | undefined>;
  };
  /** The configured app. When absent, Slack is asked for the app id of the workspace's bot. */
  readonly appId: string | undefined;
}

/** Requests of a workspace that has not installed the app pass this check; they get no answer later. */
export function createIsForApp({ desks, appId }: IsForAppDeps): IsForApp {
  return async ({ workspace, api_app_id }, insist) => {
    const own = appId ?? (await insist(async () => (await desks.of(workspace))?.appId()));
    return own === undefined || api_app_id === own;
  };
}
