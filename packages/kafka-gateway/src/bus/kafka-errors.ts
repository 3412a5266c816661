import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";

/** Returns an error and all its causes. */
export function errorsIn(error: unknown): readonly Error[] {
  const pending: unknown[] = [error];
  const visited = new Set<Error>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!(next instanceof Error) || visited.has(next)) continue;
    visited.add(next);
    pending.push(next.cause);
    if (next instanceof AggregateError) pending.push(...next.errors);
  }
  return [...visited];
}

/** Returns Kafka's names of an error and of all its causes. https://kafka.apache.org/41/protocol#protocol_error_codes */
export const errorNames = (error: unknown): ReadonlySet<string> =>
  new Set(errorsIn(error).flatMap((one) => (one as { readonly apiId?: string }).apiId ?? []));

/** The bus is unreachable. The same messages can be published again later. */
export class BusUnavailableError extends Error {
  override readonly name = "BusUnavailableError";

  constructor(cause: unknown) {
    super("the bus is unreachable", { cause });
  }
}

export const isTooLarge = (error: unknown): boolean =>
  !errorNames(error).isDisjointFrom(new Set(["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"]));

/** Kafka will not accept a message with the current settings of its topic. */
export class MessageTooLargeError extends RangeError {
  override readonly name = "MessageTooLargeError";

  constructor(topic: string, bytes: number) {
    super(`a message of ${bytes} bytes exceeds Kafka's limit on ${topic}: raise max.message.bytes of the topic`);
  }
}

/** Kafka lacks topics that the bus needs. The message says how to create them. */
export class MissingTopicsError extends Error {
  override readonly name = "MissingTopicsError";

  constructor(topics: readonly string[], messageBytes: number) {
    const settings = `--partitions 12 --config max.message.bytes=${messageBytes}`;
    const commands = topics.map((topic) => `kafka-topics.sh --create --topic ${topic} ${settings}`);
    super(
      `Kafka has no topic ${topics.join(", ")}. Create the missing topics, or allow the zone to create them:\n${commands.join("\n")}`,
    );
  }
}

export type OutageReport = ReturnType<typeof createOutageReport>;

/** Reports an outage once, at its first failure; again after a recovery. */
export function createOutageReport(report: (error: unknown) => void) {
  let isAway = false;
  return {
    failed: (error: unknown): void => {
      if (!isAway) report(error);
      isAway = true;
    },
    worked: (): void => {
      isAway = false;
    },
  };
}

/** Returns the result of an operation, or rejects after `limitMs` milliseconds. The operation itself is not canceled. */
export const withTimeLimit = <T>(operation: Promise<T>, limitMs: number, what: string): Promise<T> =>
  withTimeout(limitMs, () => operation).catch((error: unknown) => {
    throw error instanceof TimeLimitError ? new Error(`${what} took longer than ${limitMs} ms`) : error;
  });
