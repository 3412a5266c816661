import { AgentFailure, failureResult, type ResultIds } from "@crosszone/agent-bridge";
import { type CallHeaders, callId, type ExecutionColumn, ownerColumn } from "@crosszone/agent-calls";
import { createAlarm, type JobStore, type NewMessage, type WaitingMessage } from "@crosszone/jobs";
import { isKeyMissing, type RecordCodec } from "@crosszone/service-kit";
import { backoffMs, retry } from "@crosszone/service-kit/timing";
import type { Database } from "@crosszone/sql";
import { setTimeout as delay } from "node:timers/promises";
import type { BusEmit, BusMessage, ChannelName, KafkaBus } from "../bus/kafka-bus.ts";
import { BusUnavailableError, createOutageReport, withTimeLimit } from "../bus/kafka-errors.ts";
import { type DeadLetterTables, insertLetter, messageContext, outboxGroup } from "./dead-letters.ts";

/** What is readable of a message in the outbox without a key. */
interface OutboxRecord {
  readonly ids: ResultIds;
  readonly headers: CallHeaders;
}

type OutboxRow = Pick<WaitingMessage, "channel" | "record">;

/** Returns the context that the value of a message in the outbox is bound to. */
export const outboxContext = ({ channel, record }: OutboxRow): string =>
  messageContext({ channel, key: callId((JSON.parse(record) as OutboxRecord).ids) });

/** Returns a message as it is stored until it is published. */
export function toOutbox({ channel, value, headers = {} }: BusMessage, codec: RecordCodec): NewMessage {
  const { run_id, task_id, correlation_id } = value;
  const record = JSON.stringify({ ids: { run_id, task_id, correlation_id }, headers } satisfies OutboxRecord);
  const sealed = codec.toColumn(value, outboxContext({ channel, record }));
  return { channel, record, value: sealed, team: ownerColumn(headers) };
}

interface PublishingDeps {
  readonly store: JobStore<ExecutionColumn>;
  readonly bus: KafkaBus;
  readonly codec: RecordCodec;
  readonly emit: BusEmit;
  readonly database: Database<DeadLetterTables>;
}

/** A message of the outbox, or why it can't be read. */
type ReadRow = WaitingMessage &
  ({ readonly message: BusMessage } | { readonly message?: never; readonly error: Error });

const backoff = { firstMs: 50, longestMs: 2_000 };

/** How often to look for messages that ended processes left, milliseconds. */
const adoptMs = 1_000;

function readRow(row: WaitingMessage, codec: RecordCodec): ReadRow {
  const channel = row.channel as ChannelName;
  const { headers } = JSON.parse(row.record) as OutboxRecord;
  try {
    const value = codec.fromColumn(row.value, outboxContext(row));
    return { ...row, message: { channel, value, headers } as BusMessage };
  } catch (error) {
    return { ...row, error: isKeyMissing(error) ? error : new Error("the message can't be read or unsealed") };
  }
}

/** Stores a message that can't be published as a dead letter, and a failure for those who wait. */
async function refuse(deps: PublishingDeps, row: ReadRow, reason: string): Promise<void> {
  const { store, codec, emit } = deps;
  const { message, record, sequence, value } = row;
  const channel = row.channel as ChannelName;
  const { ids, headers } = JSON.parse(record) as OutboxRecord;
  const failure = failureFor(channel, message !== undefined);
  if (failure !== undefined) {
    const instead = { channel: "agent_results", value: failureResult(ids, failure), headers } as const;
    await store.outbox.add([toOutbox(instead, codec)]);
  }
  const bytes = Buffer.from(message === undefined ? value : JSON.stringify(message.value));
  const letter = {
    channel,
    group: outboxGroup,
    source: `${outboxGroup} ${sequence}`,
    bytes,
    headers,
    reason,
    attempts: 1,
  };
  await deps.database.batch([insertLetter(deps.database, letter, codec)]);
  emit("bus_message_dead", { channel, group: outboxGroup, attempt: 1, because: reason });
}

