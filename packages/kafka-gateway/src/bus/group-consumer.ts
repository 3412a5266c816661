import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import { outageOf } from "@crosszone/sql";
import { type BaseOptions, Consumer, type Message, type MessagesStream } from "@platformatic/kafka";
import type { BusEmit, ChannelName, ConsumeOptions, Subscription } from "./kafka-bus.ts";
import { createOutageReport, type OutageReport, withTimeLimit } from "./kafka-errors.ts";
import { type FetchedMessage, readMessages } from "./read-messages.ts";

type Stream = MessagesStream<Buffer, Buffer, Buffer, Buffer>;

/** The reading of one generation of the group. */
interface Reading {
  readonly controller: AbortController;
  readonly stream: Stream;
  /** The offset of the next message to store, by partition; absent until the committed offsets are read. */
  readonly next: Map<number, bigint>;
  done: Promise<void>;
}

/** How fetched messages are delivered again after they could not be stored. */
export interface Redelivery extends Backoff {
  /** A message becomes a dead letter after this many deliveries by itself. Those during an outage of the database do not count. */
  readonly mostAttempts: number;
}

/** A message that can never be stored delays those after it for a few seconds. */
export const defaultRedelivery: Redelivery = { firstMs: 100, longestMs: 30_000, mostAttempts: 5 };

const rejoin: Backoff = { firstMs: 100, longestMs: 5_000 };
const lastStepMs = 5_000;
const commitAgainMs = 200;

/** What is stored in one transaction at most. */
const most = { messages: 500, bytes: 4_000_000 };

interface ConsumerDeps<Name extends ChannelName> {
  readonly client: BaseOptions;
  readonly channel: Name;
  readonly topic: string;
  readonly groupId: string;
  readonly options: ConsumeOptions<Name>;
  readonly emit: BusEmit;
  readonly redelivery: Redelivery;
  /** Timeouts for a silent consumer, whose partitions are then reassigned, and for a rebalance; milliseconds. */
  readonly times: { readonly sessionMs: number; readonly rebalanceMs: number };
}

/**
 * Stores messages, in order, and repeats that until they are stored. If only some can't be, they are found by halves: such a message is stored
 * as a dead letter. Returns false when `signal` is aborted before.
 */
