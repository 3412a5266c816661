import type { KnownBlock, WebClient } from "@slack/web-api";
import { z } from "zod";
import { readFiles } from "./files/read-file.ts";
import { notificationOf } from "./notation.ts";
import type {
  BelowText,
  MarkedMessage,
  MessageContent,
  RepliesQuery,
  SlackApi,
  SlackChannel,
  SlackUser,
} from "./slack-api.ts";
import { SlackCallError } from "./slack-call-error.ts";

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

/** Reads one page of a thread or conversation, without invalid messages. Every app can write a `mark`. */
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
  return { messages, next_cursor: next_cursor || undefined };
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

/** Slack's errors for a person or place that does not exist, or that the app cannot see. */
const missing: ReadonlySet<string> = new Set([
  "team_not_found",
  "user_not_found",
  "user_not_visible",
  "users_not_found",
  "channel_not_found",
]);

/** Resolves with the result of a lookup; undefined if Slack says that it does not exist. Rejects with any other failure. */
export async function orMissing<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof SlackCallError && missing.has(error.code)) return undefined;
    throw error;
  }
}

const shortText = z.string().min(1).max(255).optional().catch(undefined);

/** Slack omits members that don't apply, such as the roles of a deactivated person. Mandatory members are required. */
const user = z.object({
  team_id: z.string(),
  deleted: z.boolean(),
  is_bot: z.boolean(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  real_name: shortText,
  tz: shortText,
  profile: z.object({ display_name: shortText }).optional().catch(undefined),
});

const channel = z.object({
  name: shortText,
  is_archived: z.boolean(),
  is_ext_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
  is_private: z.boolean().optional().catch(undefined),
});

/** Throws a `SlackCallError` if `raw` is not a user. */
export function readUser(raw: unknown): SlackUser {
  const { success, data } = user.safeParse(raw);
  if (!success) throw new SlackCallError("users.info", { failure: "unavailable", code: "unreadable_answer" });
  return {
    team_id: data.team_id,
    deleted: data.deleted,
    bot: data.is_bot,
    guest: data.is_restricted === true || data.is_ultra_restricted === true,
    stranger: data.is_stranger === true,
    name: data.real_name ?? data.profile?.display_name,
    tz: data.tz,
  };
}

/** Throws a `SlackCallError` if `raw` is not a conversation. */
export function readChannel(raw: unknown): SlackChannel {
  const { success, data } = channel.safeParse(raw);
  if (!success) throw new SlackCallError("conversations.info", { failure: "unavailable", code: "unreadable_answer" });
  return {
    name: data.name,
    archived: data.is_archived,
    shared: data.is_ext_shared === true || data.is_pending_ext_shared === true,
    isPrivate: data.is_private,
  };
}
