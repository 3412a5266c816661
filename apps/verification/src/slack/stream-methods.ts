import type { ChatStartStreamArguments } from "@slack/web-api";
import { footerBlock } from "./message-text.ts";
import { markType } from "./read-replies.ts";
import type { SlackApi, StreamChunk } from "./slack-api.ts";
import { SlackCallError } from "./slack-call-error.ts";
import type { CallSlack } from "./token-clients.ts";

/**
 * Makes the methods of streamed messages, which never retry. They always send chunks, because Slack refuses to change a stream's mode.
 * https://docs.slack.dev/reference/methods/chat.startStream
 */
export function streamMethods(calling: CallSlack): Pick<SlackApi, "startStream" | "appendStream" | "stopStream"> {
  return {
    startStream: ({ channel, thread_ts }, { chunks, recipient }) =>
      calling("chat.startStream", async ({ streaming }) => {
        const { ts } = await streaming.chat.startStream({
          channel,
          thread_ts,
          task_display_mode: "plan",
          chunks: listed(chunks),
          ...(recipient && { recipient_user_id: recipient.user_id, recipient_team_id: recipient.team_id }),
        });
        if (ts === undefined) throw new SlackCallError("chat.startStream", { failure: "unavailable", code: "no_ts" });
        return { ts };
      }),

    appendStream: ({ channel, ts }, chunks) =>
      calling("chat.appendStream", async ({ streaming }) => {
        await streaming.chat.appendStream({ channel, ts, chunks: listed(chunks) });
      }),

    stopStream: ({ channel, ts }, { mark, session_status, chunks = [], footer }) =>
      calling("chat.stopStream", async ({ streaming }) => {
        await streaming.chat.stopStream({
          channel,
          ts,
          session_status,
          metadata: { event_type: markType, event_payload: { ...mark } },
          ...(chunks.length > 0 && { chunks: listed(chunks) }),
          ...(footer !== undefined && { blocks: [footerBlock(footer)] }),
        });
      }),
  };
}

function listed(chunks: readonly StreamChunk[]): NonNullable<ChatStartStreamArguments["chunks"]> {
  return chunks.map((chunk) => ({ ...chunk }));
}
