import { z } from "zod";
import { toApiFile } from "../workspace/file-shape.ts";
import type { StoredFile } from "../workspace/file-store.ts";
import { mayRead } from "./file-methods.ts";
import { whole } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

/** The files of each of Slack's types; the other types exist in Slack but never here. */
const TYPES: Record<string, (file: StoredFile) => boolean> = {
  all: () => true,
  images: ({ mimetype }) => mimetype.startsWith("image/"),
  pdfs: ({ mimetype }) => mimetype === "application/pdf",
  zips: ({ mimetype }) => mimetype === "application/zip",
  snippets: ({ mimetype }) => mimetype.startsWith("text/"),
  spaces: () => false,
  gdocs: () => false,
};

/** Methods of existing files. See https://docs.slack.dev/reference/methods/files.list */
export const FILE_LIST_METHODS: readonly WebMethod[] = [
  webMethod("files.list", {
    tier: "tier_3",
    scopes: ["files:read"],
    args: z.object({
      channel: z.string().optional(),
      user: z.string().optional(),
      types: z.string().default("all"),
      ts_from: z.coerce.number().default(0),
      ts_to: z.coerce.number().default(Infinity),
      count: whole.default(100),
      page: whole.default(1),
    }),
    run: (context, args) => {
      const { state } = context;
      if (args.user !== undefined && !state.directory.user(args.user)) throw new SlackError("user_not_found");
      const isOfTypes = typeFilter(args.types);
      const found = state.files
        .all()
        .filter((file) => file.bytes !== undefined && mayRead(context, file) && isOfTypes(file))
        .filter(
          ({ user, sharedIn }) => (args.user ?? user) === user && (!args.channel || sharedIn.includes(args.channel)),
        )
        .filter(({ created }) => created >= args.ts_from && created <= args.ts_to)
        .toReversed();
      const count = Math.min(Math.max(args.count, 1), 200);
      const page = Math.max(args.page, 1);
      const shown = found.slice((page - 1) * count, page * count);
      return {
        files: shown.map((file) => toApiFile(file, state)),
        paging: { count, total: found.length, page, pages: Math.ceil(found.length / count) },
      };
    },
  }),

  webMethod("files.delete", {
    tier: "tier_3",
    scopes: ["files:write"],
    args: z.object({ file: z.string() }),
    run: (context, args) => {
      const { files, directory } = context.state;
      if (files.isDeleted(args.file)) throw new SlackError("file_deleted");
      const file = files.find(args.file);
      if (!file?.bytes || !mayRead(context, file)) throw new SlackError("file_not_found");
      if (file.user !== directory.bot.id) throw new SlackError("cant_delete_file");
      files.remove(file.id);
      for (const channel of file.sharedIn) takeFromMessages(context, channel, file.id);
      return {};
    },
  }),
];

/** Throws `unknown_type`. */
function typeFilter(types: string): (file: StoredFile) => boolean {
  const filters = types.split(",").map((type) => TYPES[type.trim()]);
  if (filters.includes(undefined)) throw new SlackError("unknown_type");
  return (file) => filters.some((isOfType) => isOfType?.(file));
}

/** Removes a file from messages, and deletes messages that contained only the file. */
function takeFromMessages({ state, events }: CallContext, channel: string, id: string): void {
  for (const message of state.messages.all(channel)) {
    const { files, ...rest } = message;
    if (!files?.some((file) => file.id === id)) continue;
    const left = files.filter((file) => file.id !== id);
    if (left.length === 0 && message.text === "" && !message.blocks) events.remove(message);
    else state.messages.replace({ ...rest, ...(left.length > 0 && { files: left }) });
  }
}
