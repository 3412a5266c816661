import { expect } from "vitest";
import type { ChannelName } from "../bus/bus-message.ts";
import type { Delivery, KafkaBus, SubscribeOptions, Subscription } from "../bus/kafka-bus.ts";

/** Generous: joining a broker's group is slow, and the machine may be busy. */
export const soon = { timeout: 60_000, interval: 20 };

/** Messages that a test's consumer has handled, in order of completion. */
export interface Consumed<Name extends ChannelName> {
  readonly done: Delivery<Name>[];
  readonly subscription: Subscription;
  /** Returns the inputs of the handled tasks. */
  readonly inputs: () => unknown[];
  /** Waits until this many are handled. */
  readonly until: (count: number) => Promise<void>;
}

export async function consume<Name extends ChannelName>(
  bus: KafkaBus,
  channel: Name,
  {
    handle = async () => undefined,
    group = "agent-bridge",
    concurrency = 16,
    ...options
  }: Partial<SubscribeOptions<Name>> = {},
): Promise<Consumed<Name>> {
  const done: Delivery<Name>[] = [];
  const subscription = await bus.subscribe(channel, {
    group,
    concurrency,
    ...options,
    handle: async (delivery) => {
      await handle(delivery);
      done.push(delivery);
    },
  });
  return {
    done,
    subscription,
    inputs: () => done.map(({ value }) => (value as { readonly input_data?: unknown }).input_data),
    until: async (count) => {
      await expect.poll(() => done.length, soon).toBeGreaterThanOrEqual(count);
    },
  };
}

/** Waits until a group has no messages left. */
export async function drained(bus: KafkaBus, channel: ChannelName): Promise<void> {
  await expect
    .poll(async () => (await bus.readQueues()).filter((queue) => queue.channel === channel && queue.waiting > 0), soon)
    .toEqual([]);
}
