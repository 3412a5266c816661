import type { Inbox } from "../../inbox/inbox.ts";
import type { InputRecord } from "../../inbox/records.ts";
import type { StoreRetry } from "../../inbox/store-retry.ts";
import type { Interaction } from "../../slack/interaction.ts";
import type { SlackAsker } from "../../slack/slack-api.ts";
import type { WorkspaceContext } from "../../workspaces/workspace-context.ts";
import type { IsForApp, Workspaces } from "../../workspaces/workspaces.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import type { InputHandle, ModalData } from "./input-handles.ts";
import type { Pressers } from "../posting/pressers.ts";

export interface InteractionsDeps extends Pick<ZoneParts, "clock" | "newId" | "emit"> {
  readonly inbox: Pick<Inbox, "accept" | "findInput">;
  readonly findWorkspace: Workspaces["find"];
  readonly isForApp: IsForApp;
  readonly pressers: Pressers;
}

/** An interaction of a known workspace with an input request. */
export interface Press {
  readonly given: Interaction;
  readonly handle: InputHandle;
  readonly workspace: WorkspaceContext;
  /** The request's record; undefined once it is closed. */
  readonly input: InputRecord | undefined;
  readonly place: ModalData;
  readonly retryStore: StoreRetry;
}

/** Returns the person who pressed, and the place of the press. */
export function askerOf({ user_id }: Interaction, { channel, thread_ts = "" }: ModalData): SlackAsker {
  return { channel, thread_ts, in_thread: thread_ts !== "", user_id };
}
