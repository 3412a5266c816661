import { z } from "zod";
import { toApiFile, toFileObject } from "../workspace/file-shape.ts";
import type { StoredFile } from "../workspace/file-store.ts";
import { checkWritable, visibleChannel } from "./channels.ts";
import { author, threadRoot } from "./chat-methods.ts";
import { structured, whole } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

/** Methods of files. See https://docs.slack.dev/messaging/working-with-files#upload */
export const FILE_METHODS: readonly WebMethod[] = [
  webMethod("files.getUploadURLExternal", {
    tier: "tier_4",
    scopes: ["files:write"],
    args: z.object({ filename: z.string(), length: whole, alt_txt: z.string().optional() }),
    run: ({ state, warn }, args) => {
      if (args.length < 1) throw new SlackError("missing_argument");
      const { file, ticket } = state.files.announce({
        name: args.filename,
        size: args.length,
        user: state.directory.bot.id,
        altText: args.alt_txt,
      });
      // Slack accepts it. Whoever can't see the image learns nothing of it.
      if (file.mimetype.startsWith("image/") && !args.alt_txt?.trim()) warn("image_without_alt_txt");
      return { upload_url: `${state.url}/upload/v1/${ticket}`, file_id: file.id };
    },
  }),

  webMethod("files.completeUploadExternal", {
    tier: "tier_4",
    scopes: ["files:write"],
    args: z.object({
      files: structured(z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1)),
      channel_id: z.string().optional(),
      thread_ts: z.string().optional(),
      initial_comment: z.string().optional(),
    }),
    run: (context, args) => {
      const { state } = context;
      const files = args.files.map(({ id, title }) => {
        const file = uploadedByBot(context, id);
        return Object.assign(file, { title: title ?? file.name });
      });
      if (args.channel_id !== undefined && context.sharesUploads) {
        const channel = checkWritable(context, visibleChannel(context, args.channel_id));
        const thread = threadRoot(context, channel.id, args.thread_ts);
        for (const file of files) state.files.share(file, channel.id);
        context.events.post({
          channel: channel.id,
          ...thread,
          ...author(context),
          text: args.initial_comment ?? "",
          files: files.map((file) => toFileObject(file, state)),
        });
        if (thread.thread_ts !== undefined)
          state.statuses.replied({ channel: channel.id, thread_ts: thread.thread_ts });
      }
      return { files: files.map(({ id, title }) => ({ id, title })) };
    },
  }),

  webMethod("files.info", {
    tier: "tier_4",
    scopes: ["files:read"],
    args: z.object({ file: z.string() }),
    run: (context, args) => {
      const file = context.state.files.find(args.file);
      if (!file?.bytes || !mayRead(context, file)) throw new SlackError("file_not_found");
      return { file: toApiFile(file, context.state), comments: [], response_metadata: { next_cursor: "" } };
    },
  }),
];

/** Returns true if the file belongs to the bot, or is shared in a conversation with the bot. */
export function mayRead({ state }: Pick<CallContext, "state">, file: StoredFile): boolean {
  const bot = state.directory.bot.id;
  return file.user === bot || file.sharedIn.some((id) => state.directory.channel(id)?.members.includes(bot));
}

function uploadedByBot({ state }: CallContext, id: string): StoredFile {
  const file = state.files.find(id);
  if (!file?.bytes || file.user !== state.directory.bot.id) throw new SlackError("file_not_found");
  return file;
}
