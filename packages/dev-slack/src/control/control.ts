import type { AgentExchange } from "./agent-exchange.ts";
import type { AgentView } from "./agent-protocol.ts";
import type { CommandRun, RunCommand } from "../commands/command-protocol.ts";
import type { EventDispatcher } from "../events/event-dispatcher.ts";
import type { EventEnvelope, SlackEvent } from "../events/event-envelope.ts";
import type {
  Channel,
  ControlEvent,
  Delivery,
  Fault,
  FileFault,
  Forgery,
  Message,
  PostMessage,
  TrafficEntry,
  User,
  Workspace,
} from "./protocol.ts";
import type {
  DeleteMessage,
  EditMessage,
  MessageQuery,
  OpenHome,
  PutChannel,
  PutUser,
  StopRun,
} from "./control-schemas.ts";

/** What the app answered to a request, and how long it took in milliseconds. */
export interface Reaction {
  /** HTTP status; 0 when no answer came. */
  status: number;
  ms: number;
}

/**
 * The control API in the same process: what people and tests do to the local Slack. Takes and gives what `protocol.ts` describes;
 * a request that makes no sense throws a `ControlError`. Nothing here waits for the app, except where a `Promise` says so.
 */
export interface Control {
  workspace(): Workspace;
  /** A new person is a member of the team unless something else is said. */
  putUser(user: PutUser): User;
  /** A new conversation is a public channel with nobody in it unless something else is said. Its members must exist. */
  putChannel(channel: PutChannel): Channel;
  messages(query: MessageQuery): Message[];
  /** A person writes. Deactivated people may, and so may people in an archived channel, as if it had happened a moment later. */
  postMessage(post: PostMessage): Message;
  /**
   * A person types a slash command; resolves when the app has acknowledged it, or when Slack has given up. What Slack or the app says of
   * it comes as a message, now or later.
   */
  runCommand(typed: RunCommand): Promise<CommandRun>;
  editMessage(edit: EditMessage): Message;
  deleteMessage(message: DeleteMessage): void;
  stop(run: StopRun): void;
  openHome(opened: OpenHome): void;
  forge(forgery: Forgery): Promise<Reaction>;
  replay(): Promise<Reaction>;
  /** `ok` when the app echoed the challenge. */
  verifyUrl(): Promise<Reaction & { ok: boolean }>;
  showExchange(exchange: AgentExchange): void;
  setFault(fault: Fault): Fault;
  setFileFault(fault: FileFault): FileFault;
  /** Slack asks the app to open another socket, with Socket Mode. */
  refreshSockets(): void;
  setDelivery(changes: Partial<Delivery>): Delivery;
  traffic(): TrafficEntry[];
  /** Calls the listener with everything that happens; returns the function that ends it. */
  subscribe(listener: (event: ControlEvent) => void): () => void;
  /**
   * Resolves with the first message, already there or yet to come, new or changed, that the predicate is true for.
   * Rejects after `timeoutMs` (default 5,000), naming the newest messages.
   */
  waitForMessage(predicate: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  /** Resolves when no delivery of an event is under way or due for a retry. */
  idle: EventDispatcher["idle"];
  /** Sends any event, in an envelope with some members replaced: for teams, users and channels that do not exist. */
  sendEvent(event: SlackEvent, overrides?: Partial<EventEnvelope>): void;
  /** The bytes of a file. */
  file(id: string): { name: string; mimetype: string; bytes: Buffer };
  /** The Home tab that the app published for a user. */
  homeView(user: string): Record<string, unknown> | undefined;
  /** The modals that the app opened for a user, oldest first. */
  modals(user: string): Record<string, unknown>[];
  /** Statuses, titles and suggested prompts. */
  agentView(): AgentView;
}
