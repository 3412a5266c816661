import type { Outage } from "../../protocol/faults.ts";
import type { ControlEvent, TrafficEntry } from "../../protocol/control-api.ts";
import type { AgentView, Channel, Message, OpenView, Workspace } from "../../protocol/workspace.ts";
import { homeOf } from "../text/names.ts";

/** The whole state of the page. Immutable: each change makes a new one. */
export interface PageState {
  workspace: Workspace;
  /** The acting user. */
  user: string;
  place: Place;
  /** The last shown conversation, to which the Messages tab returns. */
  lastChannel: string;
  /** By channel, then by `ts`. */
  messages: ReadonlyMap<string, ReadonlyMap<string, Message>>;
  unread: ReadonlySet<string>;
  /** The app's statuses, by `threadKey`. */
  statuses: ReadonlyMap<string, string>;
  /** The modals that each person has open, the lowest first, by user. */
  views: ReadonlyMap<string, readonly OpenView[]>;
  /** What the app's Home tab shows to each person, by user. */
  homes: ReadonlyMap<string, OpenView>;
  outage: Outage;
  /** Oldest first. */
  traffic: readonly TrafficEntry[];
  connection: "connecting" | "live" | "lost";
  /** A message that was just sent: its thread opens when the bot answers. */
  awaiting: { channel: string; ts: string } | undefined;
  /** The message that the next sent one forwards. */
  forwarded: Message | undefined;
}

/** Maximum number of traffic entries, the same as on the server. */
const trafficKept = 500;

/** Returns the key of a thread, or of a conversation itself, in the state's maps. */
export const threadKey = (channel: string, threadTs = ""): string => `${channel}/${threadTs}`;

/** Returns the state after an event of the control stream. Applying an event twice changes nothing. */
export function applyEvent(state: PageState, event: ControlEvent): PageState {
  switch (event.type) {
    case "message":
      return { ...withMessage(state, event.message), unread: unreadAfter(state, event.message) };
    case "message_changed":
      return withMessage(state, event.message);
    case "message_deleted": {
      const rest = new Map(state.messages.get(event.channel));
      rest.delete(event.ts);
      return { ...state, messages: new Map(state.messages).set(event.channel, rest) };
    }
    case "status": {
      const statuses = new Map(state.statuses);
      const key = threadKey(event.channel, event.thread_ts);
      if (event.status === "") statuses.delete(key);
      else statuses.set(key, event.status);
      return { ...state, statuses };
    }
    case "traffic": {
      const others = state.traffic.filter((entry) => entry.id !== event.entry.id);
      return { ...state, traffic: [...others, event.entry].slice(-trafficKept) };
    }
    case "views":
      return { ...state, views: new Map(state.views).set(event.user, event.views) };
    case "home":
      return { ...state, homes: new Map(state.homes).set(event.view.user, event.view) };
    case "outage":
      return { ...state, outage: event.outage };
    case "user": {
      const users = state.workspace.users.map((user) => (user.id === event.user.id ? event.user : user));
      return { ...state, workspace: { ...state.workspace, users } };
    }
    case "channel": {
      const others = state.workspace.channels.filter(({ id }) => id !== event.channel.id);
      const at = state.workspace.channels.findIndex(({ id }) => id === event.channel.id);
      const channels = others.toSpliced(at < 0 ? others.length : at, 0, event.channel);
      return { ...state, workspace: { ...state.workspace, channels } };
    }
    case "warning":
    default:
      return state;
  }
}

/** Returns the app's statuses as the state holds them. */
export function withAgentView({ threads }: AgentView): Pick<PageState, "statuses"> {
  const present = threads.filter(({ status }) => status !== "");
  return { statuses: new Map(present.map((one) => [threadKey(one.channel, one.thread_ts), one.status])) };
}

/** Returns the messages of one channel, unordered. */
export function messagesIn(state: PageState, channel: string): Message[] {
  return [...(state.messages.get(channel)?.values() ?? [])];
}

function withMessage(state: PageState, message: Message): PageState {
  const channel = new Map(state.messages.get(message.channel)).set(message.ts, message);
  return { ...state, messages: new Map(state.messages).set(message.channel, channel) };
}

function unreadAfter(state: PageState, message: Message): ReadonlySet<string> {
  const { channel, ts, user, ephemeral_for = state.user } = message;
  const { place } = state;
  const isShown = place.view === "messages" && place.channel === channel && place.isHome !== true;
  const isKnown = state.messages.get(channel)?.has(ts) ?? false;
  const isNews = !isShown && !isKnown && user !== state.user && ephemeral_for === state.user;
  return isNews ? new Set(state.unread).add(channel) : state.unread;
}

