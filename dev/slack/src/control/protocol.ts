import type { AgentThread, MessageStream, SuggestedPrompts } from "./agent-protocol.ts";
import type { TrafficEntry } from "./traffic-entry.ts";

export type { TrafficEntry };

/**
 * The control API: JSON over HTTP under `/control`, for the browser page, the terminal client and the tests.
 *
 * | request | body → answer |
 * |---|---|
 * | `GET /control/workspace` | → `Workspace` |
 * | `GET /control/agent` | → `AgentView`: statuses and titles of threads, suggested prompts |
 * | `POST /control/users` | `Partial<User>` with `id` → `{ user: User }`: adds a person, or changes the one with this id |
 * | `POST /control/channels` | `Partial<Channel>` with `id` → `{ channel: Channel }`: adds a conversation, or changes the one with this id |
 * | `GET /control/messages?channel=C…&thread_ts=…` | → `{ messages: Message[] }`, oldest first (no `thread_ts`: the whole channel with its replies) |
 * | `POST /control/messages` | `PostMessage` → `{ message: Message }`: posts a message of a person; the app gets its events |
 * | `POST /control/commands` | `RunCommand` → `CommandRun`: runs a person's slash command; responds when the app has acknowledged it or Slack has given up |
 * | `POST /control/messages/edit` | `{ channel, ts, user, text }` → `{ message }`; `message_changed` goes to the app |
 * | `POST /control/messages/delete` | `{ channel, ts, user }` → `{}`; `message_deleted` goes to the app |
 * | `GET /control/files/F…` | → the bytes of a file, for the page: a browser has no bot token |
 * | `POST /control/home` | `{ user, tab? }` → `{}`: opens the app as the person; `app_home_opened` goes to the app (`tab`: `home` or `messages`, the default) |
 * | `POST /control/stop` | `{ channel, thread_ts, user }` → `{}`: presses Stop as the person: the streams of the thread end; `agent_session_stopped` goes to the app |
 * | `POST /control/forge` | `Forgery` → `{ status: number, ms: number }`: the app's response to a bad request |
 * | `POST /control/replay` | `{}` → `{ status, ms }`: sends the last delivered event again, byte for byte, with the same signature |
 * | `POST /control/verify` | `{}` → `{ status, ms, ok }`: sends Slack's `url_verification` handshake to the events URL |
 * | `POST /control/faults` | `Fault` → `{ fault }`: makes the next calls of a Web API method fail |
 * | `POST /control/file-faults` | `FileFault` → `{ fault }`: makes the next file downloads fail |
 * | `POST /control/delivery` | `Partial<Delivery>` → `{ delivery: Delivery }` |
 * | `POST /control/agent-exchanges` | `AgentExchange` → `{}`: records a request to an agent and its response |
 * | `GET /control/traffic` | → `{ traffic: TrafficEntry[] }`, the last 500, oldest first |
 * | `GET /control/stream` | server-sent events, one `ControlEvent` in each `data:`, from the time of the request |
 *
 * Errors are `{ error: { message } }` with a 4xx status. `text` of a message is Slack's mrkdwn: `&`, `<` and `>` are entities,
 * a link is in angle brackets. Input without them is converted.
 */
export interface Workspace {
  team: { id: string; name: string; domain: string };
  app: { app_id: string; bot_user_id: string; bot_id: string; name: string };
  users: User[];
  channels: Channel[];
}

export interface User {
  id: string;
  name: string;
  real_name: string;
  is_bot: boolean;
  deleted?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_stranger?: boolean;
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
  /** Another organisation was invited and has not accepted yet. */
  is_pending_ext_shared?: boolean;
}

export interface FileObject {
  id: string;
  name: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  url_private_download: string;
}

export interface Message {
  channel: string;
  ts: string;
  thread_ts?: string;
  user: string;
  bot_id?: string;
  app_id?: string;
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
  pinned?: boolean;
  /** Only this user sees the message. */
  ephemeral_for?: string;
  reactions?: { name: string; users: string[] }[];
  unfurl_links?: boolean;
  unfurl_media?: boolean;
  /** Set for a streamed message, live or ended. An update by the app makes it an ordinary message. */
  stream?: MessageStream;
}

export interface PostMessage {
  /** Channel id or name (`general`, `#general`); for a direct message, the im channel's id or `dm`. */
  channel: string;
  /** User id or name; the first human by default. */
  user?: string;
  /** `@Crosszone` at the start becomes the bot's mention. */
  text: string;
  thread_ts?: string;
  /** `content` is text unless `encoding` is base64. */
  files?: PostedFile[];
}

export interface PostedFile {
  name: string;
  mimetype: string;
  content: string;
  encoding?: "utf8" | "base64";
  /** Makes it a remote file: Slack has only this link. https://docs.slack.dev/messaging/working-with-files#remote */
  external_url?: string;
}

export interface Forgery {
  kind: "wrong_secret" | "no_headers" | "stale" | "future" | "suffix" | "v1" | "too_large" | "wrong_app";
  text?: string;
}

export interface Fault {
  /** Web API method, e.g. `chat.postMessage`, or `response_url` for command answers; `*` for any. */
  method: string;
  kind: "rate_limited" | "server_error" | "error" | "hang" | "drop" | "late";
  /** Number of calls that fail. Default 1. */
  times?: number;
  /** For `late`: the call takes effect at once, and its response is delayed by this many milliseconds. Default 3,000. */
  after_ms?: number;
  /** For `rate_limited`, seconds. Default 1. */
  retry_after?: number;
  /** For `error`: Slack's error string, e.g. `channel_not_found`. */
  error?: string;
  /** For all but `late`: the call takes effect and only its response is lost or wrong. Default false. */
  takes_effect?: boolean;
}

/**
 * The response to a download instead of the file: a redirect to another host; the sign-in page, also with the file's own type; bytes of
 * another type; a length that is too short or too long; an endless drip; ten gigabytes, announced or not.
 */
export interface FileFault {
  kind:
    | "redirect"
    | "sign_in_page"
    | "disguised_page"
    | "other_type"
    | "short_length"
    | "long_length"
    | "drip"
    | "huge"
    | "endless";
  /** Number of downloads that fail. Default 1. */
  times?: number;
}

export interface Delivery {
  /** How often each event is delivered (same event_id). Default 1. */
  copies: number;
  /** Delay of each delivery, milliseconds. Default 0. */
  delay_ms: number;
  /** Skips the first attempt, so that only retries arrive. Default false. */
  drop_first: boolean;
}

export type ControlEvent =
  | { type: "message"; message: Message }
  | { type: "message_changed"; message: Message }
  | { type: "message_deleted"; channel: string; ts: string }
  | ({ type: "status" } & Omit<AgentThread, "title">)
  | ({ type: "title" } & Required<Omit<AgentThread, "status">>)
  | { type: "prompts"; suggested: SuggestedPrompts }
  | { type: "traffic"; entry: TrafficEntry };
