import type { SlackLink } from "../deps.ts";
import type { WorkspaceId } from "../slack/slack-api.ts";
import type { InsistOptions } from "../slack/insist.ts";
import type { SlackIdentity } from "../slack/slack-api.ts";
import type { Desk } from "./desk.ts";

/** The desks of the workspaces that the app answers in. */
export interface Desks {
  /** Does what has to be done before any event can be taken; gives who the app is when it has one workspace only. */
  open(insisting: InsistOptions): Promise<SlackIdentity | undefined>;
  /** The desk of a workspace; nothing when the app is not installed there. Calls nobody but the database. */
  of(workspace: WorkspaceId): Promise<Desk | undefined>;
  /** The way to Slack alone, which is there before `open` is done where there is one workspace only. */
  linkOf(workspace: WorkspaceId): Promise<Pick<SlackLink, "slack" | "fileHost"> | undefined>;
}
