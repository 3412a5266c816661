import { richTextBlock } from "./slack-text.ts";

/** How a stream shows its tasks: cards between the text, one plan, or folded neighboring cards. */
export type TaskDisplay = "timeline" | "plan" | "dense";

/** A task from a `task_update` chunk. */
export interface StreamTask {
  id: string;
  title: string;
  status: "pending" | "in_progress" | "complete" | "error";
  details?: string | undefined;
  output?: string | undefined;
  sources?: { type: "url"; url: string; text: string }[] | undefined;
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

/** Returns the number of blocks from `blocks` chunks. */
export function streamedBlocks({ parts }: StreamContent): number {
  return parts.reduce((sum, part) => sum + (part.type === "blocks" ? part.blocks.length : 0), 0);
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
export function streamBlocks({ parts, planTitle }: StreamContent, display: TaskDisplay): Record<string, unknown>[] {
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
