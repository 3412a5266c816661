import { setImmediate as turn } from "node:timers/promises";
import { Consumer, type BaseOptions, type Message, type MessagesStream } from "@platformatic/kafka";
import { withTimeLimit } from "./kafka-errors.ts";

export type Fetched = Message;
type Stream = MessagesStream<Buffer, Buffer, Buffer, Buffer>;

/** Timeouts for a silent consumer, whose partitions are then reassigned, and for a rebalance; milliseconds. */
export interface GroupTimes {
  readonly sessionMs: number;
  readonly rebalanceMs: number;
}

export interface GroupMemberOptions {
  readonly client: BaseOptions;
  readonly groupId: string;
  readonly topic: string;
  readonly times: GroupTimes;
  /** Receives the partitions of this member. `isNew`: the group had released all of them, so others may have had them. */
  readonly onAssigned: (partitions: ReadonlySet<number>, isNew: boolean) => void;
  /** The next message is fetched when it resolves. `isCurrent` returns whether the message still belongs to this member. */
  readonly onMessage: (message: Fetched, isCurrent: () => boolean) => Promise<void>;
}

/**
 * Joins a group. Rejects when that fails. Returns one membership, until the first failure, which leads to a new membership.
 */
export async function joinGroup(options: GroupMemberOptions) {
  const { topic, times, onAssigned } = options;
  const consumer = newConsumer(options);
  const end = Promise.withResolvers<Error | undefined>();
  const fail = (error: Error): void => end.resolve(error);
  const fetching = createFetching(consumer, options, fail);
  const timeoutMs = times.rebalanceMs + 10_000;
  let memberId: string | undefined;

  let renewing: Promise<void> = Promise.resolve();
  consumer.on("consumer:group:join", ({ memberId: id, assignments }) => {
    const own = assignments?.find((assignment) => assignment.topic === topic)?.partitions ?? [];
    onAssigned(new Set(own), memberId !== id);
    memberId = id;
    renewing = renewing.then(fetching.renew).catch(fail);
  });
  consumer.on("error", fail);
  consumer.on("consumer:heartbeat:stalled", ({ lastError }) =>
    fail(lastError ?? new Error("no heartbeat of the group for the length of a session")),
  );

  const leave = async (): Promise<void> => {
    end.resolve(undefined);
    fetching.stop();
    await withTimeLimit(consumer.close(true), 5_000, "leaving the group").catch(() => undefined);
  };
  try {
    await withTimeLimit(fetching.begin(), timeoutMs, "joining the group");
  } catch (error) {
    await leave();
    throw error;
  }

  return {
    /** Resolves with the error that ended it; with undefined when it was closed. */
    ended: end.promise,
    /** Offsets of the next message, by partition. */
    commit: async (offsets: ReadonlyMap<number, bigint>): Promise<void> => {
      const list = [...offsets].map(([partition, offset]) => ({ topic, partition, offset, leaderEpoch: -1 }));
      await withTimeLimit(consumer.commit({ offsets: list }), timeoutMs, "committing");
    },
    /** Stops fetching and stays a member. */
    stopFetching: fetching.stop,
    /** Leaves the group, so that others need not wait for the session timeout. */
    leave,
  };
}

export type GroupMember = Awaited<ReturnType<typeof joinGroup>>;

function newConsumer({ client, groupId, times: { sessionMs, rebalanceMs } }: GroupMemberOptions): Consumer {
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
    highWaterMark: 256,
  });
}

/** The stream of a member's messages. */
function createFetching(consumer: Consumer, { topic, onMessage }: GroupMemberOptions, fail: (error: Error) => void) {
  let stream: Stream | undefined;
  let stopped = false;
  const isCurrent = (source: Stream): boolean => source === stream && !stopped;

  const consume = (): Promise<Stream> =>
    consumer.consume({ topics: [topic], mode: "committed", fallbackMode: "earliest", autocommit: false });

  async function pump(source: Stream): Promise<void> {
    try {
      for await (const message of source) {
        if (source !== stream) return;
        await onMessage(message, () => isCurrent(source));
      }
    } catch (error) {
      if (isCurrent(source)) fail(error as Error);
      return;
    }
    if (isCurrent(source)) fail(new Error("fetching messages has stopped"));
  }

  return {
    /** Joins the group and fetches. */
    begin: async (): Promise<void> => {
      const first = await consume();
      stream = first;
      if (stopped) {
        first.destroy();
        return;
      }
      // The streams of members that joined at the same time are renewed.
      await turn();
      void pump(stream);
    },
    // Replaces the stream when the group has a new generation: a late response to the previous stream would move the fetch position of a regained partition past unhandled messages.
    renew: async (): Promise<void> => {
      const former = stream;
      if (former === undefined || stopped) return;
      stream = await consume();
      former.destroy();
      if (stopped) stream.destroy();
      else void pump(stream);
    },
    stop: () => {
      stopped = true;
      stream?.destroy();
    },
  };
}