async function storeFetched<Name extends ChannelName>(
  deps: ConsumerDeps<Name>,
  messages: readonly FetchedMessage<Name>[],
  signal: AbortSignal,
): Promise<boolean> {
  const { channel, options, emit, redelivery } = deps;
  const place = { channel, group: options.group };
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const startedAt = performance.now();
    try {
      await options.store({
        messages: messages.flatMap(({ delivery }) => delivery ?? []),
        letters: messages.flatMap(({ delivery, letter }) => (delivery ? [] : letter)),
      });
      const handled = { ...place, attempt, duration_ms: performance.now() - startedAt };
      for (const { delivery, letter } of messages)
        if (delivery) emit("bus_message_handled", handled);
        else emit("bus_message_dead", { ...place, attempt: letter.attempts, because: letter.reason });
      return true;
    } catch (error) {
      const isOutage = outageOf(error) !== undefined;
      const [first] = messages;
      if (!isOutage && messages.length > 1) {
        const half = Math.ceil(messages.length / 2);
        const isStored = await storeFetched(deps, messages.slice(0, half), signal);
        return isStored && storeFetched(deps, messages.slice(half), signal);
      }
      if (!isOutage && attempt >= redelivery.mostAttempts && first?.delivery !== undefined) {
        // An error can quote people's text, so only its name is stored.
        const reason = `all deliveries failed, the last one with ${error instanceof Error ? error.name : "no error"}`;
        const letter = { ...first.letter, reason, attempts: attempt };
        return storeFetched(deps, [{ delivery: undefined, letter }], signal);
      }
      const retryAfterMs = backoffMs(redelivery, attempt);
      emit("bus_message_failed", { ...place, attempt, again_in_ms: Math.round(retryAfterMs), cause: error });
      await delay(retryAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return false;
}

/** Returns a fetched message and those that were fetched with it. */
function takeFetched(stream: Stream, first: Message): Message[] {
  const taken = [first];
  for (let bytes = first.value.length; taken.length < most.messages && bytes < most.bytes;) {
    const next = stream.read() as Message | null;
    if (next === null) break;
    bytes += (next.value as Buffer | null)?.length ?? 0;
    taken.push(next);
  }
  return taken;
}

/**
 * Consumes a topic as a member of its group, until the first failure of Kafka. Messages are stored in the order of their partition, and the
 * offsets of what is stored are committed, one request at a time.
 */
class GroupMember<Name extends ChannelName> {
  readonly #deps: ConsumerDeps<Name>;
  readonly #outage: OutageReport;
  readonly #consumer: Consumer;
  readonly #timeoutMs: number;
  readonly #end = Promise.withResolvers<Error | undefined>();
  /** To commit, of the next message, by partition. */
  readonly #offsets = new Map<number, bigint>();
  readonly #committed = new Map<number, bigint>();
  #reading: Reading | undefined;
  #storing: Promise<void> | undefined;
  #committing: Promise<void> | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #isFinishing = false;

  constructor(deps: ConsumerDeps<Name>, outage: OutageReport) {
    this.#deps = deps;
    this.#outage = outage;
    this.#timeoutMs = deps.times.rebalanceMs + 10_000;
    this.#consumer = newConsumer(deps);
    const fail = (error: Error): void => this.#end.resolve(error);
    this.#consumer.on("consumer:group:join", () => {
      this.#renewing = this.#renewing.then(() => this.#readAnew()).catch(fail);
    });
    this.#consumer.on("error", fail);
    this.#consumer.on("consumer:heartbeat:stalled", ({ lastError }) =>
      fail(lastError ?? new Error("no heartbeat of the group for the length of a session")),
    );
  }

  /** Resolves with the error that ended it; with undefined when it was left. */
  get ended(): Promise<Error | undefined> {
    return this.#end.promise;
  }

  /** Joins the group and begins to consume. Rejects when that fails. */
  async join(): Promise<void> {
    try {
      await withTimeLimit(this.#read(), this.#timeoutMs, "joining the group");
    } catch (error) {
      await this.leave(0);
      throw error;
    }
  }

  /** Ends the membership after what is being stored, so that this process joins with the topic's new partitions. */
  renew(): void {
    this.#end.resolve(undefined);
  }

  /** Commits where reading is when nothing waits: behind the last message can be markers of transactions, which are no messages. */
  settle(): void {
    const { stream, next, controller } = this.#reading ?? {};
    if (stream === undefined || this.#isFinishing || this.#storing !== undefined || stream.readableLength > 0) return;
    for (const [partition, at] of this.#positions(stream))
      if (next?.has(partition) && this.#committed.get(partition) !== at) this.#offsets.set(partition, at);
    if (controller !== undefined) this.#startCommit(controller.signal);
  }

  /** Takes no more messages, waits up to `graceMs` for those that are being stored, commits them, and leaves the group for others. */
  async leave(graceMs: number): Promise<void> {
    this.#isFinishing = true;
    this.#end.resolve(undefined);
    await withTimeLimit(Promise.resolve(this.#storing), graceMs, "storing").catch(() => undefined);
    this.#reading?.controller.abort();
    const committed = Promise.resolve(this.#committing);
    await withTimeLimit(committed, lastStepMs, "committing").catch(this.#outage.failed);
    await withTimeLimit(this.#consumer.close(true), lastStepMs, "leaving the group").catch(() => undefined);
  }

  /**
   * Begins to read at the committed offsets. Again when the group has a new generation: the partitions may be others, and a late response to the
   * former stream would move the position of one that came back past messages that are not stored.
   */
  async #read(): Promise<void> {
    const former = this.#reading;
    const controller = new AbortController();
    const from = { mode: "committed", fallbackMode: "earliest" } as const;
    // Before the former ends: without a stream, the consumer would leave the topic.
    const stream: Stream = await this.#consumer.consume({ topics: [this.#deps.topic], ...from, autocommit: false });
    controller.signal.addEventListener("abort", () => stream.destroy());
    const reading: Reading = { controller, stream, next: new Map(), done: Promise.resolve() };
    stream.on("offsets", () => void this.#reportExpired(reading).catch(this.#outage.failed));
    former?.controller.abort();
    await former?.done;
    await this.#committing;
    this.#offsets.clear();
    this.#committed.clear();
    this.#reading = reading;
    reading.done = this.#pump(reading);
    if (this.#isFinishing) controller.abort();
  }

  /** Returns the offset that is read next, by partition of this member. */
  #positions({ offsetsToFetch }: Stream): readonly (readonly [number, bigint])[] {
    const { topic } = this.#deps;
    const own = this.#consumer.assignments?.find((assigned) => assigned.topic === topic)?.partitions ?? [];
    return own.flatMap((partition) => {
      const at = offsetsToFetch.get(`${topic}:${partition}`);
      return at === undefined ? [] : [[partition, at] as const];
    });
  }

  /** Reports messages that the broker has deleted before they were read: reading goes on behind them. */
  async #reportExpired({ stream, next, controller }: Reading): Promise<void> {
    const { channel, topic, options, emit } = this.#deps;
    const skipped = this.#positions(stream).flatMap(([partition, at]) => {
      const expected = next.get(partition) ?? at;
      next.set(partition, at);
      return at > expected ? [[partition, expected] as const] : [];
    });
    if (skipped.length === 0 || controller.signal.aborted) return;
    const first = (await this.#consumer.listOffsets({ topics: [topic], timestamp: -2n })).get(topic);
    const lost = skipped.map(([partition, expected]) => Number((first?.[partition] ?? 0n) - expected));
    const count = lost.reduce((sum, one) => sum + Math.max(0, one), 0);
    if (count > 0) emit("bus_messages_expired", { channel, group: options.group, count });
  }

  async #readAnew(): Promise<void> {
    if (this.#reading !== undefined && !this.#isFinishing) await this.#read();
  }

  async #pump({ stream, next, controller: { signal } }: Reading): Promise<void> {
    let problem = new Error("fetching messages has stopped");
    try {
      for await (const first of stream) {
        if (signal.aborted || this.#isFinishing) return;
        const fetched = takeFetched(stream, first);
        this.#storing = this.#take(fetched, signal).finally(() => (this.#storing = undefined));
        await this.#storing;
        for (const { partition, offset } of fetched) next.set(partition, offset + 1n);
      }
    } catch (error) {
      problem = error as Error;
    }
    if (!signal.aborted) this.#end.resolve(problem);
  }

  async #take(fetched: readonly Message[], signal: AbortSignal): Promise<void> {
    const { channel, options } = this.#deps;
    const messages = readMessages(fetched, { channel, group: options.group });
    if (messages.length > 0 && !(await storeFetched(this.#deps, messages, signal))) return;
    // Others may have its partitions by now.
    if (signal.aborted && !this.#isFinishing) return;
    for (const { partition, offset } of fetched) this.#offsets.set(partition, offset + 1n);
    this.#startCommit(signal);
  }

  #startCommit(signal: AbortSignal): void {
    this.#committing ??= this.#commit(signal).finally(() => (this.#committing = undefined));
  }

  async #commit(signal: AbortSignal): Promise<void> {
    while (this.#offsets.size > 0) {
      const stored = [...this.#offsets];
      this.#offsets.clear();
      const { topic } = this.#deps;
      const offsets = stored.map(([partition, offset]) => ({ topic, partition, offset, leaderEpoch: -1 }));
      try {
        await withTimeLimit(this.#consumer.commit({ offsets }), this.#timeoutMs, "committing");
        for (const [partition, offset] of stored) this.#committed.set(partition, offset);
        this.#outage.worked();
      } catch (error) {
        this.#outage.failed(error);
        await delay(commitAgainMs, undefined, { signal }).catch(() => undefined);
        // What is not committed is delivered again.
        if (signal.aborted) return;
        for (const [partition, offset] of stored)
          if (!this.#offsets.has(partition)) this.#offsets.set(partition, offset);
      }
    }
  }
}

/** Consumes a topic while it is open. When a membership in the group ends, it joins again. */
export function startConsumer<Name extends ChannelName>(deps: ConsumerDeps<Name>) {
  const place = { channel: deps.channel, group: deps.options.group };
  const outage = createOutageReport((error) => deps.emit("bus_unreachable", { ...place, cause: error }));
  const closing = new AbortController();
  const begun = Promise.withResolvers<void>();
  let member: GroupMember<Name> | undefined;

  async function beMember(): Promise<void> {
    const joining = new GroupMember(deps, outage);
    await joining.join();
    member = joining;
    if (closing.signal.aborted) return member.leave(0);
    outage.worked();
    begun.resolve();
    const problem = await member.ended;
    if (closing.signal.aborted) return;
    await member.leave(problem === undefined ? lastStepMs : 0);
    if (problem !== undefined) throw problem;
  }

  async function keepJoining(): Promise<void> {
    for (let failures = 1; !closing.signal.aborted; failures += 1) {
      const startedAt = performance.now();
      await beMember().catch(outage.failed);
      begun.resolve();
      // A membership that lasted resets the backoff.
      if (performance.now() - startedAt > 60_000) failures = 1;
      await delay(backoffMs(rejoin, failures), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const joined = keepJoining();
  const end = async (graceMs: number): Promise<void> => {
    closing.abort();
    await member?.leave(graceMs);
    await withTimeLimit(joined, lastStepMs, "leaving the group").catch(() => undefined);
  };
  let ended: Promise<void> | undefined;
  return {
    /** Resolves when this process has joined the group, or has failed to and retries. */
    begun: begun.promise,
    renew: (): void => member?.renew(),
    settle: (): void => member?.settle(),
    close: ((graceMs = lastStepMs) => (ended ??= end(graceMs))) satisfies Subscription["close"],
  };
}

export type GroupConsumer = ReturnType<typeof startConsumer>;

function newConsumer<Name extends ChannelName>(deps: ConsumerDeps<Name>): Consumer {
  const { client, groupId, times } = deps;
  const { sessionMs, rebalanceMs } = times;
  return new Consumer({
    ...client,
    groupId,
    retries: 3,
    // A broker answers a join when the rebalance is done.
    requestTimeout: rebalanceMs + 5_000,
    sessionTimeout: sessionMs,
    rebalanceTimeout: rebalanceMs,
    heartbeatInterval: Math.ceil(sessionMs / 10),
    heartbeatStallTimeout: sessionMs,
    maxWaitTime: 1_000,
    maxBytes: 8 * 1024 * 1024,
    highWaterMark: 32,
  });
}
