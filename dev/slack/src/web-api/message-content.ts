import { z } from "zod";
import type { Message } from "../protocol/workspace.ts";
import { flag, structured } from "./arguments.ts";
import { withIds } from "./interactive-elements.ts";
import { checkAttachedBlocks, checkMessageBlocks } from "./message-limits.ts";
import { SlackError } from "./slack-error.ts";
import type { CallContext } from "./web-method.ts";

/** The arguments with a message's content, for posting and updating. */
export const CONTENT_ARGUMENTS: {
  text: z.ZodOptional<z.ZodString>;
  markdown_text: z.ZodOptional<z.ZodString>;
  blocks: z.ZodOptional<z.ZodType>;
  attachments: z.ZodOptional<z.ZodType>;
  metadata: z.ZodOptional<z.ZodType>;
  unfurl_links: z.ZodOptional<z.ZodType<boolean>>;
  unfurl_media: z.ZodOptional<z.ZodType<boolean>>;
} = {
  text: z.string().optional(),
  markdown_text: z.string().optional(),
  blocks: structured(z.unknown()).optional(),
  attachments: structured(z.unknown()).optional(),
  metadata: structured(z.unknown()).optional(),
  unfurl_links: flag.optional(),
  unfurl_media: flag.optional(),
};

/** The parsed arguments. */
export type ContentArguments = z.infer<z.ZodObject<typeof CONTENT_ARGUMENTS>>;

/** The part of a message that the app writes. */
export type MessageContent = Pick<
  Message,
  "text" | "markdown_text" | "blocks" | "attachments" | "metadata" | "unfurl_links" | "unfurl_media"
>;

const LONGEST_TEXT = 40_000;
const LARGEST_METADATA = 16 * 1024;
const MOST_ATTACHMENTS = 100;

/**
 * Returns the validated content of a message. `text` over 40,000 characters is cut, with the warning `message_truncated`. Throws `no_text`,
 * `markdown_text_conflict`, `msg_too_long`, `invalid_blocks_format`, `invalid_blocks`, `msg_blocks_too_long`, `invalid_attachments`,
 * `too_many_attachments`, `invalid_metadata_format`, `invalid_metadata_schema`, `metadata_too_large`. See
 * https://docs.slack.dev/reference/methods/chat.postMessage and https://docs.slack.dev/changelog/2018-truncating-really-long-messages
 */
export function messageContent(context: Pick<CallContext, "warn">, args: ContentArguments): MessageContent {
  const { markdown_text, unfurl_links, unfurl_media } = args;
  const blocks = blocksFrom(args.blocks);
  const attachments = attachmentsFrom(args.attachments);
  if (attachments) checkAttachedBlocks(attachments, blocks);
  const metadata = metadataFrom(args.metadata);
  if (markdown_text !== undefined) {
    if (args.text !== undefined || blocks) throw new SlackError("markdown_text_conflict");
    checkMessageBlocks([{ type: "markdown", text: markdown_text }]);
  }
  const text = markdown_text ?? args.text ?? "";
  if (text.trim() === "" && !blocks?.length && !attachments?.length) throw new SlackError("no_text");
  if (text.length > LONGEST_TEXT) context.warn("message_truncated");
  return {
    text: text.slice(0, LONGEST_TEXT),
    ...(markdown_text !== undefined && { markdown_text }),
    ...(blocks?.length && { blocks }),
    ...(attachments?.length && { attachments }),
    ...(metadata && { metadata }),
    ...(unfurl_links !== undefined && { unfurl_links }),
    ...(unfurl_media !== undefined && { unfurl_media }),
  };
}

/**
 * Returns the blocks of an argument, which follow those of a stream. Throws `invalid_blocks_format`, and what `checkMessageBlocks` throws for
 * all of them.
 */
export function blocksFrom(
  value: unknown,
  { before, tooMany }: { before?: Record<string, unknown>[]; tooMany?: string } = {},
): Record<string, unknown>[] | undefined {
  if (value === undefined) return undefined;
  const blocks = z.array(z.record(z.string(), z.unknown())).safeParse(value);
  if (!blocks.success) throw new SlackError("invalid_blocks_format");
  checkMessageBlocks([...(before ?? []), ...blocks.data], tooMany);
  return withIds(blocks.data);
}

function attachmentsFrom(value: unknown): Record<string, unknown>[] | undefined {
  if (value === undefined) return undefined;
  const attachments = z.array(z.record(z.string(), z.unknown())).safeParse(value);
  if (!attachments.success) throw new SlackError("invalid_attachments");
  if (attachments.data.length > MOST_ATTACHMENTS) throw new SlackError("too_many_attachments");
  return attachments.data;
}

/**
 * Returns the metadata of an argument; an empty object means none. Throws `invalid_metadata_format`, `invalid_metadata_schema`,
 * `metadata_too_large`. See https://docs.slack.dev/messaging/message-metadata
 */
export function metadataFrom(value: unknown): Message["metadata"] {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SlackError("invalid_metadata_format");
  if (Object.keys(value).length === 0) return undefined;
  const metadata = z
    .object({ event_type: z.string().min(1).max(255), event_payload: z.record(z.string(), z.unknown()) })
    .safeParse(value);
  if (!metadata.success) throw new SlackError("invalid_metadata_schema");
  if (Buffer.byteLength(JSON.stringify(metadata.data)) > LARGEST_METADATA) throw new SlackError("metadata_too_large");
  return metadata.data;
}
