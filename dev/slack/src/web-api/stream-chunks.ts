import { z } from "zod";
import {
  EMPTY_STREAM,
  type StreamChunk,
  type StreamContent,
  streamedBlocks,
  streamLength,
  streamText,
  withChunk,
} from "../workspace/stream-content.ts";
import type { LiveStream, StreamMode } from "../workspace/stream-store.ts";
import { checkBlocks, MOST_BLOCKS } from "./block-rules.ts";
import { LONGEST_MARKDOWN } from "./message-content.ts";
import { structured } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

/** The arguments with a stream's next content; exactly one of them is used. */
export const STREAMED_ARGUMENTS: { markdown_text: z.ZodOptional<z.ZodString>; chunks: z.ZodOptional<z.ZodType> } = {
  markdown_text: z.string().optional(),
  chunks: structured(z.unknown()).optional(),
};

/** The parsed arguments. */
export interface StreamedArguments {
  markdown_text?: string | undefined;
  chunks?: unknown;
}

const SOURCE = z.object({ type: z.literal("url"), url: z.string().min(1), text: z.string() });
const CHUNKS: z.ZodType<StreamChunk[]> = z.array(
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("markdown_text"), text: z.string() }),
    z.object({
      type: z.literal("task_update"),
      id: z.string().min(1),
      title: z.string().min(1),
      status: z.enum(["pending", "in_progress", "complete", "error"]),
      details: z.string().optional(),
      output: z.string().optional(),
      sources: z.array(SOURCE).optional(),
    }),
    z.object({ type: z.literal("plan_update"), title: z.string().min(1) }),
    z.object({ type: z.literal("blocks"), blocks: z.array(z.record(z.string(), z.unknown())).min(1) }),
  ]),
);

/**
 * Maximum characters of a streamed message with text: Slack documents the limit only for one call. Measured in
 * https://github.com/CopilotKit/CopilotKit/pull/6064.
 */
const LONGEST_STREAM = 12_000;

/**
 * Returns the stream with a call's content added. The first content determines its mode; an empty list of chunks is no content. Throws
 * `cannot_provide_both_markdown_text_and_chunks`, `streaming_mode_mismatch`, `invalid_chunks`, `msg_too_long`, `msg_blocks_too_many`,
 * `invalid_blocks`, `msg_blocks_too_long`.
 */
export function streamedFurther(args: StreamedArguments, stream?: LiveStream): LiveStream {
  const { mode, chunks } = readContent(args);
  if (stream?.mode !== undefined && mode !== undefined && mode !== stream.mode)
    throw new SlackError("streaming_mode_mismatch");
  const content = chunks.reduce(withChunk, stream?.content ?? EMPTY_STREAM);
  checkLimits(chunks, content);
  return { mode: stream?.mode ?? mode, content };
}

function readContent({ markdown_text, chunks }: StreamedArguments): { mode: StreamMode; chunks: StreamChunk[] } {
  if (markdown_text !== undefined && chunks !== undefined)
    throw new SlackError("cannot_provide_both_markdown_text_and_chunks");
  if (markdown_text !== undefined) return { mode: "text", chunks: [{ type: "markdown_text", text: markdown_text }] };
  if (chunks === undefined) return { mode: undefined, chunks: [] };
  const read = CHUNKS.safeParse(chunks);
  if (read.success) return { mode: read.data.length > 0 ? "chunks" : undefined, chunks: read.data };
  const problems = read.error.issues.map(({ path, message }) => `${message} [json-pointer:/chunks/${path.join("/")}]`);
  throw errorWithMessages("invalid_chunks", problems);
}

function checkLimits(chunks: readonly StreamChunk[], content: StreamContent): void {
  if (chunks.some((chunk) => chunk.type === "markdown_text" && chunk.text.length > LONGEST_MARKDOWN))
    throw new SlackError("msg_too_long");
  if (streamedBlocks(content) > MOST_BLOCKS) throw new SlackError("msg_blocks_too_many");
  for (const chunk of chunks) if (chunk.type === "blocks") checkBlocks(chunk.blocks);
  if (streamText(content) !== "" && streamLength(content) > LONGEST_STREAM) throw new SlackError("msg_too_long");
}
