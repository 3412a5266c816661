import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { RepliesQuery, SlackApi, SlackMessage } from "./slack-api.ts";
import { readFiles } from "./read-files.ts";

/** The `event_type` in the metadata of the app's messages. */
export const markType = "crosszone_task";

const message = z.object({
  ts: z.string(),
  text: z.string().default(""),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  files: z.unknown().optional(),
  metadata: z
    .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
    .optional()
    .catch(undefined),
});

/** Reads one page of a thread, without invalid messages. `mark` is present only on the app's own messages. */
export async function readReplies(
  client: WebClient,
  { thread_ts, cursor, latest, oldest, ...query }: RepliesQuery,
): ReturnType<SlackApi["replies"]> {
  const answer = await client.conversations.replies({
    ...query,
    ts: thread_ts,
    include_all_metadata: true,
    inclusive: true,
    ...(latest !== undefined && { latest }),
    ...(oldest !== undefined && { oldest }),
    ...(cursor !== undefined && { cursor }),
  });
  const next_cursor = answer.response_metadata?.next_cursor;
  const messages = (answer.messages ?? []).flatMap((raw) => {
    const read = message.safeParse(raw);
    return read.success ? [toMessage(read.data)] : [];
  });
  return { messages, ...(next_cursor && { next_cursor }) };
}

function toMessage({ ts, text, user, bot_id, files, metadata }: z.output<typeof message>): SlackMessage {
  return {
    ts,
    text,
    files: readFiles(files),
    ...(user !== undefined && { user }),
    ...(bot_id !== undefined && { bot_id }),
    ...(metadata?.event_type === markType && { mark: metadata.event_payload }),
  };
}
