import type { TrafficEntry } from "../../protocol/control-api.ts";

/** A question, or other work, with everything that crossed a wire for it. */
export interface TrafficGroup {
  /** Stays the same while entries are added. */
  key: string;
  /** The text of the question or of the command; without one, the name of the first entry. */
  title: string;
  /** The person who asked, by id. */
  user: string | undefined;
  /** The conversation in which they asked, by id. */
  channel: string | undefined;
  /** Oldest first. */
  entries: TrafficEntry[];
}

/** What an entry is about: ids, which one group has, and threads, which several questions share. */
interface Keys {
  readonly ids: readonly string[];
  readonly thread: string | undefined;
}

/** How long after the entries of a question a lookup can still belong to it, milliseconds. */
const lookupMs = 200;

/**
 * Groups entries by question, the newest first. An entry belongs to the group with one of its ids, else to the latest question of its
 * thread. A lookup, which names neither, belongs to the only question that is under way. The last group, with the key `other`, has the rest.
 */
export function groupTraffic(traffic: readonly TrafficEntry[]): TrafficGroup[] {
  const groups: TrafficGroup[] = [];
  const byId = new Map<string, TrafficGroup>();
  const byThread = new Map<string, TrafficGroup[]>();
  const loose: TrafficEntry[] = [];
  for (const entry of traffic.toSorted((a, b) => knownAt(a) - knownAt(b) || a.id - b.id)) {
    const { ids, thread = "" } = keysOf(entry);
    const inThread = byThread.get(thread) ?? [];
    const asked = askedBy(entry);
    const found = ids.map((id) => byId.get(id)).find((one) => one !== undefined);
    const group = found ?? (asked ? undefined : questionOf(entry, inThread)) ?? newGroup(entry, asked, ids);
    if (group === undefined) {
      loose.push(entry);
      continue;
    }
    if (group.entries.length === 0) groups.push(group);
    group.entries.push(entry);
    for (const id of ids) if (!byId.has(id)) byId.set(id, group);
    if (asked && thread !== "" && !inThread.includes(group)) byThread.set(thread, [...inThread, group]);
  }
  const other: TrafficGroup = { key: "other", title: "", user: undefined, channel: undefined, entries: [] };
  for (const entry of loose) (onlyRunning(groups, entry) ?? other).entries.push(entry);
  for (const { entries } of groups) entries.sort((a, b) => knownAt(a) - knownAt(b) || a.id - b.id);
  return [...groups.toReversed(), ...(other.entries.length > 0 ? [other] : [])];
}

/** Returns when it is known what an entry is about: a call that waits for news is about its answer. */
const knownAt = ({ name, at, ms }: TrafficEntry): number =>
  name === "list_input_requests" || name === "list_fires" ? at + ms : at;

function newGroup(entry: TrafficEntry, asked: Asked | undefined, ids: readonly string[]): TrafficGroup | undefined {
  const [key = asked && `entry ${entry.id}`] = ids;
  if (key === undefined) return undefined;
  return { key, title: asked?.text || entry.name, user: asked?.user, channel: asked?.channel, entries: [] };
}

/** Returns the latest question of a thread. A thread's questions wait for each other, so a call is about the one with its text. */
function questionOf({ kind, request }: TrafficEntry, inThread: readonly TrafficGroup[]): TrafficGroup | undefined {
  const words = kind === "rpc" ? text(member(request, "params"), "text") : undefined;
  const isFree = ({ entries }: TrafficGroup): boolean => !entries.some((entry) => entry.kind === "rpc");
  const waiting = words && inThread.find((group) => isFree(group) && group.title.includes(words));
  return waiting || inThread.at(-1);
}

/** Returns the only group that is under way at the time of an entry. A report is about many messages, and is of none. */
function onlyRunning(groups: readonly TrafficGroup[], { at, name }: TrafficEntry): TrafficGroup | undefined {
  if (name === "report_messages") return undefined;
  const running = groups.filter((group) => {
    const span = spanOf(group);
    return at >= span.at && at <= span.at + span.ms + lookupMs;
  });
  return running.length === 1 ? running[0] : undefined;
}

