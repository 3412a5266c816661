import type { Channel } from "../protocol/workspace.ts";

const kinds = { channel: "public", group: "private", im: "im", mpim: "mpim" } as const;

type Filter = { include?: string[]; exclude_external_shared_channels?: boolean; exclude_bot_users?: boolean };

/** Returns true if a menu offers a conversation to a person; every direct message is one with the app. The page uses this function too. */
export function offersConversation(
  { type, filter = {} }: { readonly type: string; readonly filter?: Filter },
  channel: Channel,
  user: string,
): boolean {
  const { kind, members, is_archived, is_ext_shared } = channel;
  const { include = type.endsWith("channels_select") ? ["public"] : Object.values(kinds) } = filter;
  if (filter.exclude_bot_users === true && kind === "im") return false;
  if (filter.exclude_external_shared_channels === true && is_ext_shared === true && kind !== "im") return false;
  return include.includes(kinds[kind]) && is_archived !== true && (kind === "channel" || members.includes(user));
}
