/**
 * The control API: JSON over HTTP under `/control`, for the browser page, the terminal client and the tests.
 *
 * | request | body → answer |
 * |---|---|
 * | `GET /control/workspace` | → `Workspace` |
 * | `GET /control/agent` | → `AgentView`: statuses of threads |
 * | `GET /control/messages?channel=C…&thread_ts=…` | → `{ messages: Message[] }`, oldest first (no `thread_ts`: the whole channel with its replies) |
 * | `POST /control/messages` | `PostMessage` → `{ message: Message }`: posts a message of a person; the app gets its events |
 * | `POST /control/messages/edit` | `EditMessage` → `{ message: Message }`: edits the person's own message |
 * | `POST /control/messages/delete` | `DeleteMessage` → `{}`: deletes it; with replies, a tombstone takes its place |
 * | `POST /control/reactions` | `React` → `{ message: Message }`: adds a reaction, or removes the person's own |
 * | `POST /control/people` | `{ id, deleted }` → `{ user: User }`: deactivates a person, or reactivates one |
 * | `POST /control/commands` | `RunCommand` → `CommandRun`: runs a person's slash command; responds when the app has acknowledged it or Slack has given up |
 * | `GET /control/files/F…` | → the bytes of a file, for the page: a browser has no bot token |
 * | `POST /control/stop` | `{ channel, thread_ts, user }` → `{}`: presses Stop as the person: the streams of the thread end; `agent_session_stopped` goes to the app |
 * | `POST /control/act` | `Act` → `Interaction`: presses a button, chooses or types as the person, in a message or a view; responds when the app has acknowledged it or Slack has given up |
 * | `POST /control/shortcuts` | `RunShortcut` → `Interaction`: uses a message shortcut as the person |
 * | `POST /control/views/submit` | `SubmitView` → `Interaction`: submits the top modal |
 * | `POST /control/views/close` | `CloseView` → `Interaction`: closes it |
 * | `GET /control/views?user=U…` | → `{ views: OpenView[], home?: OpenView, warnings: Warning[] }`: the person's modals, the lowest first, and Home tab, and everyone's warning signs |
 * | `POST /control/outage` | `Partial<Outage>` → `Outage`: starts, changes or ends an outage |
 * | `POST /control/home` | `{ user }` → `{}`: opens the app's Home tab as the person; `app_home_opened` goes to the app |
 * | `POST /control/agent-exchanges` | `AgentExchange` → `{}`: records a request to an agent and its response |
 * | `GET /control/traffic` | → `{ traffic: TrafficEntry[] }`, the last 500, oldest first |
 * | `GET /control/guide` | → `{ sections: GuideSection[] }`, of the page Connect |
 * | `GET /control/stream` | server-sent events, one `ControlEvent` in each `data:`, from the time of the request; the first one is the outage |
 *
 * Errors are `{ error: { message } }` with a 4xx status. `text` of a message is Slack's mrkdwn: `&`, `<` and `>` are entities,
 * a link is in angle brackets. Input without them is converted.
 */
import type { Outage } from "./faults.ts";
import type { Warning } from "./interactivity.ts";
import type { AgentThread, Channel, Message, OpenView, User } from "./workspace.ts";

export interface PostMessage {
  /** Channel id or name (`general`, `#general`); for a direct message, the im channel's id or `dm`. */
  channel: string;
  /** User id or name; the first human by default. */
  user?: string;
  /**
   * As typed into Slack's composer, with its lists, quotes, code and links. `@Crosszone` at the start becomes the bot's mention. A link to a
   * message gets a preview right after the message is posted.
   */
  text: string;
  thread_ts?: string;
  files?: PostedFile[];
  /** A message to forward, from a conversation that the person can read. */
  forward?: MessagePlace;
  /** Pasted tables: rows of cells. Slack puts them into an attachment, or with `tables_in` into the message's blocks. */
  tables?: string[][][];
  tables_in?: "attachments" | "blocks";
  /** The name of another app. With `user` it posts with this person's token, otherwise by a webhook (`bot_message`). */
  app?: string;
  /** Only for apps, as is. */
  blocks?: Record<string, unknown>[];
  attachments?: Record<string, unknown>[];
}

