import type { HomeView, KnownBlock, ModalView } from "@slack/web-api";
import type { FileRefusal } from "./file-refusals.ts";

/** Slack's message metadata, which identifies the app's messages. https://docs.slack.dev/messaging/message-metadata */
export interface TaskMark {
  readonly request_id: string;
  readonly correlation_id: string;
  readonly state: "working" | "done" | "failed" | "stopped";
  /** From 1; with `parts`, if the answer has several messages. */
  readonly part?: number;
  readonly parts?: number;
  /** Number of input requests that the thread shows in further messages, if the task waits for people. */
  readonly inputs?: number;
  /** Number of files that follow in the thread. */
  readonly files?: number | undefined;
  /** The person whose question the message shows, asked by a press. */
  readonly asker?: string;
  /** The agent that wrote this question, and its exact text; absent if the person wrote it. */
  readonly offered_by?: string;
  readonly prompt?: string;
  /** The agent or workflow that gets the prompt as it is; the channel and timestamp of the message that it is about, and the id of its form. */
  readonly agent?: string;
  readonly about?: string;
}

/** What is below the text of a message. */
export interface BelowText {
  /** A small line, mrkdwn. */
  readonly footer?: string | undefined;
  /** Blocks with what people can press. */
  readonly controls?: readonly KnownBlock[] | undefined;
}

/**
 * Content of a message: Slack's own plain text, with blocks whose notification it is if there are any, or standard Markdown of at most 12,000
 * characters with what is below it.
 */
export type MessageContent =
  { readonly text: string; readonly blocks?: readonly KnownBlock[] } | ({ readonly markdown_text: string } & BelowText);

export type MarkedMessage = MessageContent & { readonly mark: TaskMark };

/** The status of a task in a streamed message. */
export type StreamTaskStatus = "pending" | "in_progress" | "complete" | "error";

/**
 * The next piece of a streamed message. Text continues the text before it. A task with a known id replaces that task's title and status.
 * https://docs.slack.dev/messaging/sending-and-scheduling-messages#text-streaming
 */
export type StreamChunk =
  | { readonly type: "markdown_text"; readonly text: string }
  | { readonly type: "plan_update"; readonly title: string }
  | { readonly type: "task_update"; readonly id: string; readonly title: string; readonly status: StreamTaskStatus };

/** The app's identity in a workspace, from `auth.test`. */
export interface SlackIdentity extends WorkspaceId {
  readonly enterprise_id?: string;
  readonly bot_user_id: string;
  readonly bot_id: string;
}

/** The ids of a workspace, as in events. */
export interface WorkspaceId {
  readonly team_id: string;
  /** Its organization, if the app is installed organization-wide. */
  readonly org_id?: string;
}

/** The place of an answer: the thread of the message `thread_ts`. */
export interface SlackThread {
  readonly channel: string;
  readonly thread_ts: string;
}

/** A thread; without `thread_ts`, the messages of a conversation itself. */
export interface ThreadOrChannel {
  readonly channel: string;
  readonly thread_ts?: string;
}

/** The status of a thread's agent session; `suspended` waits for a person. */
export type ThreadStatus = "processing" | "active" | "suspended";

export interface MessagePlace {
  readonly channel: string;
  readonly ts: string;
}

/** The end of a streamed message. */
export interface StreamEnding extends BelowText {
  readonly mark: TaskMark;
  /** The status of the agent session from then on: `processing` if more of the answer follows. */
  readonly session_status: "processing" | "active";
  readonly chunks?: readonly StreamChunk[];
}

/** A file as an agent gets it. An e-mail and a clip with a transcript are text. */
export interface SlackFile {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly mime_type?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  /** Who added it to Slack. */
  readonly user?: string | undefined;
  /** All of its text, if the message includes it. */
  readonly text?: string | undefined;
  /** True if the person who sent it did not write it, such as a forwarded file. */
  readonly others?: boolean | undefined;
  /** Name of its author, if that is not the person who sent it. */
  readonly author?: string | undefined;
  /** Why it can't be read, whatever the policy. */
  readonly refusal?: FileRefusal | undefined;
  /** True if Slack describes it only in `files.info`. */
  readonly is_stub?: boolean | undefined;
}

