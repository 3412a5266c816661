import type { Message, MessageStream } from "../protocol/workspace.ts";
import type { MessageStore } from "./message-store.ts";
import type { Storage } from "./storage.ts";
import { richTextBlock } from "./slack-text.ts";

/** A stream's mode, text or chunks, set by its first content; undefined before that. */
export type StreamMode = "text" | "chunks" | undefined;

/** A message that the app is streaming. */
export interface LiveStream {
  mode: StreamMode;
  content: StreamContent;
}

/** The live streams. For ended ones, the message's `stream.state` has the outcome. */
export interface StreamStore {
  /** Makes the message a live stream, until it ends or expires. */
  begin(message: Message, stream: LiveStream): void;
  find(message: Pick<Message, "channel" | "ts">): LiveStream | undefined;
  /** Replaces the content of a stream. */
  grow(message: Message, stream: LiveStream): void;
  /** Makes the stream reject further content. Its message stays unchanged. */
  end(message: Pick<Message, "channel" | "ts">): void;
  /** Stops the streams of a thread, as a person does. Returns the `ts` of each, oldest first. */
  stop(channel: string, thread_ts: string): string[];
  /** Cancels all timers. */
  close(): void;
}

/** Makes a store. Each stream ends `lifetimeMs` milliseconds after it began, even if it is active. */
export function createStreamStore(messages: MessageStore, { keep }: Storage, lifetimeMs: number): StreamStore {
  /** Until when it accepts content, Unix milliseconds. */
  const live = keep<LiveStream & { until: number }>("streams");
  const timers = new Map<string, NodeJS.Timeout>();
  const key = ({ channel, ts }: Pick<Message, "channel" | "ts">): string => `${channel} ${ts}`;

  const store: StreamStore = {
    begin: (message, stream) => {
      live.set(key(message), { ...stream, until: Date.now() + lifetimeMs });
      expireLater(key(message), lifetimeMs);
    },
    find: (message) => live.get(key(message)),
    grow: (message, stream) => {
      const before = live.get(key(message));
      if (before) live.set(key(message), { ...before, ...stream });
    },
    end: (message) => {
      clearTimeout(timers.get(key(message)));
      timers.delete(key(message));
      live.delete(key(message));
    },
    stop: (channel, thread_ts) => {
      const stopped = messages.thread(channel, thread_ts).filter((message) => live.has(key(message)));
      for (const message of stopped) cut(message, "stopped");
      return stopped.map(({ ts }) => ts);
    },
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  function expireLater(id: string, afterMs: number): void {
    const [channel = "", ts = ""] = id.split(" ");
    timers.set(id, setTimeout(() => cut({ channel, ts }, "expired"), Math.max(0, afterMs)).unref());
  }

  function cut(place: Pick<Message, "channel" | "ts">, state: "stopped" | "expired"): void {
    store.end(place);
    const message = messages.find(place.channel, place.ts);
    if (message?.stream) messages.replace({ ...message, stream: { ...message.stream, state } });
  }

  for (const [id, { until }] of live) expireLater(id, until - Date.now());
  return store;
}

/** A task from a `task_update` chunk. */
interface StreamTask {
  id: string;
  title: string;
  status: "pending" | "in_progress" | "complete" | "error";
  details?: string;
  output?: string;
  sources?: { type: "url"; url: string; text: string }[];
}

/** One chunk of a stream. See https://docs.slack.dev/messaging/sending-and-scheduling-messages#text-streaming */
export type StreamChunk =
  | { type: "markdown_text"; text: string }
  | ({ type: "task_update" } & StreamTask)
  | { type: "plan_update"; title: string }
  | { type: "blocks"; blocks: Record<string, unknown>[] };

/** The content of a stream so far, in display order. */
export interface StreamContent {
  parts: readonly StreamPart[];
  planTitle?: string;
}

type StreamPart = Exclude<StreamChunk, { type: "plan_update" }>;

/** The content of an empty stream. */
export const EMPTY_STREAM: StreamContent = { parts: [] };

/**
 * Returns the content after one more chunk. Text continues the text before it. An update of a known task replaces its title and status, and
 * is appended to its details, output and sources.
 */
export function withChunk(content: StreamContent, chunk: StreamChunk): StreamContent {
  if (chunk.type === "plan_update") return { ...content, planTitle: chunk.title };
  const { parts } = content;
  const index = parts.findIndex((part, at) => isContinuedBy(part, chunk, at === parts.length - 1));
  const before = parts[index];
  if (!before) return { ...content, parts: [...parts, chunk] };
  return { ...content, parts: parts.with(index, joined(before, chunk)) };
}

function isContinuedBy(part: StreamPart, chunk: StreamPart, isLast: boolean): boolean {
  if (part.type === "task_update") return chunk.type === "task_update" && chunk.id === part.id;
  return isLast && part.type === "markdown_text" && chunk.type === "markdown_text";
}

function joined(part: StreamPart, chunk: StreamPart): StreamPart {
  if (part.type === "markdown_text" && chunk.type === "markdown_text") return { ...part, text: part.text + chunk.text };
  if (part.type !== "task_update" || chunk.type !== "task_update") return chunk;
  return {
    ...chunk,
    details: appended(part.details, chunk.details),
    output: appended(part.output, chunk.output),
    sources: part.sources || chunk.sources ? [...(part.sources ?? []), ...(chunk.sources ?? [])] : undefined,
  };
}

function appended(before: string | undefined, more: string | undefined): string | undefined {
  return before === undefined ? more : before + (more ?? "");
}

/** Returns only the text, without tasks and blocks. */
export function streamText({ parts }: StreamContent): string {
  return parts.map((part) => (part.type === "markdown_text" ? part.text : "")).join("");
}

/** Returns the characters that count towards the limit of a streamed message: its text and its tasks' texts. */
export function streamLength({ parts, planTitle = "" }: StreamContent): number {
  return parts.reduce((sum, part) => {
    if (part.type === "markdown_text") return sum + part.text.length;
    if (part.type === "blocks") return sum;
    return sum + part.title.length + (part.details?.length ?? 0) + (part.output?.length ?? 0);
  }, planTitle.length);
}

/** Returns the message's blocks. A plan takes the place of its first task and contains all of them. */
export function streamBlocks(
  { parts, planTitle }: StreamContent,
  display: MessageStream["display"],
): Record<string, unknown>[] {
  const tasks = parts.filter((part) => part.type === "task_update");
  return parts.flatMap((part) => {
    if (part.type === "markdown_text") return [{ type: "markdown", text: part.text }];
    if (part.type === "blocks") return part.blocks;
    if (display !== "plan") return [taskCard(part)];
    return part === tasks[0] ? [{ type: "plan", title: planTitle ?? "Plan", tasks: tasks.map(taskCard) }] : [];
  });
}

/** See https://docs.slack.dev/reference/block-kit/blocks/task-card-block */
function taskCard({ id, title, status, details, output, sources }: StreamTask): Record<string, unknown> {
  return {
    type: "task_card",
    task_id: id,
    title,
    status,
    ...(details && { details: richTextBlock(details, `${id}-details`) }),
    ...(output && { output: richTextBlock(output, `${id}-output`) }),
    ...(sources?.length && { sources }),
  };
}