export interface MessagePlace {
  /** Channel id or name. */
  channel: string;
  ts: string;
}

export interface PostedFile {
  name: string;
  mimetype: string;
  /** Text, unless `encoding` is base64. */
  content: string;
  encoding?: "utf8" | "base64";
  /** Makes it a remote file: Slack has only this link. https://docs.slack.dev/messaging/working-with-files#remote */
  external_url?: string;
  /** What Slack makes of it. `connect` is a file of another organization, of which messages have only a stub. */
  kind?: "snippet" | "voice" | "email" | "canvas" | "connect";
  /** The transcript of a voice clip, once Slack has one; the text of an e-mail, whose subject is the name. */
  plain_text?: string;
}

export interface EditMessage extends MessagePlace {
  user: string;
  text: string;
}

export type DeleteMessage = Omit<EditMessage, "text">;

export interface React extends DeleteMessage {
  /** The emoji's name, without colons. */
  reaction: string;
}

/** A person's use of a message shortcut. */
export type RunShortcut = DeleteMessage & { callback_id: string };

export type PutUser = Partial<User> & Pick<User, "id">;

export type PutChannel = Partial<Channel> & Pick<Channel, "id">;

export interface StopRun {
  channel: string;
  thread_ts: string;
  user: string;
}

export interface MessageQuery {
  channel: string;
  thread_ts?: string;
}

/** A person's slash command. `thread_ts` is set if it was typed in a thread, where Slack accepts no commands. */
export interface RunCommand extends Pick<PostMessage, "channel" | "user" | "thread_ts"> {
  /** The command and the text after it, e.g. `/agents`. */
  text: string;
}

/** The app's immediate reaction. */
export interface CommandRun {
  /** The typed command. It is invisible to others and in no history; replies are `ephemeral_for` its author. */
  message: Message;
  /** HTTP status of the acknowledgment; 0 without one. */
  status: number;
  ms: number;
}

/** A request to an agent and its response, as execution posts it. A later event of a stream has no request. */
export interface AgentExchange {
  agent_name: string;
  correlation_id: string;
  at: string;
  operation: string;
  protocol: string;
  /** Milliseconds. */
  duration_ms: number;
  request?: unknown;
  /** HTTP status; absent without a response. */
  status?: number;
  response?: unknown;
  problem?: string;
}

/** One recorded request or event, with secrets redacted. */
export interface TrafficEntry {
  id: number;
  /** Unix milliseconds. */
  at: number;
  kind: "event" | "web_api" | "rpc" | "agent";
  /** Event type, Web API method, JSON-RPC method, or agent and operation. */
  name: string;
  /** HTTP status of the response; 0 without one. */
  status: number;
  ms: number;
  /** The outcome in a few words, e.g. `accepted`, `refused: 401`, `retry 2 after http_timeout`. */
  verdict: string;
  /** Of a call of an agent: the question or the run for which it is made. */
  correlation_id?: string;
  request: unknown;
  response: unknown;
  /** The events of a streamed response before its end, oldest first. */
  events?: unknown[];
}

export type ControlEvent =
  | { type: "message"; message: Message }
  | { type: "message_changed"; message: Message }
  | { type: "message_deleted"; channel: string; ts: string }
  | ({ type: "status" } & AgentThread)
  | { type: "views"; user: string; views: OpenView[] }
  | { type: "home"; view: OpenView }
  | { type: "outage"; outage: Outage }
  | { type: "user"; user: User }
  | { type: "warning"; warning: Warning }
  | { type: "traffic"; entry: TrafficEntry };

/** Thrown for an invalid request to the control API. `status` is its HTTP status, 4xx; the message is for the caller. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}
