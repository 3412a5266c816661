import { setTimeout as delay } from "node:timers/promises";
import type { BaseOptions } from "@platformatic/kafka";
import type { BusObserver } from "../bus-observer.ts";
import type { ChannelName } from "../bus-message.ts";
import type { SubscribeOptions, Subscription } from "../message-bus.ts";
import { redeliveryDelay, type Redelivery } from "../redelivery.ts";
import { headersOfMessage, letterHeaders, onlyForGroup, readHeaders } from "./dead-letter-headers.ts";
import { deliverMessage, type PendingMessage } from "./deliver-message.ts";
import { joinGroup, type Fetched, type GroupMember, type GroupTimes } from "./group-member.ts";
import { createHeldMessages } from "./held-messages.ts";
import { inTime } from "./in-time.ts";
import type { KafkaPublisher } from "./kafka-publisher.ts";
import { deadLetterTopic } from "./kafka-topics.ts";
import { createKeyLanes } from "./key-lanes.ts";
import { createPartitionProgress, type PartitionProgress } from "./partition-progress.ts";

export interface SubscriptionDeps<Name extends ChannelName> {
  readonly client: BaseOptions;
  readonly channel: Name;
  readonly topic: string;
  readonly groupId: string;
  readonly options: SubscribeOptions<Name>;
  readonly publisher: KafkaPublisher;
  readonly observer: Partial<BusObserver>;
  readonly redelivery: Redelivery;
  readonly times: GroupTimes;
}

export interface KafkaSubscription extends Subscription {
  /** When the oldest message was published that this process has and that has not ended; Unix milliseconds. */
  readonly oldest: () => number | undefined;
  readonly groupId: string;
  /** Resolves when this process is a member of the group, or could not become one and tries again. */
  readonly begun: Promise<void>;
}

interface Held extends PendingMessage {
  readonly key: string;
  readonly source: Fetched;
  readonly progress: PartitionProgress;
}

const rejoin: Redelivery = { firstMs: 100, longestMs: 5_000, mostAttempts: Infinity };
const defaultGraceMs = 5_000;

