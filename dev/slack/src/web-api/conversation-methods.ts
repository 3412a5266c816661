import { z } from "zod";
import type { Channel, Message } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import { checkReachable, readableChannel, requireScope, SCOPE_PREFIX, toApiChannel } from "./channels.ts";
import { withMetadata } from "./chat-methods.ts";
import { flag, whole } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

/** The arguments of cursor pagination. See https://docs.slack.dev/apis/web-api/pagination */
const PAGE_ARGUMENTS = { cursor: z.string().optional(), limit: whole.optional() };

const TIMELINE = {
  ...PAGE_ARGUMENTS,
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: flag.optional(),
  include_all_metadata: flag.optional(),
};
type Timeline = z.infer<z.ZodObject<typeof TIMELINE>>;

const KIND_OF_TYPE: Readonly<Record<string, Channel["kind"]>> = {
  public_channel: "channel",
  private_channel: "group",
  mpim: "mpim",
  im: "im",
};

/** Methods of conversations. See https://docs.slack.dev/reference/methods?family=conversations */
export const CONVERSATION_METHODS: readonly WebMethod[] = [
  webMethod("conversations.info", {
    tier: "tier_3",
    args: z.object({ channel: z.string() }),
    run: (context, args) => {
      const channel = readableChannel(context, args.channel, "read");
      return { channel: toApiChannel(channel, context.state) };
    },
  }),

  webMethod("users.conversations", {
    tier: "tier_3",
    ofTeam: true,
    args: z.object({ ...PAGE_ARGUMENTS, types: z.string().optional(), exclude_archived: flag.optional() }),
    run: (context, args) => {
      const kinds = (args.types ?? "public_channel").split(",").map((type) => {
        const kind = KIND_OF_TYPE[type.trim()];
        if (kind === undefined) throw new SlackError("invalid_types");
        requireScope(context, [`${SCOPE_PREFIX[kind]}:read`]);
        return kind;
      });
      const { workspace, bot } = context.state.directory;
      const own = workspace.channels.filter(({ kind, members }) => kinds.includes(kind) && members.includes(bot.id));
      const all = args.exclude_archived ? own.filter(({ is_archived }) => !is_archived) : own;
      const { items, response_metadata } = pageOf(all, args, { items: 100 });
      return { channels: items.map((channel) => toApiChannel(channel, context.state)), response_metadata };
    },
  }),

  webMethod("conversations.open", {
    tier: "tier_3",
    scopes: ["im:write"],
    args: z.object({ users: z.string() }),
    run: ({ state: { directory } }, { users }) => {
      const user = directory.user(users);
      if (!user) throw new SlackError("user_not_found");
      checkReachable(user);
      return { channel: { id: directory.directMessage(users).id } };
    },
  }),

  webMethod("conversations.history", {
    tier: "tier_3",
    unlisted: "unlisted",
    args: z.object({ channel: z.string(), ...TIMELINE }),
    run: (context, args) => {
      const channel = readableChannel(context, args.channel, "history");
      const roots = context.state.messages
        .all(channel.id)
        .filter(({ thread_ts, subtype }) => thread_ts === undefined || subtype === "thread_broadcast")
        .filter(({ ephemeral_for }) => ephemeral_for === undefined);
      const { items, response_metadata } = pageOf(within(roots, args).toReversed(), args, historyPage(context, 100));
      return { ...shown(context, items, args), ...more(response_metadata) };
    },
  }),

  webMethod("conversations.replies", {
    tier: "tier_3",
    unlisted: "unlisted",
    args: z.object({ channel: z.string(), ts: z.string(), ...TIMELINE }),
    run: (context, args) => {
      const channel = readableChannel(context, args.channel, "history");
      const target = context.state.messages.find(channel.id, args.ts);
      const [parent, ...replies] = target
        ? context.state.messages.thread(channel.id, target.thread_ts ?? target.ts)
        : [];
      if (!parent) throw new SlackError("thread_not_found");
      const { items, response_metadata } = pageOf([parent, ...within(replies, args)], args, historyPage(context, 1000));
      return { ...shown(context, items, args), ...more(response_metadata) };
    },
  }),
];

/**
 * Returns the messages between `oldest` and `latest`, which themselves count only with `inclusive`. Throws `invalid_ts_oldest`,
 * `invalid_ts_latest`.
 */
function within(messages: readonly Message[], { oldest = "0", latest = "9999999999", inclusive }: Timeline): Message[] {
  const from = Number(oldest);
  const to = Number(latest);
  if (!Number.isFinite(from)) throw new SlackError("invalid_ts_oldest");
  if (!Number.isFinite(to)) throw new SlackError("invalid_ts_latest");
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= from && at <= to : at > from && at < to;
  });
}

/** Omits metadata unless requested. */
function shown(context: CallContext, messages: Message[], { include_all_metadata }: Timeline): Record<string, unknown> {
  const shape = (message: Message): Record<string, unknown> =>
    include_all_metadata ? withMetadata(message, context) : toApiMessage(message, context.state);
  return { messages: messages.map(shape) };
}

function more(response_metadata: { next_cursor: string }): Record<string, unknown> {
  const has_more = response_metadata.next_cursor !== "";
  return { has_more, ...(has_more && { response_metadata }) };
}

/** One page of a list, and the cursor of the next one (empty at the end). */
interface Page<T> {
  items: T[];
  response_metadata: { next_cursor: string };
}

/** The size of a page, if the app names none, and the largest one. */
interface PageSize {
  items: number;
  most?: number;
}

/** Returns the size of a page of messages. See https://docs.slack.dev/reference/methods/conversations.replies */
const historyPage = ({ state }: CallContext, items: number): PageSize =>
  state.directory.workspace.app.unlisted ? { items: 15, most: 15 } : { items };

/** Slack returns fewer items than `limit` at will; here this many at most. */
const MOST_ITEMS = 200;

/** Returns a page of a list. Throws `invalid_cursor`, `invalid_limit`. */
function pageOf<T>(
  all: readonly T[],
  args: { cursor?: string | undefined; limit?: number | undefined },
  { items: usual, most = MOST_ITEMS }: PageSize,
): Page<T> {
  const limit = args.limit ?? usual;
  if (limit < 1 || limit > 1000) throw new SlackError("invalid_limit");
  const start = args.cursor === undefined ? 0 : readCursor(args.cursor);
  const end = start + Math.min(limit, most);
  const next_cursor = end < all.length ? Buffer.from(`next:${end}`).toString("base64") : "";
  return { items: all.slice(start, end), response_metadata: { next_cursor } };
}

function readCursor(cursor: string): number {
  const start = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString())?.[1];
  if (start === undefined) throw new SlackError("invalid_cursor");
  return Number(start);
}
