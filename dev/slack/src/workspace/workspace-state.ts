import type { Outage } from "../protocol/faults.ts";
import type { UserGroup, Workspace } from "../protocol/workspace.ts";
import { createThreadStatus, type ThreadStatus } from "./agent-threads.ts";
import { type ChangeFeed, createChangeFeed } from "./change-feed.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { createFileStore, type FileStore } from "./file-store.ts";
import { createMessageStore, type MessageStore } from "./message-store.ts";
import { createSlackClock, type SlackClock } from "./slack-clock.ts";
import { type Storage, storageInMemory } from "./storage.ts";
import { createTriggerStore, type TriggerStore } from "./trigger-store.ts";
import { createViewStore, type ViewStore } from "./view-store.ts";
import { createStreamStore, type StreamStore } from "./stream-store.ts";

/** The whole state of the local Slack. */
export interface WorkspaceState {
  directory: Directory;
  messages: MessageStore;
  files: FileStore;
  statuses: ThreadStatus;
  streams: StreamStore;
  views: ViewStore;
  triggers: TriggerStore;
  /** What people chose or typed in a message or a view, by `inputKey`; of each block and action. */
  inputs: Map<string, Record<string, unknown>>;
  userGroups: Map<string, UserGroup>;
  /** Ends when the local Slack stops. */
  outage: Outage;
  feed: ChangeFeed;
  storage: Storage;
  clock: SlackClock;
  /** The public URL of this Slack, without a slash at the end; used in the links that it issues. */
  url: string;
}

/**
 * Slack does not document how long a stream lives. Measured in https://github.com/slackapi/node-slack-sdk/issues/2702: about five minutes
 * from its start, even if it is active.
 */
const STREAM_LIFETIME_MS = 300_000;

/** Returns the state in the storage; in an empty one, that of a workspace without messages. */
export function createWorkspaceState(
  workspace: Workspace,
  url: string,
  options: { storage?: Storage | undefined; streamLifetimeMs?: number; triggerLifetimeMs?: number } = {},
): WorkspaceState {
  const { storage = storageInMemory(), streamLifetimeMs = STREAM_LIFETIME_MS } = options;
  const feed = createChangeFeed();
  const clock = createSlackClock();
  const messages = createMessageStore(clock, feed, storage);
  return {
    directory: createDirectory(workspace, storage),
    messages,
    files: createFileStore(clock, storage),
    statuses: createThreadStatus(feed, storage),
    streams: createStreamStore(messages, storage, streamLifetimeMs),
    views: createViewStore(feed, storage),
    triggers: createTriggerStore(options.triggerLifetimeMs),
    inputs: storage.keep("inputs"),
    userGroups: storage.keep("user groups"),
    outage: { kind: "none" },
    feed,
    storage,
    clock,
    url,
  };
}
