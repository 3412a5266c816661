import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { RepliesQuery, SlackApi, SlackMessage, SlackFile, SlackFileInfo } from "./slack-api.ts";
import { SlackCallError } from "./slack-call-error.ts";

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
    latest,
    oldest,
    cursor,
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
    user,
    bot_id,
    ...(metadata?.event_type === markType && { mark: metadata.event_payload }),
  };
}

const messageFile = z.object({
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  mimetype: z.string().optional().catch(undefined),
  size: z.int().nonnegative().optional().catch(undefined),
});

/** Reads the `files` of a message, without their URLs and without invalid entries. */
export function readFiles(files: unknown): SlackFile[] {
  if (!Array.isArray(files)) return [];
  return files.flatMap((raw: unknown) => {
    const { success, data } = messageFile.safeParse(raw);
    if (!success) return [];
    const { id, name, mimetype, size } = data;
    return { id, name, mime_type: mimetype, size };
  });
}

const ids = z.array(z.string()).catch([]);
const shares = z.record(z.string(), z.unknown()).catch({});
const text = z.string().optional().catch(undefined);

const file = z.object({
  mimetype: z.string().catch(""),
  size: z.int().nonnegative().optional().catch(undefined),
  mode: text,
  is_external: z.boolean().catch(false),
  url_private_download: text,
  url_private: text,
  channels: ids,
  groups: ids,
  ims: ids,
  shares: z.object({ public: shares, private: shares }).catch({ public: {}, private: {} }),
});

/** Reads the `file` of `files.info`. Slack lists in two ways where a file is shared, and sometimes omits one. */
export function readFileInfo(raw: unknown): SlackFileInfo {
  const { success, data } = file.safeParse(raw);
  if (!success) throw new SlackCallError("files.info", { failure: "unavailable", code: "no_file" });
  const url = data.url_private_download ?? data.url_private;
  return {
    mime_type: data.mimetype,
    external: data.is_external || data.mode === "external",
    shared_in: [
      ...data.channels,
      ...data.groups,
      ...data.ims,
      ...Object.keys(data.shares.public),
      ...Object.keys(data.shares.private),
    ],
    size: data.size,
    ...(url !== undefined && url !== "" && { url }),
  };
}
