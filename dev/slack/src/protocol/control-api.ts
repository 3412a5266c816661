/**
 * The control API: JSON over HTTP under `/control`, for the browser page, the terminal client and the tests.
 *
 * | request | body → answer |
 * |---|---|
 * | `GET /control/workspace` | → `Workspace` |
 * | `GET /control/agent` | → `AgentView`: statuses of threads |
 * | `GET /control/messages?channel=C…&thread_ts=…` | → `{ messages: Message[] }`, oldest first (no `thread_ts`: the whole channel with its replies) |
 * | `POST /control/messages` | `PostMessage` → `{ message: Message }`: posts a message of a person; the app gets its events |
 * | `POST /control/messages/schedule` | `ScheduleMessage` → `{ message: Message }`: the same later; responds when it is posted |
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
 * | `POST /control/outage` | `Outage` → `Outage`: starts or ends an outage |
 * | `POST /control/faults` | `Fault` → `Fault`: spoils the next calls of a Web API method |
 * | `POST /control/file-faults` | `FileFault` → `FileFault`: spoils the next downloads |
 * | `POST /control/socket-mode` | members of `SocketMode` → `SocketMode`: changes how Slack treats sockets |
 * | `POST /control/sockets/disconnect` | `{ reason }` → `{}`: ends each socket with a `disconnect`; `link_disabled` also turns Socket Mode off |
 * | `POST /control/sockets/frame` | `{ frame }` → `{}`: sends a text to each socket as it is |
 * | `POST /control/channels/app` | `{ channel }` → `{ channel: Channel }`: adds the app to a conversation, as its *Add app* does |
 * | `POST /control/app` | `{ unlisted }` → `{}`: whether history has the limits of apps outside the Marketplace |
 * | `POST /control/home` | `{ user }` → `{}`: opens the app's Home tab as the person; `app_home_opened` goes to the app |
 * | `POST /control/agent-exchanges` | `AgentExchange` → `{}`: records a request to an agent and its response |
 * | `GET /control/traffic` | → `{ traffic: TrafficEntry[] }`, the last 500, oldest first |
 * | `GET /control/guide` | → `{ sections: GuideSection[] }`, of the page Connect |
 * | `GET /control/stream` | server-sent events, one `ControlEvent` in each `data:`, from the time of the request; the first one is the outage |
 *
 * Errors are `{ error: { message } }` with a 4xx status. `text` of a message is Slack's mrkdwn: `&`, `<` and `>` are entities,
 * a link is in angle brackets. Input without them is converted.
 */
import { z } from "zod";
import type { Outage } from "./faults.ts";
import type { Warning } from "./interactivity.ts";
import type { AgentThread, Channel, Message, OpenView, User } from "./workspace.ts";

const id = z.string().min(1);
const longText = z.string().max(40_000);

/** A message, by its channel's id or name. */
const MESSAGE_PLACE = z.strictObject({ channel: id, ts: id });
export type MessagePlace = z.infer<typeof MESSAGE_PLACE>;

const POSTED_FILE = z.strictObject({
  name: z.string().min(1).max(255),
  mimetype: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, "must be a media type such as text/plain"),
  /** Text, unless `encoding` is base64. */
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]).exactOptional(),
  /** Makes it a remote file: Slack has only this link. https://docs.slack.dev/messaging/working-with-files#remote */
  external_url: z.url().exactOptional(),
  /** What Slack makes of it. `connect` is a file of another organization, of which messages have only a stub. */
  kind: z.enum(["voice", "email", "canvas", "connect"]).exactOptional(),
  /** The transcript of a voice clip, once Slack has one; the text of an e-mail, whose subject is the name. */
  plain_text: z.string().exactOptional(),
});
export type PostedFile = z.infer<typeof POSTED_FILE>;