/** Returns when a group began and how long it took, milliseconds. */
export function spanOf({ entries }: Pick<TrafficGroup, "entries">): { at: number; ms: number } {
  const at = entries[0]?.at ?? 0;
  return { at, ms: Math.max(0, ...entries.map((entry) => entry.at + entry.ms)) - at };
}

interface Asked {
  readonly user: string;
  readonly channel: string | undefined;
  readonly text: string;
}

/** Returns the message or command of a person that an entry delivers; undefined for any other entry. */
function askedBy({ kind, name, request }: TrafficEntry): Asked | undefined {
  if (kind !== "event") return undefined;
  const body = member(request, "body");
  const event = eventOf(request);
  const user = text(event, "user");
  if (user !== undefined && text(event, "bot_id") === undefined && /^(message|app_mention)$/.test(name))
    return { user, channel: text(event, "channel"), text: text(event, "text") ?? "" };
  const commander = name.startsWith("/") ? text(body, "user_id") : undefined;
  const words = [name, text(body, "text")].filter(Boolean).join(" ");
  return commander === undefined ? undefined : { user: commander, channel: text(body, "channel_id"), text: words };
}

/** Returns what an entry is about. Content of conversations, such as the messages of a thread, does not count. */
function keysOf(entry: TrafficEntry): Keys {
  const { kind, request, response } = entry;
  if (kind === "event") return keysOfEvent(request);
  if (kind === "agent") return { ids: defined(entry.correlation_id), thread: undefined };
  if (kind === "rpc") {
    const [params, result] = [member(request, "params"), member(response, "result")];
    const news = member(result, "input_requests");
    const all = [params, result, ...(Array.isArray(news) ? (news as unknown[]) : [])];
    return {
      ids: all.flatMap((one) => defined(text(one, "correlation_id"), text(one, "task_id"), text(one, "request_id"))),
      thread: threadOf(text(params, "channel"), text(params, "thread_ts")),
    };
  }
  const channel = text(request, "channel") ?? text(request, "channel_id");
  const posted = text(response, "channel") ?? channel;
  const payload = member(parsed(text(request, "metadata")), "event_payload");
  return {
    ids: defined(
      text(payload, "correlation_id"),
      text(payload, "request_id"),
      messageOf(channel, text(request, "ts")),
      messageOf(posted, text(response, "ts")),
    ),
    thread: threadOf(channel, text(request, "thread_ts")),
  };
}

function keysOfEvent(request: unknown): Keys {
  const payload = member(member(request, "body"), "payload");
  if (payload !== undefined) {
    const container = member(payload, "container");
    const channel = text(container, "channel_id");
    return {
      ids: defined(messageOf(channel, text(container, "message_ts"))),
      thread: threadOf(channel, text(container, "thread_ts")),
    };
  }
  const event = eventOf(request);
  const channel = text(event, "channel");
  const ts = text(member(event, "message"), "ts") ?? text(event, "deleted_ts") ?? text(event, "ts");
  return { ids: defined(messageOf(channel, ts)), thread: threadOf(channel, text(event, "thread_ts") ?? ts) };
}

/** Returns the event of a delivery over HTTP or over a socket. */
const eventOf = (request: unknown): unknown =>
  member(member(request, "body"), "event") ?? member(member(request, "payload"), "event");

const messageOf = (channel: string | undefined, ts: string | undefined): string | undefined =>
  channel && ts && `message ${channel} ${ts}`;
const threadOf = (channel: string | undefined, ts: string | undefined): string | undefined =>
  channel && ts && `${channel} ${ts}`;

const defined = (...all: readonly (string | undefined)[]): string[] => all.filter((one) => one !== undefined);

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function text(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function parsed(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}
