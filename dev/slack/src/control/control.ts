import type {
  AgentExchange,
  CommandRun,
  ControlEvent,
  DeleteMessage,
  EditMessage,
  MessageQuery,
  PostMessage,
  PutChannel,
  PutUser,
  React,
  RunCommand,
  ScheduleMessage,
  StopRun,
  TrafficEntry,
} from "../protocol/control-api.ts";
import type { Warning } from "../protocol/interactivity.ts";
import type { Delivery, DisconnectReason, Fault, FileFault, Outage, SocketMode } from "../protocol/faults.ts";
import type { ActOperations } from "../interactivity/act-operations.ts";
import type { ViewOperations } from "../interactivity/view-operations.ts";
import type { AgentView, Channel, Message, User, UserGroup, Workspace } from "../protocol/workspace.ts";
import type { EventDispatcher } from "../events/event-dispatcher.ts";
import type { EventEnvelope, SlackEvent } from "../events/event-envelope.ts";

/**
 * The control API in the same process: what people and tests do in the local Slack. Its data are described in `protocol/`. An invalid
 * request throws a `ControlError`. Only methods that return a `Promise` wait for the app.
 */
export interface Control extends ActOperations, ViewOperations {
  workspace(): Workspace;
  /** Adds or changes a person; a new one is a member of the team by default. A deactivated one is `deleted`. */
  putUser(user: PutUser): User;
  /** Adds or changes a conversation; a new one is a public channel without members by default. Its members must exist. */
  putChannel(channel: PutChannel): Channel;
  /** Adds the app to a conversation, given by its id or name. From then on it gets the messages. */
  addApp(channel: string): Channel;
  /** Adds or replaces a group of people. Its members must exist. */
  putUserGroup(group: UserGroup): UserGroup;
  /** Returns the warning signs that people saw, because the app did not acknowledge an interaction; oldest first. */
  warnings(): Warning[];
  messages(query: MessageQuery): Message[];
  /** Posts a person's message. Deactivated people and archived channels are allowed, as if they were deactivated or archived just after the message. */
  postMessage(post: PostMessage): Message;
  /** Resolves when Slack has posted the message that a person scheduled. */
  scheduleMessage(post: ScheduleMessage): Promise<Message>;
  /**
   * Runs a person's slash command; resolves when the app has acknowledged it, or Slack has given up. Replies from Slack or the app arrive
   * as messages, now or later.
   */
  runCommand(typed: RunCommand): Promise<CommandRun>;
  /** Edits a person's own message. The app gets `message_changed`, and `app_mention` again if the new text mentions it. */
  editMessage(edit: EditMessage): Message;
  /** Deletes a person's own message. A root with replies becomes a tombstone, which goes with the last reply. */
  deleteMessage(message: DeleteMessage): void;
  /** Adds a person's reaction, or removes it. The app gets the event with the scope `reactions:read`. */
  react(reaction: React): Message;
  stop(run: StopRun): void;
  showExchange(exchange: AgentExchange): void;
  setFault(fault: Fault): Fault;
  setFileFault(fault: FileFault): FileFault;
  outage(): Outage;
  /** Starts or ends an outage. Afterwards the app can connect and call again; Slack does not send what was lost. */
  setOutage(outage: Outage): Outage;
  /** Changes how Slack treats the app's sockets. */
  setSocketMode(changes: Partial<SocketMode>): SocketMode;
  /** Ends each socket with a `disconnect`. With `link_disabled`, Socket Mode is off from then on. */
  disconnectSockets(reason: DisconnectReason): void;
  /** Sends a text to each socket as it is, such as a frame that Slack's own client can't read. */
  sendFrame(frame: string): void;
  /** Sets whether the app is distributed outside Slack's Marketplace: history has 15 messages a page, and one call a minute. */
  setUnlisted(unlisted: boolean): void;
  setDelivery(changes: Partial<Delivery>): Delivery;
  traffic(): TrafficEntry[];
  /** Calls the listener with every event; returns a function that unsubscribes it. */
  subscribe(listener: (event: ControlEvent) => void): () => void;
  /**
   * Resolves with the first message, existing or future, new or changed, for which the predicate is true. Rejects after `timeoutMs`
   * milliseconds (default 30,000) and names the newest messages.
   */
  waitForMessage(predicate: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  /** Resolves when no event delivery is running or scheduled. */
  idle: EventDispatcher["idle"];
  /** Sends any event, with some members of the envelope replaced: for teams, users and channels that do not exist. */
  sendEvent(event: SlackEvent, overrides?: Partial<EventEnvelope>): void;
  /** Returns the bytes of a file. */
  file(id: string): { name: string; mimetype: string; bytes: Buffer };
  /** Returns the statuses of threads. */
  agentView(): AgentView;
}
