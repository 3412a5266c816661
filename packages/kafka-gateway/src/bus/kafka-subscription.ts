import { setTimeout as delay } from "node:timers/promises";
import { type Backoff, backoffMs } from "@crosszone/service-kit/timing";
import type { BaseOptions } from "@platformatic/kafka";
import type { BusEmit, ChannelName } from "./bus-message.ts";
import type { Redelivery } from "./deliver-message.ts";
import { joinGroup, type GroupMember, type GroupTimes } from "./group-member.ts";
import type { SubscribeOptions, Subscription } from "./kafka-bus.ts";
import { createOutageReport, withTimeLimit } from "./kafka-errors.ts";
import type { KafkaPublisher } from "./kafka-publisher.ts";
import { createMessageFlow } from "./message-flow.ts";
import { createOffsetCommits } from "./offset-commits.ts";

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
export function startKafkaSubscription<Name extends ChannelName>(deps: {
  readonly client: BaseOptions;
  readonly channel: Name;
  readonly topic: string;
  readonly groupId: string;
  readonly options: SubscribeOptions<Name>;
  readonly publisher: KafkaPublisher;
  readonly emit: BusEmit;
  readonly redelivery: Redelivery;
  readonly times: GroupTimes;
}): KafkaSubscription {
  const { channel, topic, groupId, options, emit, times } = deps;
  const { group, concurrency } = options;
  const place = { channel, group };
  const outage = createOutageReport((error) => emit("bus_unreachable", { ...place, cause: error }));
  const closing = new AbortController();
  const begun = Promise.withResolvers<void>();
  let member: GroupMember | undefined;
  const flow = createMessageFlow({
    ...deps,
    place,
    concurrency,
    closing: closing.signal,
    onEnded: () => commits.request(),
  });
  const commits = createOffsetCommits({ progress: flow.progress, member: () => member, outage });

  /** Runs one membership to its end. */
  async function beMember(): Promise<void> {
    const { onMessage, onAssigned } = flow;
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

  const takingPart = rejoining(closing.signal, async () => {
    await beMember().catch(outage.failed);
    begun.resolve();
    if (!closing.signal.aborted) flow.onAssigned(new Set(), true);
  });

  async function end(graceMs: number): Promise<void> {
    closing.abort();
    member?.stopFetching();
    flow.releaseRoom();
    flow.lanes.hurry();
    await withTimeLimit(flow.lanes.idle(), graceMs, "handling").catch(() => undefined);
    commits.request();
    await withTimeLimit(commits.finished(), lastStepMs, "committing").catch(outage.failed);
    for (const of of flow.progress()) of.abort();
    await member?.leave();
    // A failed commit is not retried.
    member = undefined;
    await withTimeLimit(takingPart, lastStepMs, "leaving the group").catch(() => undefined);
  }
  let ended: Promise<void> | undefined;

  return {
    groupId,
    begun: begun.promise,
    oldest: () => {
      const published = [...flow.progress()].flatMap((of) => of.oldest() ?? []);
      return published.length === 0 ? undefined : Math.min(...published);
    },
    close: (graceMs = lastStepMs) => (ended ??= end(graceMs)),
  };
}

/** Runs memberships one after the other, with a backoff in between, until `closing` is aborted. */
async function rejoining(closing: AbortSignal, runMembership: () => Promise<void>): Promise<void> {
  for (let failures = 1; !closing.aborted; failures += 1) {
    const startedAt = performance.now();
    await runMembership();
    if (closing.aborted) return;
    // A membership that lasted resets the backoff.
    if (performance.now() - startedAt > 60_000) failures = 1;
    await delay(backoffMs(rejoin, failures), undefined, { signal: closing }).catch(() => undefined);
  }
}
