import type { ControlEvent, TrafficEntry } from "../../protocol/control-api.ts";
import type { AgentView, Message, SuggestedPrompts, Workspace } from "../../protocol/workspace.ts";
import type { Place } from "./conversation.ts";

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
  /** The app's titles of threads, by `threadKey`. */
  titles: ReadonlyMap<string, string>;
  /** The app's suggested prompts, by `threadKey`; those of a conversation itself have no thread. */
  prompts: ReadonlyMap<string, SuggestedPrompts>;
  /** Oldest first. */
  traffic: readonly TrafficEntry[];
  connection: "connecting" | "live" | "lost";
  /** A message that was just sent: its thread opens when the bot answers. */
  awaiting: { channel: string; ts: string } | undefined;
}

/** Maximum number of traffic entries, the same as on the server. */
export const trafficKept = 500;

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
    case "title": {
      const titles = new Map(state.titles).set(threadKey(event.channel, event.thread_ts), event.title);
      return { ...state, titles };
    }
    case "prompts": {
      const { suggested } = event;
      const key = threadKey(suggested.channel, suggested.thread_ts);
      return { ...state, prompts: new Map(state.prompts).set(key, suggested) };
    }
    case "traffic":
    default: {
      const others = state.traffic.filter((entry) => entry.id !== event.entry.id);
      return { ...state, traffic: [...others, event.entry].slice(-trafficKept) };
    }
  }
}

/** Returns the app's statuses, titles and prompts as the state holds them. */
export function withAgentView({ threads, prompts }: AgentView): Pick<PageState, "statuses" | "titles" | "prompts"> {
  const byThread = (of: (thread: AgentView["threads"][number]) => string | undefined): Map<string, string> =>
    new Map(threads.map((thread) => [threadKey(thread.channel, thread.thread_ts), of(thread) ?? ""]));
  const present = (map: Map<string, string>): Map<string, string> =>
    new Map([...map].filter(([, text]) => text !== ""));
  return {
    statuses: present(byThread(({ status }) => status)),
    titles: present(byThread(({ title }) => title)),
    prompts: new Map(prompts.map((one) => [threadKey(one.channel, one.thread_ts), one])),
  };
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
  const isShown = state.place.view === "messages" && state.place.channel === channel;
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