export const POST_MESSAGE = z.strictObject({
  /** Channel id or name (`general`, `#general`); for a direct message, the im channel's id or `dm`. */
  channel: id,
  /** User id or name; the first human by default. */
  user: id.exactOptional(),
  /**
   * As typed into Slack's composer, with its lists, quotes, code and links. `@Crosszone` at the start becomes the bot's mention, and `/me` makes it
   * a message about its author. A link to a message gets a preview right after the message is posted.
   */
  text: longText,
  thread_ts: id.exactOptional(),
  /** Also sends a reply to the channel. */
  broadcast: z.literal(true).exactOptional(),
  files: z.array(POSTED_FILE).max(10).exactOptional(),
  /** A message to forward, from a conversation that the person can read. */
  forward: MESSAGE_PLACE.exactOptional(),
  /** Pasted tables: rows of cells. Slack puts them into an attachment. */
  tables: z.array(z.array(z.array(z.string()))).exactOptional(),
  /** The name of another app. With `user` it posts with this person's token, otherwise by a webhook (`bot_message`). */
  app: id.exactOptional(),
  /** Only for apps, as is. */
  blocks: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  attachments: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  metadata: z.strictObject({ event_type: id, event_payload: z.record(z.string(), z.unknown()) }).exactOptional(),
});
export type PostMessage = z.infer<typeof POST_MESSAGE>;

/** A message that its author has scheduled. */
export const SCHEDULE_MESSAGE = POST_MESSAGE.extend({ after_ms: z.number().int().min(0) });
export type ScheduleMessage = z.infer<typeof SCHEDULE_MESSAGE>;

export const DELETE_MESSAGE = MESSAGE_PLACE.extend({ user: id });
export type DeleteMessage = z.infer<typeof DELETE_MESSAGE>;

export const EDIT_MESSAGE = DELETE_MESSAGE.extend({ text: longText });
export type EditMessage = z.infer<typeof EDIT_MESSAGE>;

/** The reaction is the emoji's name, without colons. */
export const REACT = DELETE_MESSAGE.extend({ reaction: z.string().regex(/^[\w+-]+$/) });
export type React = z.infer<typeof REACT>;

/** A person's use of a message shortcut. */
export const RUN_SHORTCUT = DELETE_MESSAGE.extend({ callback_id: id });
export type RunShortcut = z.infer<typeof RUN_SHORTCUT>;

export const STOP_RUN = z.strictObject({ channel: id, thread_ts: id, user: id });
export type StopRun = z.infer<typeof STOP_RUN>;

export const MESSAGE_QUERY = z.strictObject({ channel: id, thread_ts: id.exactOptional() });
export type MessageQuery = z.infer<typeof MESSAGE_QUERY>;

/**
 * A person's slash command: the command and the text after it, e.g. `/agents`. `thread_ts` is set if it was typed in a thread, where Slack
 * accepts no commands.
 */
export const RUN_COMMAND = POST_MESSAGE.pick({ channel: true, user: true, text: true, thread_ts: true });
export type RunCommand = z.infer<typeof RUN_COMMAND>;

/** A request to an agent and its response, as execution posts it. A later event of a stream has no request. */
export const AGENT_EXCHANGE = z.strictObject({
  agent_name: z.string(),
  correlation_id: z.string(),
  at: z.iso.datetime(),
  operation: z.string(),
  protocol: z.string(),
  /** Milliseconds. */
  duration_ms: z.number().min(0),
  request: z.unknown().exactOptional(),
  /** HTTP status; absent without a response. */
  status: z.number().int().exactOptional(),
  response: z.unknown().exactOptional(),
  problem: z.string().exactOptional(),
});
export type AgentExchange = z.infer<typeof AGENT_EXCHANGE>;

export type PutUser = Partial<User> & Pick<User, "id">;

export type PutChannel = Partial<Channel> & Pick<Channel, "id">;

/** The app's immediate reaction. */
export interface CommandRun {
  /** The typed command. It is invisible to others and in no history; replies are `ephemeral_for` its author. */
  message: Message;
  /** HTTP status of the acknowledgment; 0 without one. */
  status: number;
  ms: number;
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
  | { type: "channel"; channel: Channel }
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