/** A file, from `files.info`. https://docs.slack.dev/reference/objects/file-object */
export interface SlackFileInfo extends SlackFile {
  /** URL of its bytes, for the bot's token. Untrusted: the person who added the file may have chosen it. */
  readonly url?: string | undefined;
  /** The conversations where it is shared. */
  readonly shared_in: readonly string[];
  /** The transcript of a clip, WebVTT; its URL is untrusted too. */
  readonly transcript?: { readonly isPending: boolean; readonly url?: string | undefined } | undefined;
}

/** A message from `conversations.replies` or `conversations.history`. */
export interface SlackMessage {
  readonly ts: string;
  /** As Slack sent it, for `readMessage`. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly user?: string;
  readonly bot_id?: string;
  readonly files: readonly SlackFile[];
  /** Set on the app's own messages, where a workspace reads them. */
  readonly mark?: Partial<TaskMark>;
}

export interface RepliesQuery extends ThreadOrChannel {
  /** Returns only messages from this timestamp on, and always the thread's root. */
  readonly oldest?: string;
  readonly latest?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** The types of conversations, in which each needs scopes of its own. https://docs.slack.dev/reference/methods/users.conversations */
export const conversationTypes = ["im", "public_channel", "private_channel", "mpim"] as const;

/** A conversation that the app is in. */
export interface SlackConversation {
  readonly id: string;
  readonly type: (typeof conversationTypes)[number];
}

interface IdPage {
  readonly ids: readonly string[];
  readonly next_cursor?: string | undefined;
}

export interface SlackTeam {
  readonly id: string;
}

/** A person or bot, from `users.info`. https://docs.slack.dev/reference/objects/user-object */
export interface SlackUser {
  /** Home team. */
  readonly team_id: string;
  /** The account is deactivated. */
  readonly deleted: boolean;
  readonly bot: boolean;
  /** Single-channel or multi-channel guest. */
  readonly guest: boolean;
  /** The full name. */
  readonly name?: string | undefined;
  /** Time zone, a name of the IANA database. */
  readonly tz?: string | undefined;
  /** From another workspace, without a channel in common with the app. */
  readonly stranger: boolean;
}

/** A conversation, from `conversations.info`. https://docs.slack.dev/reference/objects/conversation-object */
export interface SlackChannel {
  /** Without `#`; direct conversations have none. */
  readonly name?: string | undefined;
  readonly archived: boolean;
  /** Shared with another organization, or with an invitation pending. */
  readonly shared: boolean;
  /** True if only its members can read it. */
  readonly isPrivate?: boolean | undefined;
}

/** A person and a place; `in_thread` if the thread has replies. */
export interface SlackAsker extends SlackThread {
  readonly user_id: string;
  readonly in_thread: boolean;
}

/** The methods of Slack's Web API that this zone uses. All reject with `SlackCallError` only. */
export interface SlackApi {
  readonly identity: () => Promise<SlackIdentity>;
  /** The id of the app that a bot belongs to. */
  readonly appOf: (bot: SlackIdentity) => Promise<string>;
  /**
   * Posts once, without retries, because a lost response does not mean a lost message. Links are not unfurled. Without `thread_ts` it
   * is a message of the conversation itself. A reply to a message that is gone lands outside the thread: it is deleted at once, and the call
   * rejects with `posted_elsewhere`.
   */
  readonly post: (place: ThreadOrChannel, message: MarkedMessage) => Promise<{ readonly ts: string }>;
  /**
   * Edits one of the app's messages, without retries: a late edit could undo a newer one. Up to 4,000 characters are sent as blocks, which
   * Slack does not mark as edited.
   */
  readonly update: (message: MessagePlace, content: MarkedMessage) => Promise<void>;
  /** Deletes one of the app's messages, without retries. */
  readonly remove: (message: MessagePlace) => Promise<void>;
  /**
   * Starts a streamed message of at least one chunk, without retries. It has no mark until it ends. The thread's agent session becomes
   * `processing`. The recipient is the only user who sees the message grow; required outside of direct messages.
   * https://docs.slack.dev/reference/methods/chat.startStream
   */
  readonly startStream: (
    thread: SlackThread,
    opening: {
      readonly chunks: readonly StreamChunk[];
      readonly recipient?: { readonly user_id: string; readonly team_id: string };
    },
  ) => Promise<{ readonly ts: string }>;
  /** Appends to a streamed message, without retries. At most 12,000 characters of Markdown in one call. */
  readonly appendStream: (message: MessagePlace, chunks: readonly StreamChunk[]) => Promise<void>;
  /** Ends a streamed message, without retries. Slack allows edits only after that. */
  readonly stopStream: (message: MessagePlace, ending: StreamEnding) => Promise<void>;
  /** Of a thread, oldest first; of a conversation, latest first. */
  readonly replies: (
    query: RepliesQuery,
  ) => Promise<{ readonly messages: readonly SlackMessage[]; readonly next_cursor?: string }>;
  /** Resolves with a page of the conversations of a type that the app is in, without archived ones. */
  readonly conversations: (query: {
    readonly team_id: string;
    readonly types: SlackConversation["type"];
    readonly cursor?: string | undefined;
  }) => Promise<IdPage>;
  /** Resolves with a page of the workspaces of an organization-wide installation. */
  readonly teams: (cursor?: string) => Promise<IdPage>;
  /** Returns the URL of a message. */
  readonly permalink: (message: MessagePlace) => Promise<string>;
  /** Uploads a file, of an image with a text for people who can't see it. Rejects with `not_shared` if Slack shares it nowhere. */
  readonly upload: (
    thread: ThreadOrChannel,
    file: { readonly filename: string; readonly content: string | Uint8Array; readonly altText?: string | undefined },
  ) => Promise<void>;
  readonly fileInfo: (id: string) => Promise<SlackFileInfo>;
  /** `processing` shows Slack's own Stop button. https://docs.slack.dev/ai/agent-sessions */
  readonly setSessionStatus: (thread: SlackThread, status: ThreadStatus) => Promise<void>;
  /** Resolves with undefined if the team does not exist or the app cannot see it. */
  readonly team: (id: string) => Promise<SlackTeam | undefined>;
  readonly user: (id: string) => Promise<SlackUser | undefined>;
  readonly channel: (id: string) => Promise<SlackChannel | undefined>;
  /** Posts an ephemeral message, once: in the thread if it exists, else in the conversation. With blocks, `text` is its notification. */
  readonly tell: (asker: SlackAsker, text: string, blocks?: readonly KnownBlock[]) => Promise<void>;
  /** Resolves with the id of the app's direct conversation with a person. */
  readonly openDirect: (user: string) => Promise<string>;
  /** Resolves with the user ids of an enabled user group. `team_id` is for an organization's token. */
  readonly groupMembers: (group: string, team_id: string) => Promise<readonly string[]>;
  /** Resolves with the handles of a team's user groups by id; undefined if the app may not read them. */
  readonly groupHandles: (team_id: string) => Promise<ReadonlyMap<string, string> | undefined>;
  /** Opens a modal for the person whose press has this trigger, which Slack accepts once and for three seconds. */
  readonly openModal: (trigger_id: string, modal: ModalView) => Promise<void>;
  /** Replaces the content of an open modal. */
  readonly updateModal: (view_id: string, modal: ModalView) => Promise<void>;
  /** Replaces what the Home tab of the app shows to a person. */
  readonly publishHome: (user_id: string, view: HomeView) => Promise<void>;
}

/** Reads pages until the last one. Rejects as `read` does. */
export async function* pagesOf<Page extends { readonly next_cursor?: string | undefined }>(
  read: (cursor?: string) => Promise<Page>,
): AsyncGenerator<Page, void> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}
