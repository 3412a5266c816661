import { hash } from "node:crypto";
import { columnText } from "@crosszone/sql";
import { soleAddressee, type ConsumerGroups } from "../addressees.ts";
import { messageContext, type ColumnCodec } from "../codec/column-codec.ts";
import { keyOf } from "../codec/message-codec.ts";
import type { BusMessage, ChannelName } from "../bus-message.ts";
import type { MessageColumns } from "./bus-tables.ts";

/** A message row of one group. */
export type NewMessageRow = MessageColumns & {
  readonly consumer_group: string;
  /** Unique lease id, set if a consumer has room. Granted if no earlier message of the key is left. */
  readonly lease?: string | null;
};

/** Returns the digest of a key for its column: a key can be any text. */
export const keyDigest = (channel: ChannelName, group: string, key: string): string =>
  hash("sha256", JSON.stringify([channel, group, key]), "base64url");

/**
 * Returns the columns of a message in any table of the bus; in the outbox it has no group. Throws a `TypeError` for a message that does not
 * match its channel.
 */
export function messageColumns(message: BusMessage, codec: ColumnCodec, group = ""): MessageColumns {
  const { channel, value, headers = {} } = message;
  const { "data-owner": team } = headers;
  const key = keyDigest(channel, group, keyOf(message));
  return {
    channel,
    key,
    value: codec.toColumn(value, messageContext({ channel, key })),
    headers: JSON.stringify(headers),
    team: team === undefined ? null : columnText(team),
  };
}

/** The columns of `MessageColumns` for statements, and the position that keeps rows in order. */
export const placedColumns = {
  place: "bigint",
  channel: "text",
  key: "text",
  value: "text",
  headers: "text",
  team: "text",
} as const;

/** Returns a row for each group that receives the message. */
export function messageRows(message: BusMessage, groups: ConsumerGroups, codec: ColumnCodec): NewMessageRow[] {
  const of = groups[message.channel] ?? [];
  if (of.length === 0)
    throw new TypeError(`no group is declared for ${message.channel}, so the message would reach no consumer`);
  const sole = soleAddressee(message, groups);
  return (sole === undefined ? of : [sole]).map((consumer_group) => ({
    ...messageColumns(message, codec, consumer_group),
    consumer_group,
  }));
}
