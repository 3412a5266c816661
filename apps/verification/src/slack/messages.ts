import type { KnownBlock, WebClient } from "@slack/web-api";
import { z } from "zod";
import type { BelowText, MarkedMessage, MessageContent, RepliesQuery, SlackApi } from "./slack-api.ts";
import { readFiles } from "./files/read-file.ts";
import { notificationOf } from "./message-content.ts";

/** The `event_type` in the metadata of the app's messages. */
export const markType = "crosszone_task";

const message = z.object({
  ts: z.string(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  files: z.unknown().optional(),
  metadata: z
    .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
});

/** Reads one page of a thread or conversation, without invalid messages. `mark` is present only on the app's own messages. */
export async function readReplies(
  client: WebClient,
  { thread_ts, cursor, latest, oldest, ...query }: RepliesQuery,
): ReturnType<SlackApi["replies"]> {
  const page = { ...query, include_all_metadata: true, inclusive: true, latest, oldest, cursor };
  const answer = await (thread_ts === undefined
    ? client.conversations.history(page)
    : client.conversations.replies({ ...page, ts: thread_ts }));
  const next_cursor = answer.response_metadata?.next_cursor;
  const messages = (answer.messages ?? []).flatMap((raw) => {
    const { data } = message.safeParse(raw);
    if (data === undefined) return [];
    const { files, metadata, ...sent } = data;
    const mark = metadata?.event_type === markType ? metadata.event_payload : undefined;
    return { ...sent, files: readFiles(files), raw: { ...raw }, mark };
  });
  return { messages, ...(next_cursor && { next_cursor }) };
}

/** The arguments for the content of a message. */
type Written = { text: string } | { markdown_text: string } | { text: string; blocks: KnownBlock[] };

/**
 * Returns the arguments for a message. Edits have blocks, because Slack marks an edited message without them as edited. With blocks, `text` is
 * what notifications show; later questions read the blocks.
 */
export function contentOf(
  { mark, ...content }: MarkedMessage,
  { isEdit = false } = {},
): Written & { metadata: { event_type: string; event_payload: Record<string, string | number> } } {
  return { ...written(content, isEdit), metadata: { event_type: markType, event_payload: { ...mark } } };
}

function written(content: MessageContent, isEdit: boolean): Written {
  if ("text" in content)
    return content.blocks === undefined ? content : { text: content.text, blocks: [...content.blocks] };
  const { markdown_text, footer = "" } = content;
  const below = blocksBelow(content);
  if (below.length === 0 && (!isEdit || markdown_text === "")) return { markdown_text };
  const body = markdown_text === "" ? [] : [{ type: "markdown" as const, text: markdown_text }];
  return { text: notificationOf(markdown_text) || notificationOf(footer), blocks: [...body, ...below] };
}

/** Returns the blocks below a message's text: a small gray line, and what people can press. */
export function blocksBelow({ footer, controls = [] }: BelowText): KnownBlock[] {
  const line: KnownBlock[] =
    footer === undefined ? [] : [{ type: "context", elements: [{ type: "mrkdwn", text: footer }] }];
  return [...line, ...controls];
}
