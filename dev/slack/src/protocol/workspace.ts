/** A workspace as the browser page, the terminal client and the tests see it. `control-api.ts` describes the requests. */
export interface Workspace {
  team: { id: string; name: string; domain: string };
  /** Set if the app is installed in all of the workspace's organization. */
  organization?: {
    id: string;
    name: string;
    /** Its other workspaces. */
    siblings?: Workspace["team"][];
  };
  app: App;
  /** Other organizations, whose people are in its conversations. */
  partners?: Workspace["team"][];
  users: User[];
  channels: Channel[];
}

interface App {
  app_id: string;
  bot_user_id: string;
  bot_id: string;
  name: string;
  /** True if the app's manifest has no Home tab. */
  home_tab_disabled?: boolean;
  /** Distributed outside Slack's Marketplace: history has 15 messages a page, and one call a minute. */
  unlisted?: boolean;
  /** Of the app's manifest. */
  shortcuts?: readonly { name: string; type: "message" | "global"; callback_id: string }[];
}

export interface User {
  id: string;
  name: string;
  real_name: string;
  /** Default: `name`. Empty if the person has chosen none, as most have in Slack. */
  display_name?: string;
  is_bot: boolean;
  deleted?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_stranger?: boolean;
  /** The app can't see the person, who shares no conversation with it. */
  is_hidden?: boolean;
  /** Set for a user of another workspace. */
  team_id?: string;
  email?: string;
  /** Set for a bot's user. */
  bot_id?: string;
  /** IANA time zone name. */
  tz: string;
}

export interface Channel {
  id: string;
  name: string;
  kind: "channel" | "group" | "im" | "mpim";
  /** User ids; the app gets events only of channels its bot user is a member of. */
  members: string[];
  is_archived?: boolean;
  is_ext_shared?: boolean;
  /** Set if another workspace made it: a partner, or a sibling of the organization. */
  team_id?: string;
  /** Another organization was invited and has not accepted yet. */
  is_pending_ext_shared?: boolean;
}

export interface FileObject {
  id: string;
  name: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  /** What an image shows, for people who can't see it. */
  alt_txt?: string;
  url_private_download: string;
}

export interface Message {
  channel: string;
  ts: string;
  thread_ts?: string;
  /** The author's id; of a webhook's message, its `bot_id`. */
  user: string;
  bot_id?: string;
  app_id?: string;
  /** The name of another app that posted it, by a webhook or with the user's token. */
  app_name?: string;
  /**
   * A `bot_message` is a webhook's, a `me_message` was written with `/me`, and a `thread_broadcast` is a reply that the channel shows too. A
   * `tombstone` is what remains of a deleted message while its thread goes on.
   */
  subtype?: "bot_message" | "me_message" | "thread_broadcast" | "tombstone";
  text: string;
  /** Set if the app posted standard Markdown instead of Slack's mrkdwn; `text` then has the same content. */
  markdown_text?: string;
  /** A person's message has the id that the person's client assigned. */
  client_msg_id?: string;
  attachments?: unknown[];
  blocks?: unknown[];
  files?: FileObject[];
  metadata?: { event_type: string; event_payload: Record<string, unknown> };
  edited?: { user: string; ts: string };
  reactions?: { name: string; users: string[]; count: number }[];
  /** Only this user sees the message. */
  ephemeral_for?: string;
  unfurl_links?: boolean;
  unfurl_media?: boolean;
  /** Set for a streamed message, live or ended. An update by the app makes it an ordinary message. */
  stream?: MessageStream;
}

/** The stream data of a message. */
export interface MessageStream {
  /** `in_progress` until the app completes it, a person stops it, or it expires. */
  state: "in_progress" | "completed" | "stopped" | "expired";
  /** How its tasks are shown. */
  display: "timeline" | "plan" | "dense";
  /** The only user who sees it while it is in progress; everyone if absent. */
  recipient?: string;
  /** The answer continues in another message. */
  continues?: true;
}

/** The content of a modal or a Home tab, as the app defined it. See https://docs.slack.dev/reference/views */
export interface ViewDefinition {
  type: "modal" | "home";
  blocks: Record<string, unknown>[];
  [member: string]: unknown;
}

/** A modal that a person has open, or the person's Home tab. */
export interface OpenView {
  id: string;
  user: string;
  definition: ViewDefinition;
  /** Changes with each update. */
  hash: string;
  root_view_id: string;
  previous_view_id: string | null;
}

/** A group of people, `@handle`. */
export interface UserGroup {
  id: string;
  handle: string;
  name: string;
  users: string[];
  is_disabled?: boolean;
}

/** What an agent app shows in addition to its messages. */
export interface AgentView {
  threads: AgentThread[];
}

/** A thread with an agent. */
export interface AgentThread {
  channel: string;
  thread_ts: string;
  /** The status line; empty if there is none. */
  status: string;
}
