import { z } from "zod";
import {
  EMPTY_STREAM,
  type LiveStream,
  type StreamChunk,
  streamBlocks,
  type StreamContent,
  streamLength,
  type StreamMode,
  streamText,
  withChunk,
} from "../workspace/stream-store.ts";
import { structured } from "./arguments.ts";
import { withIds } from "./interactive-elements.ts";
import { checkMessageBlocks } from "./message-limits.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import type { Channel, Message } from "../protocol/workspace.ts";
import { checkWritable, visibleChannel } from "./channels.ts";
import { ownMessage } from "./chat-methods.ts";
import type { CallContext } from "./web-method.ts";

/** The arguments with a stream's next content; exactly one of them is used. */
export const STREAMED_ARGUMENTS: { markdown_text: z.ZodOptional<z.ZodString>; chunks: z.ZodOptional<z.ZodType> } = {
  markdown_text: z.string().optional(),
  chunks: structured(z.unknown()).optional(),
};

/** The parsed arguments. */
export interface StreamedArguments {
  markdown_text?: string;
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
  checkLimits(content);
  return { mode: stream?.mode ?? mode, content };
}

function readContent({ markdown_text, chunks }: StreamedArguments): { mode: StreamMode; chunks: StreamChunk[] } {
  if (markdown_text !== undefined && chunks !== undefined)
    throw new SlackError("cannot_provide_both_markdown_text_and_chunks");
  if (markdown_text !== undefined) return { mode: "text", chunks: [{ type: "markdown_text", text: markdown_text }] };
  if (chunks === undefined) return { mode: undefined, chunks: [] };
  const read = CHUNKS.safeParse(chunks);
  if (read.success) return { mode: read.data.length > 0 ? "chunks" : undefined, chunks: read.data.map(withBlockIds) };
  const problems = read.error.issues.map(({ path, message }) => `${message} [json-pointer:/chunks/${path.join("/")}]`);
  throw errorWithMessages("invalid_chunks", problems);
}

const withBlockIds = (chunk: StreamChunk): StreamChunk =>
  chunk.type === "blocks" ? { ...chunk, blocks: withIds(chunk.blocks) } : chunk;

function checkLimits(content: StreamContent): void {
  checkMessageBlocks(countedBlocks(content), TOO_MANY_BLOCKS);
  if (streamText(content) !== "" && streamLength(content) > LONGEST_STREAM) throw new SlackError("msg_too_long");
}

/** What Slack answers when a streamed message has more than 50 blocks. */
export const TOO_MANY_BLOCKS = "msg_blocks_too_many";

/** Returns the blocks of a stream that count against the limits of a message: its text and its blocks, without tasks. */
export function countedBlocks({ parts }: StreamContent): Record<string, unknown>[] {
  return streamBlocks({ parts: parts.filter(({ type }) => type !== "task_update") }, "timeline");
}

/** The user who sees a stream while it grows; both members are required outside of direct messages. */
export interface StreamRecipient {
  recipient_user_id?: string;
  recipient_team_id?: string;
}

/**
 * Returns the conversation to stream in. Throws `channel_not_found`, `is_archived`, `not_in_channel`, `channel_type_not_supported` in a
 * conversation shared with another organization, `missing_recipient_user_id`, `missing_recipient_team_id`, `user_not_found`.
 */
export function streamChannel(context: CallContext, id: string, recipient: StreamRecipient): Channel {
  const channel = checkWritable(context, visibleChannel(context, id));
  if (channel.is_ext_shared || channel.is_pending_ext_shared) throw new SlackError("channel_type_not_supported");
  const { recipient_user_id: user_id, recipient_team_id: team_id } = recipient;
  if (channel.kind === "im" && user_id === undefined && team_id === undefined) return channel;
  if (user_id === undefined) throw new SlackError("missing_recipient_user_id");
  if (team_id === undefined) throw new SlackError("missing_recipient_team_id");
  const { directory } = context.state;
  const user = directory.user(user_id);
  if (!user || directory.teamOf(user) !== team_id) throw new SlackError("user_not_found");
  return channel;
}

/**
 * Returns a live streamed message and its stream. Throws `channel_not_found`, `is_archived`, `not_in_channel`, `message_not_found`,
 * `message_not_owned_by_app`, `message_not_in_streaming_state` once it has ended, and `whenStopped` if a person stopped it.
 */
export function liveStream(
  context: CallContext,
  place: { channel: string; ts: string },
  whenStopped = "message_not_in_streaming_state",
): { message: Message & Required<Pick<Message, "stream">>; stream: LiveStream } {
  const { state } = context;
  const { id } = checkWritable(context, visibleChannel(context, place.channel));
  const message = ownMessage(context, { channel: id, ts: place.ts }, "message_not_owned_by_app");
  if (message.stream?.state === "stopped") throw new SlackError(whenStopped);
  const stream = state.streams.find(message);
  if (!message.stream || !stream) throw new SlackError("message_not_in_streaming_state");
  return { message: { ...message, stream: message.stream }, stream };
}
