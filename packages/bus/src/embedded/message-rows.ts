import { hash } from "node:crypto";
import { columnText } from "@crosszone/sql";
import { soleAddressee, type ConsumerGroups } from "../addressees.ts";
import { messageContext, type ColumnCodec } from "../codec/column-codec.ts";
import { keyOf } from "../codec/message-codec.ts";
import type { BusMessage, ChannelName } from "../bus-message.ts";
import type { MessageColumns } from "./bus-tables.ts";

/** A message as it is written for one group. */
export type NewMessageRow = MessageColumns & {
  readonly consumer_group: string;
  /** Of a consumer that has room for it: unlike that of any other row. It is granted unless an earlier message of the key is left. */
  readonly lease?: string | null;
};

/** A key may be any text: its digest is what a column holds. */
export const keyDigest = (channel: ChannelName, group: string, key: string): string =>
  hash("sha256", JSON.stringify([channel, group, key]), "base64url");

/** What a message is in any table of the bus; in the outbox it is of no group. Throws a `TypeError` for one that its channel does not carry. */
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

/** The columns of `MessageColumns` as a statement gets them, and the place by which rows are written in their order. */
export const placedColumns = {
  place: "bigint",
  channel: "text",
  key: "text",
  value: "text",
  headers: "text",
  team: "text",
} as const;

/** A row for each group that gets the message. */
export function messageRows(message: BusMessage, groups: ConsumerGroups, codec: ColumnCodec): NewMessageRow[] {
  const of = groups[message.channel] ?? [];
  if (of.length === 0) throw new TypeError(`no group is declared for ${message.channel}: nobody would get the message`);
  const sole = soleAddressee(message, groups);
  return (sole === undefined ? of : [sole]).map((consumer_group) => ({
    ...messageColumns(message, codec, consumer_group),
    consumer_group,
  }));
}
