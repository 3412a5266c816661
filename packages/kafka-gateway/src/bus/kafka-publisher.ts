import { createGroupCommit } from "@crosszone/sql";
import { type BaseOptions, Producer } from "@platformatic/kafka";
import { BusUnavailableError, withTimeLimit, isTooLarge, MessageTooLargeError } from "./kafka-errors.ts";

export interface OutgoingRecord {
  readonly topic: string;
  readonly key: Buffer | undefined;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export type KafkaPublisher = ReturnType<typeof createKafkaPublisher>;

/** Well below the brokers' default limit of a batch (`message.max.bytes`, 1 MiB). */
const batchBytes = 500_000;

/**
 * Sends concurrent publishes in one batch. A failed producer is replaced by one with a new producer id, so that the broker's state of the
 * old one does not matter.
 */
export function createKafkaPublisher(options: BaseOptions, publishMs: number) {
  let current: Producer | undefined;
  const newProducer = (): Producer =>
    new Producer({ ...options, idempotent: true, retries: 3, timeout: publishMs, requestTimeout: publishMs });

  async function send(records: readonly OutgoingRecord[]): Promise<void> {
    const producer = (current ??= newProducer());
    try {
      await withTimeLimit(producer.send({ messages: records.map(toMessage) }), publishMs, "publishing");
    } catch (error) {
      if (current === producer) current = undefined;
      // Without waiting for its running operations, which fail.
      producer.close(true).catch(() => undefined);
      throw error;
    }
  }

  /** Returns the error of each record. Does not throw: a failed group must not be retried in halves. */
  async function sendAll(records: readonly OutgoingRecord[]): Promise<(Error | undefined)[]> {
    try {
      await send(records);
      return records.map(() => undefined);
    } catch (error) {
      if (!isTooLarge(error)) return records.map(() => new BusUnavailableError(error));
      if (records.length > 1) return sendInOrder(records.map((record) => [record]));
      return records.map((record) => new MessageTooLargeError(record.topic, record.value.length));
    }
  }

  /** Sends one batch after another. After an outage, later batches fail at once, so that none overtakes or waits. */
  async function sendInOrder(parts: readonly (readonly OutgoingRecord[])[]): Promise<(Error | undefined)[]> {
    const problems: (Error | undefined)[] = [];
    for (const part of parts) {
      const outage = problems.find((problem) => problem instanceof BusUnavailableError);
      const found = outage === undefined ? await sendAll(part) : part.map(() => outage);
      problems.push(...found);
    }
    return problems;
  }

  const commit = createGroupCommit((group: readonly OutgoingRecord[]) => sendInOrder(batches(group)));

  return {
    /**
     * Resolves when all records are on all in-sync replicas. Throws a `BusUnavailableError` after the timeout; some records may have been
     * stored all the same. Throws a `MessageTooLargeError` when the other records are stored.
     */
    publish: async (records: readonly OutgoingRecord[]): Promise<void> => {
      const problems = await Promise.all(records.map((record) => commit(record)));
      const found = problems.filter((one) => one !== undefined);
      const problem = found.find((one) => one instanceof BusUnavailableError) ?? found[0];
      if (problem !== undefined) throw problem;
    },
    close: async (): Promise<void> => {
      const producer = current;
      current = undefined;
      if (producer !== undefined) await withTimeLimit(producer.close(true), 5_000, "closing").catch(() => undefined);
    },
  };
}

function toMessage({ topic, key, value, headers }: OutgoingRecord) {
  const pairs = Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const);
  return { topic, value, headers: new Map(pairs), key };
}

const sizeOf = ({ key, value, headers }: OutgoingRecord): number =>
  value.length + (key?.length ?? 0) + 100 + Object.entries(headers).flat().join("").length;

/** Splits records into batches in order. A record that is larger than a batch is sent alone. */
function batches(records: readonly OutgoingRecord[]): OutgoingRecord[][] {
  const all: OutgoingRecord[][] = [];
  let bytes = Infinity;
  for (const record of records) {
    const size = sizeOf(record);
    if (bytes + size > batchBytes) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)?.push(record);
    bytes += size;
  }
  return all;
}