/** Publishes what is in the outbox, in order: what came during one request to Kafka is in the next one. */
export function createPublishing(deps: PublishingDeps) {
  const { store, bus, codec, emit } = deps;
  const [alarm, stopping, stopped] = [createAlarm(), new AbortController(), new AbortController()];
  const outage = createOutageReport((cause) =>
    emit("bus_unreachable", { channel: "agent_results", group: outboxGroup, cause }),
  );
  let publishing: Promise<void> | undefined;

  /** Leaves those whose key is missing to other processes. Returns the others. */
  async function publish(rows: readonly WaitingMessage[]): Promise<readonly WaitingMessage[]> {
    const read = rows.map((row) => readRow(row, codec));
    const isLeft = (row: ReadRow): boolean => row.message === undefined && isKeyMissing(row.error);
    await store.outbox.leave(read.filter(isLeft));
    const all = read.filter((row) => !isLeft(row));
    const problems = [...(await bus.publish(all.flatMap(({ message }) => message ?? [])))];
    for (const row of all) {
      const problem = row.message === undefined ? row.error : problems.shift();
      if (problem !== undefined) await refuse(deps, row, problem.message);
    }
    return all;
  }

  /** The messages that Kafka has, which are being deleted. */
  let left: readonly WaitingMessage[] = [];
  let removing: Promise<void> | undefined;
  const remove = async (): Promise<void> => {
    while (left.length > 0 && !stopped.signal.aborted) {
      const gone = left;
      await retry(() => store.outbox.remove(gone), { ...backoff, signal: stopped.signal });
      left = left.slice(gone.length);
    }
  };

  /** Publishes the next messages. Returns whether there were any. */
  async function publishNext(): Promise<boolean> {
    const next = await store.outbox.next(left);
    if (next.length === 0) return false;
    left = [...left, ...(await publish(next))];
    removing ??= remove()
      .catch(() => undefined)
      .finally(() => (removing = undefined));
    return true;
  }

  async function keepPublishing(): Promise<void> {
    let [failures, adoptAt] = [0, -Infinity];
    while (!stopped.signal.aborted) {
      try {
        if (performance.now() >= adoptAt) {
          await store.outbox.adopt();
          adoptAt = performance.now() + adoptMs;
        }
        if (!(await publishNext())) {
          if (stopping.signal.aborted) return await removing;
          await alarm.sleep(adoptMs);
        }
        outage.worked();
        failures = 0;
      } catch (error) {
        if (error instanceof BusUnavailableError) outage.failed(error);
        else emit("bus_store_failed", { operation: "publish", cause: error });
        failures += 1;
        await delay(backoffMs(backoff, failures), undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  }

  return {
    start: (): void => {
      publishing ??= keepPublishing();
    },
    /** There may be something in the outbox. */
    wake: alarm.wake,
    /** Publishes what waits within `graceMs` milliseconds, and leaves the rest to others. */
    stop: async (graceMs: number): Promise<void> => {
      stopping.abort();
      alarm.wake();
      await withTimeLimit(Promise.resolve(publishing), graceMs, "publishing").catch(() => undefined);
      stopped.abort();
      await publishing;
    },
  };
}

export type Publishing = ReturnType<typeof createPublishing>;

/** Returns the failure for those who wait for a task or a result that can't be published; undefined for other messages. */
function failureFor(channel: ChannelName, isReadable: boolean): AgentFailure | undefined {
  if (channel === "agent_cancellations") return undefined;
  const what = channel === "agent_tasks" ? "task's input" : "agent's result";
  if (!isReadable) return new AgentFailure("internal", `The ${what} was modified and can't be decrypted.`);
  return channel === "agent_tasks"
    ? new AgentFailure("invalid_task", "The task is larger than the bus accepts.")
    : new AgentFailure("response_too_large", "The agent's answer is larger than the bus accepts.");
}