/** Takes part in a consumer group for as long as it is open: what ends a membership begins another one. */
export function startKafkaSubscription<Name extends ChannelName>(deps: SubscriptionDeps<Name>): KafkaSubscription {
  const { channel, topic, groupId, options, publisher, observer, redelivery, times } = deps;
  const { group, concurrency } = options;
  const place = { channel, group };
  const held = createHeldMessages({ count: Math.max(1_000, 2 * concurrency), bytes: 32 * 1024 * 1024 });
  const closing = new AbortController();
  let progress = new Map<number, PartitionProgress>();
  let member: GroupMember | undefined;
  const begun = Promise.withResolvers<void>();
  const commits = createCommits();

  const lanes = createKeyLanes<Held>({ concurrency, keyOf: ({ key }) => key, run });

  async function run(message: Held): Promise<number | undefined> {
    const { progress: of, source } = message;
    const isNobodys = of.signal.aborted || closing.signal.aborted;
    const isForOthers = (readHeader(source, onlyForGroup) ?? group) !== group;
    const againInMs =
      isNobodys || isForOthers
        ? undefined
        : await deliverMessage({ place, options, observer, redelivery, bury }, message);
    if (againInMs !== undefined && !closing.signal.aborted) return againInMs;
    held.remove(message.bytes.length);
    if (isNobodys || againInMs !== undefined || of.signal.aborted) return undefined;
    of.end(source.offset);
    commits.request();
    return undefined;
  }

  const bury = ({ source, bytes, attempt }: Held, reason: string): Promise<void> =>
    publisher.publish([
      {
        topic: deadLetterTopic(topic),
        key: source.key ?? undefined,
        value: bytes,
        headers: {
          ...readHeaders(source.headerEntries),
          [letterHeaders.reason]: reason,
          [letterHeaders.topic]: topic,
          [letterHeaders.partition]: String(source.partition),
          [letterHeaders.offset]: String(source.offset),
          [letterHeaders.group]: group,
          [letterHeaders.attempts]: String(attempt),
          [letterHeaders.at]: String(Date.now()),
        },
      },
    ]);

  async function onMessage(source: Fetched, isCurrent: () => boolean): Promise<void> {
    await held.room();
    const of = progress.get(source.partition);
    if (!isCurrent() || of === undefined || !of.accept(source.offset, Number(source.timestamp))) return;
    const bytes = source.value ?? Buffer.alloc(0);
    held.add(bytes.length);
    // Without a key there is no order to keep.
    const key = `${source.partition} ${source.key?.toString("latin1") ?? `at ${source.offset}`}`;
    const headers = headersOfMessage(readHeaders(source.headerEntries));
    lanes.add({ key, source, progress: of, bytes, headers, attempt: 0, signal: of.signal });
  }

  function onAssigned(partitions: ReadonlySet<number>, isNew: boolean): void {
    const kept = new Map<number, PartitionProgress>();
    for (const partition of partitions) {
      const known = isNew ? undefined : progress.get(partition);
      kept.set(partition, known ?? createPartitionProgress(partition));
    }
    for (const [partition, of] of progress) if (kept.get(partition) !== of) of.abort();
    progress = kept;
    // What somebody else has now makes room.
    lanes.hurry();
  }

  /** One commit at a time; what ends meanwhile goes with the next one. */
  function createCommits() {
    let requested = false;
    let working: Promise<void> | undefined;
    async function commitOnce(): Promise<void> {
      requested = false;
      const done = [...progress.values()].flatMap((of) => {
        const offset = of.toCommit();
        return offset === undefined ? [] : [{ of, offset }];
      });
      if (done.length === 0 || member === undefined) return;
      await member.commit(new Map(done.map(({ of, offset }) => [of.partition, offset])));
      for (const { of, offset } of done) of.committed(offset);
    }
    async function work(): Promise<void> {
      while (requested)
        await commitOnce().catch(async (error: unknown) => {
          observer.unreachable?.({ ...place, error });
          await delay(200);
          requested = !closing.signal.aborted && member !== undefined;
        });
      working = undefined;
    }
    return {
      request: (): void => {
        requested = true;
        working ??= Promise.resolve().then(work);
      },
      settled: (): Promise<void> | undefined => working,
    };
  }

  async function takePart(): Promise<void> {
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      try {
        const joined = await joinGroup({ client: deps.client, groupId, topic, times, onAssigned, onMessage });
        member = joined;
        attempt = 0;
        commits.request();
        begun.resolve();
        const problem = await joined.ended;
        if (problem === undefined) return;
        observer.unreachable?.({ ...place, error: problem });
        member = undefined;
        await joined.leave();
      } catch (error) {
        observer.unreachable?.({ ...place, error });
      }
      begun.resolve();
      onAssigned(new Set(), true);
      await delay(redeliveryDelay(rejoin, attempt + 1), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  const takingPart = takePart();

  async function end(graceMs: number): Promise<void> {
    closing.abort();
    member?.stopFetching();
    held.release();
    lanes.hurry();
    await inTime(lanes.idle(), graceMs, "handling").catch(() => undefined);
    commits.request();
    await inTime(Promise.resolve(commits.settled()), 5_000, "committing").catch(() => undefined);
    for (const of of progress.values()) of.abort();
    await member?.leave();
    await inTime(takingPart, 5_000, "leaving the group").catch(() => undefined);
  }
  let ended: Promise<void> | undefined;

  return {
    groupId,
    begun: begun.promise,
    oldest: () => {
      const published = [...progress.values()].flatMap((of) => of.oldest() ?? []);
      return published.length === 0 ? undefined : Math.min(...published);
    },
    close: (graceMs = defaultGraceMs) => (ended ??= end(graceMs)),
  };
}

const readHeader = (message: Fetched, name: string): string | undefined => readHeaders(message.headerEntries)[name];
