import type { StreamChunk } from "./stream-chunk.ts";

/** Who this app is in the workspace that installed it: Slack's answer to `auth.test`. */
export interface SlackIdentity {
  readonly team_id: string;
  readonly enterprise_id?: string;
  readonly bot_user_id: string;
  readonly bot_id: string;
}

/** A workspace, as events name it. */
export interface WorkspaceId {
  readonly team_id: string;
  /** Its organisation, when that installed the app as a whole. */
  readonly org_id?: string;
}

/** A place to answer: the thread that hangs from the message `thread_ts`. */
export interface SlackThread {
  readonly channel: string;
  readonly thread_ts: string;
}

/** Slack's message metadata. With it a message of ours is found again. https://docs.slack.dev/messaging/message-metadata */
export interface TaskMark {
  readonly request_id: string;
  readonly correlation_id: string;
  readonly state: "working" | "done" | "failed" | "stopped";
  /** From 1; with `parts`, when the answer is more than one message. */
  readonly part?: number;
  readonly parts?: number;
}

/** What a message of ours says: Slack's own plain text, or standard Markdown of at most 12,000 characters. */
export type MessageContent = { readonly text: string } | { readonly markdown_text: string };

export type MarkedMessage = MessageContent & { readonly mark: TaskMark };

/** How a streamed message begins. */
export interface StreamOpening {
  /** At least one. */
  readonly chunks: readonly StreamChunk[];
  /** Who sees the message grow, and the team of this person. Required outside of direct messages. */
  readonly recipient?: { readonly user_id: string; readonly team_id: string };
}

/** How a streamed message ends. */
export interface StreamEnding {
  readonly mark: TaskMark;
  /** The status of the agent session from then on: `processing` when more of the answer follows. */
  readonly session_status: "processing" | "active";
  readonly chunks?: readonly StreamChunk[];
}

export interface SlackFile {
  readonly id?: string;
  readonly name?: string;
  readonly mime_type?: string;
  /** Bytes. */
  readonly size?: number;
}

/** What `files.info` says of a file. https://docs.slack.dev/reference/objects/file-object */
export interface SlackFileInfo {
  readonly mime_type: string;
  /** Bytes, as Slack says. */
  readonly size?: number;
  /** The file is elsewhere, and Slack has no more than a link to it. */
  readonly external: boolean;
  /** Where its bytes are, for who has the bot's token. Whoever added the file may have written it. */
  readonly url?: string;
  /** The conversations that it is shared in. */
  readonly shared_in: readonly string[];
}

/** A message as `conversations.replies` gives it. */
export interface SlackMessage {
  readonly ts: string;
  readonly text: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly files: readonly SlackFile[];
  /** Set on our own messages. */
  readonly mark?: Partial<TaskMark>;
}

export interface RepliesQuery extends SlackThread {
  /** Only messages from this timestamp on; the thread's root comes always. */
  readonly oldest?: string;
  readonly latest?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface SlackTeam {
  readonly id: string;
}

/** A person or bot, as `users.info` tells. https://docs.slack.dev/reference/objects/user-object */
export interface SlackUser {
  /** Home of this person. */
  readonly team_id: string;
  /** The account was deactivated. */
  readonly deleted: boolean;
  readonly bot: boolean;
  /** Of one channel or of several. */
  readonly guest: boolean;
  /** Of another workspace, and in no channel that this app can see. */
  readonly stranger: boolean;
}

/** A conversation, as `conversations.info` tells. https://docs.slack.dev/reference/objects/conversation-object */
export interface SlackChannel {
  readonly archived: boolean;
  /** With another organisation, or invited to be. */
  readonly shared: boolean;
}

/** A person at a place: `in_thread` when somebody has replied there already. */
export interface SlackAsker extends SlackThread {
  readonly user_id: string;
  readonly in_thread: boolean;
}

/** The methods of Slack's Web API that this zone uses. All reject with `SlackCallError` only. */
export interface SlackApi {
  readonly identity: () => Promise<SlackIdentity>;
  /** The id of the app that a bot belongs to. */
  readonly appOf: (bot: Pick<SlackIdentity, "bot_id" | "team_id">) => Promise<string>;
  /** Posts once and never repeats by itself, because a lost answer does not mean a lost message. Nothing unfurls. */
  readonly post: (thread: SlackThread, message: MarkedMessage) => Promise<{ readonly ts: string }>;
  /** Changes a message of ours, once: a change that comes late could undo a newer one. */
  readonly update: (
    message: { readonly channel: string; readonly ts: string },
    content: MarkedMessage,
  ) => Promise<void>;
  /**
   * Starts a message that grows, once. It carries no mark until it ends. The thread's agent session becomes `processing`.
   * https://docs.slack.dev/reference/methods/chat.startStream
   */
  readonly startStream: (thread: SlackThread, opening: StreamOpening) => Promise<{ readonly ts: string }>;
  /** Adds to a message that grows, once. Markdown of one call: at most 12,000 characters. */
  readonly appendStream: (
    message: { readonly channel: string; readonly ts: string },
    chunks: readonly StreamChunk[],
  ) => Promise<void>;
  /** Ends the growth of a message, once. Slack changes no message before that. */
  readonly stopStream: (
    message: { readonly channel: string; readonly ts: string },
    ending: StreamEnding,
  ) => Promise<void>;
  /** Oldest first. */
  readonly replies: (
    query: RepliesQuery,
  ) => Promise<{ readonly messages: readonly SlackMessage[]; readonly next_cursor?: string }>;
  readonly upload: (
    thread: SlackThread,
    file: { readonly filename: string; readonly content: string | Uint8Array },
  ) => Promise<void>;
  readonly fileInfo: (id: string) => Promise<SlackFileInfo>;
  /** `processing` shows Slack's own Stop button. https://docs.slack.dev/ai/agent-sessions */
  readonly setSessionStatus: (thread: SlackThread, status: "processing" | "active") => Promise<void>;
  /** Nothing when there is no such team, or the app may not see it. */
  readonly team: (id: string) => Promise<SlackTeam | undefined>;
  readonly user: (id: string) => Promise<SlackUser | undefined>;
  readonly channel: (id: string) => Promise<SlackChannel | undefined>;
  /** Says something that only this person sees, once: in the thread if it is there, else in the conversation. */
  readonly tell: (asker: SlackAsker, text: string) => Promise<void>;
}
