import { type BaseOptions, Producer } from "@platformatic/kafka";
import { BusUnavailableError, withTimeLimit, isTooLarge, MessageTooLargeError } from "./kafka-errors.ts";

export interface OutgoingRecord {
  readonly topic: string;
  readonly key: Buffer | undefined;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Well below the brokers' default limit of a batch (`message.max.bytes`, 1 MiB). */
const batchBytes = 500_000;

/** Publishes records in order. A failed producer is replaced by one with a new producer id, so that the broker's state of the old one does not matter. */
export function createKafkaPublisher(options: BaseOptions, publishMs: number) {
  let current: Producer | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const newProducer = (): Producer =>
    new Producer({ ...options, idempotent: true, retries: 3, timeout: publishMs, requestTimeout: publishMs });

  /** Returns why Kafka refuses a record, for each. Throws a `BusUnavailableError`. */
  async function send(records: readonly OutgoingRecord[]): Promise<(Error | undefined)[]> {
    const producer = (current ??= newProducer());
    try {
      await withTimeLimit(producer.send({ messages: records.map(toMessage) }), publishMs, "publishing");
      return records.map(() => undefined);
    } catch (error) {
      if (current === producer) current = undefined;
      // Without waiting for its running operations, which fail.
      producer.close(true).catch(() => undefined);
      if (!isTooLarge(error)) throw new BusUnavailableError(error);
      if (records.length > 1) return sendInOrder(records.map((record) => [record]));
      return records.map((record) => new MessageTooLargeError(record.topic, record.value.length));
    }
  }

  async function sendInOrder(parts: readonly (readonly OutgoingRecord[])[]): Promise<(Error | undefined)[]> {
    const problems: (Error | undefined)[] = [];
    for (const part of parts) problems.push(...(await send(part)));
    return problems;
  }

  async function publishAll(made: readonly (() => OutgoingRecord)[]): Promise<(Error | undefined)[]> {
    const records = made.map((make) => {
      try {
        return make();
      } catch (error) {
        return error as Error;
      }
    });
    const problems = await sendInOrder(batches(records.flatMap((one) => (one instanceof Error ? [] : one))));
    return records.map((one) => (one instanceof Error ? one : problems.shift()));
  }

  return {
    /**
     * Resolves when the records are on all in-sync replicas, with why one is refused, for each; also the error of making it. Throws a
     * `BusUnavailableError` after the timeout; some records may have been stored all the same.
     */
    publish: (made: readonly (() => OutgoingRecord)[]): Promise<readonly (Error | undefined)[]> => {
      const published = last.then(() => publishAll(made));
      last = published.catch(() => undefined);
      return published;
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
