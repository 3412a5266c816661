import type { Workspace } from "../control/protocol.ts";
import { createChangeFeed } from "./change-feed.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { createDirectory } from "./directory.ts";
import type { Directory } from "./directory.ts";
import { createFileStore } from "./file-store.ts";
import type { FileStore } from "./file-store.ts";
import { createMessageStore } from "./message-store.ts";
import type { MessageStore } from "./message-store.ts";
import { createSlackClock } from "./slack-clock.ts";
import type { SlackClock } from "./slack-clock.ts";
import { createThreadStatus } from "./thread-status.ts";
import type { ThreadStatus } from "./thread-status.ts";

/** Everything the local Slack remembers while it runs. */
export interface WorkspaceState {
  directory: Directory;
  messages: MessageStore;
  files: FileStore;
  statuses: ThreadStatus;
  /** Home tabs that the app published, by user id. */
  homeViews: Map<string, Record<string, unknown>>;
  /** Prompts that the app suggested, by channel id. */
  suggestedPrompts: Map<string, { title: string; message: string }[]>;
  feed: ChangeFeed;
  clock: SlackClock;
  /** Where this Slack is reached, without a slash at the end; part of the links it hands out. */
  url: string;
}

/** A fresh state around a workspace, with nothing written in it yet. */
export function createWorkspaceState(workspace: Workspace, url: string): WorkspaceState {
  const feed = createChangeFeed();
  const clock = createSlackClock();
  return {
    directory: createDirectory(workspace),
    messages: createMessageStore(clock, feed),
    files: createFileStore(clock),
    statuses: createThreadStatus(feed),
    homeViews: new Map(),
    suggestedPrompts: new Map(),
    feed,
    clock,
    url,
  };
}
