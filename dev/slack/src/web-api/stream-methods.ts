import { z } from "zod";
import type { Message } from "../protocol/workspace.ts";
import { type LiveStream, streamBlocks, streamText } from "../workspace/stream-store.ts";
import { author, threadRoot, withMetadata } from "./chat-methods.ts";
import { blocksFrom, metadataFrom } from "./message-content.ts";
import { structured } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import {
  countedBlocks,
  liveStream,
  streamChannel,
  STREAMED_ARGUMENTS,
  streamedFurther,
  TOO_MANY_BLOCKS,
} from "./stream-chunks.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

const PLACE = { channel: z.string(), ts: z.string() };

/**
 * Methods of streamed messages. The app gets events for a stream's start (`message`) and end (`message_changed`), and none in between. See
 * https://docs.slack.dev/reference/methods/chat.startStream
 */
export const STREAM_METHODS: readonly WebMethod[] = [
  webMethod("chat.startStream", {
    tier: "tier_2",
    scopes: ["chat:write"],
    args: z.object({
      channel: z.string(),
      thread_ts: z.string().optional(),
      recipient_user_id: z.string().optional(),
      recipient_team_id: z.string().optional(),
      task_display_mode: z.enum(["timeline", "plan", "dense"]).default("timeline"),
      ...STREAMED_ARGUMENTS,
    }),
    run: (context, args) => {
      const { state, events } = context;
      const stream = streamedFurther(args);
      const channel = streamChannel(context, args.channel, args);
      const { thread_ts } = threadRoot(context, channel.id, args.thread_ts);
      if (thread_ts === undefined)
        throw errorWithMessages("invalid_thread_ts", ["a stream is a reply in a thread that exists"]);
      const { recipient_user_id: recipient, task_display_mode: display } = args;
      const shown = { state: "in_progress", display, recipient } as const;
      const place = { channel: channel.id, thread_ts };
      const message = events.post({ ...grown({ ...place, ...author(context), text: "", stream: shown }, stream) });
      state.streams.begin(message, stream);
      state.statuses.set(place, "processing", "session");
      return { channel: channel.id, ts: message.ts };
    },
  }),

  webMethod("chat.appendStream", {
    tier: "tier_4",
    scopes: ["chat:write"],
    args: z.object({ ...PLACE, ...STREAMED_ARGUMENTS }),
    run: (context, args) => {
      const { message, stream } = liveStream(context, args, "stopped_by_user");
      const further = streamedFurther(args, stream);
      if (further.content === stream.content) throw new SlackError("no_text");
      context.state.streams.grow(message, further);
      context.state.messages.replace(grown(message, further));
      return { channel: message.channel, ts: message.ts };
    },
  }),

  webMethod("chat.stopStream", {
    tier: "tier_2",
    scopes: ["chat:write"],
    args: z.object({
      ...PLACE,
      ...STREAMED_ARGUMENTS,
      blocks: structured(z.unknown()).optional(),
      metadata: structured(z.unknown()).optional(),
      session_status: z.enum(["active", "processing", "suspended", "closed"]).default("active"),
    }),
    run: (context, args) => {
      const { state, events } = context;
      const { message, stream } = liveStream(context, args);
      const further = streamedFurther(args, stream);
      const limits = { before: countedBlocks(further.content), tooMany: TOO_MANY_BLOCKS };
      const last = blocksFrom(args.blocks, limits) ?? [];
      const metadata = metadataFrom(args.metadata);
      const { text, blocks = [], ...rest } = grown(message, further);
      if (text === "" && blocks.length + last.length === 0) throw new SlackError("no_text");
      const continues = args.session_status === "processing" && { continues: true as const };
      const final: Message = {
        ...rest,
        text,
        blocks: [...blocks, ...last],
        ...(metadata && { metadata }),
        stream: { ...message.stream, state: "completed", ...continues },
      };
      state.streams.end(message);
      events.change(final);
      const { channel, ts, thread_ts = ts } = message;
      state.statuses.set({ channel, thread_ts }, args.session_status, "session");
      return { channel, ts, message: withMetadata(final, context) };
    },
  }),
];

/** Returns the message with a stream's content. */
function grown<T extends Pick<Message, "text" | "stream" | "blocks">>(message: T, { content }: LiveStream): T {
  const text = streamText(content);
  const blocks = streamBlocks(content, message.stream?.display ?? "timeline");
  return { ...message, text, ...(text !== "" && { markdown_text: text }), ...(blocks.length > 0 && { blocks }) };
}
