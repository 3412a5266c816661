import type { Database } from "@crosszone/sql";
import { messageContext, type ColumnCodec } from "../codec/column-codec.ts";
import type { DeadLetters } from "../dead-letters.ts";
import type { ChannelName, MessageHeaders } from "../bus-message.ts";
import type { BusTables } from "./bus-tables.ts";
import { insertMessages } from "./insert-messages.ts";

const mostAtOnce = 100;

export function createEmbeddedDeadLetters(
  { db, engine, transaction }: Database<BusTables>,
  codec: ColumnCodec,
  /** Called when there may be messages. */
  wake: (channel: ChannelName) => void,
): DeadLetters {
  const bytesOf = (row: { readonly channel: string; readonly key: string; readonly value: string }): Uint8Array => {
    let text = row.value;
    try {
      text = JSON.stringify(codec.fromColumn(row.value, messageContext(row)));
    } catch {
      // Unchanged: its key may be missing, or it is not JSON.
    }
    return new TextEncoder().encode(text);
  };

  const replaySome = (channel: ChannelName, ids: readonly number[] | "all"): Promise<number> =>
    transaction(async (tx) => {
      const ofChannel = tx.selectFrom("bus_dead_letter").select("id").where("channel", "=", channel);
      const chosen = ids === "all" ? ofChannel : ofChannel.where("id", "in", ids);
      const rows = await tx
        .deleteFrom("bus_dead_letter")
        .where("id", "in", chosen.orderBy("id").limit(mostAtOnce))
        .returning(["id", "channel", "consumer_group", "key", "value", "headers", "team"])
        .execute();
      const inOrder = rows.toSorted((a, b) => a.id - b.id).map(({ id: _id, ...row }) => row);
      await insertMessages(tx, engine, { rows: inOrder });
      return rows.length;
    });

  return {
    list: async (channel, most) => {
      const rows = db.selectFrom("bus_dead_letter").selectAll().where("channel", "=", channel).orderBy("id");
      return (await rows.limit(most).execute()).map((row) => ({
        id: String(row.id),
        channel,
        group: row.consumer_group,
        reason: row.reason,
        attempts: row.attempts,
        at: row.dead_at,
        headers: JSON.parse(row.headers) as MessageHeaders,
        bytes: bytesOf(row),
      }));
    },

    replay: async (channel, ids) => {
      const known = ids === "all" ? [] : ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number);
      let replayed = 0;
      if (ids === "all") {
        for (let some = mostAtOnce; some === mostAtOnce; replayed += some) some = await replaySome(channel, "all");
      } else {
        for (let at = 0; at < known.length; at += mostAtOnce)
          replayed += await replaySome(channel, known.slice(at, at + mostAtOnce));
      }
      if (replayed > 0) wake(channel);
      return replayed;
    },
  };
}