/** Holds the page's state and redraws after each change. */
export interface Store<S> {
  readonly state: S;
  /** Replaces the state; watchers are called once, after all changes of the current task. */
  update(change: (state: S) => S): void;
  /** Calls `draw` now and after each change. */
  watch(draw: (state: S) => void): void;
}

/** Makes a store that calls its watchers in a microtask, so that several changes in a row cause one redraw. */
export function createStore<S>(initial: S): Store<S> {
  let state = initial;
  let planned = false;
  const watchers: ((state: S) => void)[] = [];
  const tell = (): void => {
    planned = false;
    for (const watcher of watchers) watcher(state);
  };
  return {
    get state() {
      return state;
    },
    update: (change) => {
      state = change(state);
      if (!planned) queueMicrotask(tell);
      planned = true;
    },
    watch: (draw) => {
      watchers.push(draw);
      draw(state);
    },
  };
}

/** The view in the page's address: the traffic, what to do next, or a channel with an optional thread or the app's Home tab. */
export type Place =
  { view: "traffic" | "connect" } | { view: "messages"; channel: string; thread: string | undefined; isHome?: boolean };

/** Parses `#/traffic`, `#/connect`, `#/C…`, `#/C…/<ts>` or `#/D…/home`; undefined for any other address. */
export function parseHash(hash: string): Place | undefined {
  if (hash === "#/traffic" || hash === "#/connect") return { view: hash === "#/traffic" ? "traffic" : "connect" };
  const [, channel, thread, home] = /^#\/([CDG]\w+)(?:\/(\d+\.\d+)|(\/home))?$/.exec(hash) ?? [];
  return channel === undefined ? undefined : { view: "messages", channel, thread, isHome: home !== undefined };
}

/** Returns the address of a channel, or of a thread in it. */
export function channelHash(channel: string, thread?: string): string {
  return thread === undefined ? `#/${channel}` : `#/${channel}/${thread}`;
}

/** Returns whether a user sees a conversation: as its member, or, if it is a public channel, as one of the workspace's own people. */
export function isVisible({ kind, members }: Channel, workspace: Workspace, user: string): boolean {
  return members.includes(user) || (kind === "channel" && homeOf(workspace, user) === workspace.team.name);
}

/** Returns the conversations of a user's sidebar. */
export function conversationsOf(workspace: Workspace, user: string): { channels: Channel[]; direct: Channel[] } {
  const visible = workspace.channels.filter((channel) => isVisible(channel, workspace, user));
  const isDirect = ({ kind }: Channel): boolean => kind === "im" || kind === "mpim";
  const archivedLast = (a: Channel, b: Channel): number =>
    Number(a.is_archived ?? false) - Number(b.is_archived ?? false);
  return {
    channels: visible.filter((channel) => !isDirect(channel)).toSorted(archivedLast),
    direct: visible.filter(isDirect),
  };
}

/** Returns the name of a conversation for this user: its own name, or its other members. */
export function conversationName(channel: Channel, workspace: Workspace, user: string): string {
  if (channel.kind === "channel" || channel.kind === "group") return channel.name;
  const others = channel.members.filter((member) => member !== user);
  return others.map((id) => workspace.users.find((one) => one.id === id)?.real_name ?? id).join(", ");
}

/** The direct message between this user and the app's bot. */
export function botConversation(workspace: Workspace, user: string): Channel | undefined {
  return workspace.channels.find(
    ({ kind, members }) => kind === "im" && members.includes(user) && members.includes(workspace.app.bot_user_id),
  );
}

/** Returns whether the app is a member, and so gets the messages of a conversation. */
export const hasApp = ({ members }: Channel, { app }: Workspace): boolean => members.includes(app.bot_user_id);

/** Returns why the app may not answer here, as a sentence; undefined if it receives every mention. */
export function conversationNotice(channel: Channel, workspace: Workspace, user: string): string | undefined {
  if (channel.is_archived) return "Archived. Write here only to test how the app reacts.";
  if (!hasApp(channel, workspace)) {
    return `${workspace.app.name} is not a member of this channel and gets no messages from it.`;
  }
  if (!channel.is_ext_shared) return undefined;
  const others = new Set(channel.members.map((member) => homeOf(workspace, member)));
  others.delete(homeOf(workspace, user));
  return `Shared with ${[...others].join(", ") || "another organization"} (Slack Connect)`;
}
