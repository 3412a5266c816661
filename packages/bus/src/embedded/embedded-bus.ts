import { createGroupCommit, isOutOfRoom, isTransient, now, patiently, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { BusObserver } from "../bus-observer.ts";
import { BusUnavailableError } from "../bus-unavailable-error.ts";
import { plainColumns, type ColumnCodec } from "../codec/column-codec.ts";
import type { ChannelName } from "../bus-message.ts";
import type { MessageBus, QueueReading } from "../message-bus.ts";
import { defaultRedelivery, type Redelivery } from "../redelivery.ts";
import type { BusTables } from "./bus-tables.ts";
import { createEmbeddedDeadLetters } from "./embedded-dead-letters.ts";
import { forgetDeadLetters } from "./forget-dead-letters.ts";
import { insertMessages } from "./insert-messages.ts";
import { messageRows, type NewMessageRow } from "./message-rows.ts";
import type { ConsumerGroups } from "../addressees.ts";
import { createMessageStore } from "./message-store.ts";
import { offerMessages } from "./offer-messages.ts";
import { startConsumer, type Consumer } from "./start-consumer.ts";
import { createUndecidedMessages } from "./undecided-messages.ts";

/** Options of an embedded bus. */
export interface EmbeddedBusOptions<Tables extends BusTables> {
  /** A database with the tables of `busStep`. Stays open when the bus is closed. */
  readonly database: Database<Tables>;
  /** Must be the same in every process that shares the database. */
  readonly groups: ConsumerGroups;
  /** Seals stored messages. Default: unsealed JSON. */
  readonly codec?: ColumnCodec;
  readonly observer?: Partial<BusObserver>;
  readonly redelivery?: Partial<Redelivery>;
  /** Lease of a message: how long it stays with a crashed process, milliseconds (default 10 s). */
  readonly leaseMs?: number;
  /** Longest delay until a message of another process is found, milliseconds (default 500). */
  readonly idlePollMs?: number;
  /** Retention of dead letters, milliseconds (default 14 days). Subscribers delete expired ones. */
  readonly deadLetterMs?: number;
  /** How long an operation is retried while the database is unreachable, milliseconds (default 1,000). */
  readonly patienceMs?: number;
}

/** Creates a bus in the zone's own database. It needs no broker, and every process that opens the database shares it. */
export function createEmbeddedBus<Tables extends BusTables>({
  groups,
  codec = plainColumns,
  observer = {},
  redelivery,
  leaseMs = 10_000,
  idlePollMs = 500,
  deadLetterMs = 14 * 86_400_000,
  patienceMs = 1_000,
  ...options
}: EmbeddedBusOptions<Tables>): MessageBus {
  // It uses only its own tables.
  const database = options.database as unknown as Database<BusTables>;
  const { db, engine } = database;
  const store = createMessageStore(database, leaseMs);
  const undecided = createUndecidedMessages(database);
  let stopForgetting: (() => Promise<void>) | undefined;
  const consumers = new Set<Consumer>();
  const reach = <T>(operation: () => Promise<T>): Promise<T> =>
    patiently(operation, { budgetMs: patienceMs }).catch((cause: unknown) => {
      throw isTransient(cause) || isOutOfRoom(cause) ? new BusUnavailableError(cause) : cause;
    });
  const insert = createGroupCommit(
    async (groupOfRows: readonly (readonly NewMessageRow[])[]) => {
      const offer = offerMessages(consumers, groupOfRows.flat(), leaseMs);
      const { rows } = offer;
      try {
        offer.accept(await insertMessages(db, engine, { rows, leaseMs }));
      } catch (error) {
        offer.withdraw();
        throw error;
      }
      return groupOfRows.map(() => undefined);
    },
    { sizeOf: (rows) => rows.reduce((sum, { value }) => sum + value.length, 0) },
  );

  return {
    kind: "embedded",

    publish: async (messages) => {
      const rows = messages.flatMap((message) => messageRows(message, groups, codec));
      if (rows.length === 0) return;
      await reach(() => insert(rows));
    },

    subscribe: async (channel, { group, concurrency, ...handlers }) => {
      if (!groups[channel]?.includes(group))
        throw new TypeError(`the group ${group} is not declared for ${channel}, so it would receive no messages`);
      stopForgetting ??= forgetDeadLetters(database, deadLetterMs);
      const consumer = startConsumer({
        place: { channel, group },
        options: handlers,
        store,
        codec,
        observer,
        redelivery: { ...defaultRedelivery, ...redelivery },
        concurrency,
        leaseMs,
        idlePollMs,
      });
      consumers.add(consumer);
      return { close: (graceMs) => consumer.close(graceMs).finally(() => consumers.delete(consumer)) };
    },

    outbox: {
      add: async (transaction, messages) => {
        const offer = offerMessages(
          consumers,
          messages.flatMap((message) => messageRows(message, groups, codec)),
          leaseMs,
        );
        const { rows } = offer;
        try {
          undecided.add(transaction, offer, await insertMessages(transaction, engine, { rows, leaseMs }));
        } catch (error) {
          offer.withdraw();
          throw error;
        }
      },
      wake: (committed) => (committed === undefined ? undecided.look() : undecided.committed(committed)),
    },

    deadLetters: createEmbeddedDeadLetters(database, codec, (channel) => {
      for (const consumer of consumers) if (consumer.channel === channel) consumer.wake();
    }),

    readQueues: () =>
      reach(async () => {
        // Counts in the index only; the oldest message is the first in it.
        const { rows } = await sql<{ channel: string; group: string; waiting: number; oldest_ms: number }>`
          select channel, consumer_group as "group", waiting, ${now(engine)} - (
            select published_at from bus_message m where m.id = counted.oldest) as oldest_ms
          from (
            select channel, consumer_group, count(*) as waiting, min(id) as oldest
            from bus_message group by channel, consumer_group) as counted`.execute(db);
        const found = new Map(rows.map((row) => [`${row.channel} ${row.group}`, row]));
        return Object.entries(groups).flatMap(([channel, of]) =>
          of.map((group): QueueReading => {
            const { waiting = 0, oldest_ms: oldestMs = 0 } = found.get(`${channel} ${group}`) ?? {};
            return { channel: channel as ChannelName, group, waiting, oldestMs: Math.max(0, oldestMs) };
          }),
        );
      }),

    ping: () => database.ping(),

    close: async () => {
      await undecided.close();
      await Promise.all([stopForgetting?.(), ...[...consumers].map((consumer) => consumer.close())]);
      consumers.clear();
    },
  };
}
