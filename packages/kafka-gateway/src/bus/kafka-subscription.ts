import { setTimeout as delay } from "node:timers/promises";
import { backoffMs, type Backoff } from "@crosszone/sql";
import type { BaseOptions } from "@platformatic/kafka";
import type { ChannelName } from "./bus-message.ts";
import type { BusObserver } from "./bus-observer.ts";
import type { SubscribeOptions, Subscription } from "./kafka-bus.ts";
import { deliverMessage, type Redelivery } from "./deliver-message.ts";
import { joinGroup, type Fetched, type GroupMember, type GroupTimes } from "./group-member.ts";
import { holdMessage, toDeadLetter, withoutItsValue, type HeldMessage } from "./held-message.ts";
import { createHeldMessages } from "./held-messages.ts";
import { inTime } from "./in-time.ts";
import { MessageTooLargeError } from "./kafka-errors.ts";
import type { KafkaPublisher } from "./kafka-publisher.ts";
import { createKeyLanes } from "./key-lanes.ts";
import { createOffsetCommits } from "./offset-commits.ts";
import { createPartitionProgress, type PartitionProgress } from "./partition-progress.ts";
import { createToldOnce } from "./told-once.ts";

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
  readonly groupId: string;
  /** Resolves when this process has joined the group, or has failed to and retries. */
  readonly begun: Promise<void>;
  /** Returns when the oldest unfinished message of this process was published, Unix milliseconds. */
  readonly oldest: () => number | undefined;
}

const rejoin: Backoff = { firstMs: 100, longestMs: 5_000 };
const lastStepMs = 5_000;

/** Participates in a consumer group while it is open. When a membership ends, it joins again. */
export function startKafkaSubscription<Name extends ChannelName>(deps: SubscriptionDeps<Name>): KafkaSubscription {
  const { channel, topic, groupId, options, publisher, observer, redelivery, times } = deps;
  const { group, concurrency } = options;
  const place = { channel, group };
  const outage = createToldOnce((error) => observer.unreachable?.({ ...place, error }));
  const held = createHeldMessages({ count: Math.max(1_000, 2 * concurrency), bytes: 32 * 1024 * 1024 });
  const closing = new AbortController();
  const begun = Promise.withResolvers<void>();
  let progress = new Map<number, PartitionProgress>();
  let member: GroupMember | undefined;
  const commits = createOffsetCommits({ progress: () => progress.values(), member: () => member, outage });
  const lanes = createKeyLanes<HeldMessage>({ concurrency, keyOf: ({ key }) => key, run });
  const bury = (message: HeldMessage, reason: string): Promise<void> =>
    publisher.publish([toDeadLetter(message, group, reason)]).catch((error: unknown) => {
      if (!(error instanceof MessageTooLargeError)) throw error;
      return publisher.publish([withoutItsValue(message, group, reason)]);
    });
  const isNobodys = (of: PartitionProgress): boolean => of.signal.aborted || closing.signal.aborted;

  /** Handles a message if it still belongs to this process. A finished message is committed; any other is delivered again. */
  async function run(message: HeldMessage): Promise<number | undefined> {
    const { progress: of, source, onlyFor = group, bytes } = message;
    let hasEnded = !isNobodys(of);
    if (hasEnded && onlyFor === group) {
      const againInMs = await deliverMessage({ place, options, observer, redelivery, bury }, message);
      if (againInMs !== undefined && !isNobodys(of)) return againInMs;
      hasEnded = againInMs === undefined && !of.signal.aborted;
    }
    held.remove(bytes.length);
    if (!hasEnded) return undefined;
    of.end(source.offset);
    commits.request();
    return undefined;
  }

  async function onMessage(source: Fetched, isCurrent: () => boolean): Promise<void> {
    await held.room();
    const of = progress.get(source.partition);
    if (!isCurrent() || of?.accept(source.offset, Number(source.timestamp)) !== true) return;
    const message = holdMessage(source, of, channel);
    held.add(message.bytes.length);
    lanes.add(message);
  }

  function onAssigned(partitions: ReadonlySet<number>, isNew: boolean): void {
    const former = progress;
    const kept = (partition: number): PartitionProgress | undefined => (isNew ? undefined : former.get(partition));
    progress = new Map([...partitions].map((number) => [number, kept(number) ?? createPartitionProgress(number)]));
    for (const [partition, of] of former) if (progress.get(partition) !== of) of.abort();
    // A reassigned message frees its room.
    lanes.hurry();
  }

  /** Runs one membership to its end. */
  async function beMember(): Promise<void> {
    const joined = await joinGroup({ client: deps.client, groupId, topic, times, onAssigned, onMessage });
    if (closing.signal.aborted) return joined.leave();
    member = joined;
    outage.worked();
    begun.resolve();
    commits.request();
    const problem = await joined.ended;
    // Closing also leaves the group.
    if (closing.signal.aborted) return;
    member = undefined;
    await joined.leave();
    throw problem ?? new Error("the membership in the group has ended");
  }

  async function takePart(): Promise<void> {
    for (let failures = 1; !closing.signal.aborted; failures += 1) {
      const startedAt = performance.now();
      await beMember().catch(outage.failed);
      begun.resolve();
      if (closing.signal.aborted) return;
      onAssigned(new Set(), true);
      // A membership that lasted resets the backoff.
      if (performance.now() - startedAt > 60_000) failures = 1;
      await delay(backoffMs(rejoin, failures), undefined, { signal: closing.signal }).catch(() => undefined);
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
    await inTime(commits.settled(), lastStepMs, "committing").catch(outage.failed);
    for (const of of progress.values()) of.abort();
    await member?.leave();
    // A failed commit is not retried.
    member = undefined;
    await inTime(takingPart, lastStepMs, "leaving the group").catch(() => undefined);
  }
  let ended: Promise<void> | undefined;

  return {
    groupId,
    begun: begun.promise,
    oldest: () => {
      const published = [...progress.values()].flatMap((of) => of.oldest() ?? []);
      return published.length === 0 ? undefined : Math.min(...published);
    },
    close: (graceMs = lastStepMs) => (ended ??= end(graceMs)),
  };
}
