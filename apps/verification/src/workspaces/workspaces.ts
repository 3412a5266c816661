import type { SlackLink } from "../deps.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";
import type { InsistOptions } from "../time/retry-forever.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { Desk } from "./workspace-context.ts";

/** The desks of the app's workspaces. */
export interface Desks {
  /** Prepares the desks before events are accepted. Resolves with the app's identity when it has only one workspace. */
  open(insisting: InsistOptions): Promise<SlackIdentity | undefined>;
  /** Resolves with the desk of a workspace; undefined if the app is not installed there. Calls only the database. */
  of(workspace: WorkspaceId): Promise<Desk | undefined>;
  /** Resolves with the workspace's connection to Slack. With a single workspace, it is available before `open` resolves. */
  linkOf(workspace: WorkspaceId): Promise<Pick<SlackLink, "slack" | "fileHost"> | undefined>;
}
