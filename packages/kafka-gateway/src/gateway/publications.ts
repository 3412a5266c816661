import {
  createJobWorker,
  settle,
  type ExecutionColumn,
  type ExecutionJobTables,
  type HeldJob,
  type JobKind,
  type JobRun,
  type JobWorker,
  type TakenJob,
} from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { BusMessage, ChannelName } from "../bus/bus-message.ts";
import type { KafkaBus } from "../bus/kafka-bus.ts";
import { MessageTooLargeError } from "../bus/kafka-errors.ts";
import { createToldOnce } from "../bus/told-once.ts";
import type { DeadLetterTables } from "../database/dead-letter-table.ts";
import { buryMessage, messageColumns } from "../database/dead-letter-rows.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import type { GatewayRows } from "./gateway-rows.ts";
import { insteadOfTooLarge, insteadOfUnreadable, openMessage } from "./open-message.ts";
import { createPublishRoom } from "./publish-room.ts";
import { channelOf, publishKind, shareOf } from "./shares.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;

export interface PublicationsDeps extends Pick<
  GatewayOptions<ZoneTables>,
  "store" | "lease" | "observer" | "jobObserver"
> {
  readonly bus: Pick<KafkaBus, "publish">;
  readonly database: Database<ZoneTables>;
  readonly rows: GatewayRows;
  readonly codec: RecordCodec;
}

/** The message of a job. */
interface Publication {
  readonly channel: ChannelName;
  /** Undefined when it is unreadable, and no other stands in for it. */
  readonly message: BusMessage | undefined;
  /** The job is nothing but the message. */
  readonly isMessage: boolean;
}

/** How to store a job whose message is to be published. Call either `stored` or `notStored` afterwards. */
export interface PublicationEntry {
  readonly as: "leased" | "ready";
  /** The job is stored. The message of a leased one is published at once. */
  readonly stored: (held: HeldJob, message: BusMessage) => void;
  readonly notStored: () => void;
}

/** Publishes the messages of jobs: those that this process stored, and those that were left. */
export interface Publications extends Pick<JobWorker, "start" | "wake" | "lose" | "stop"> {
  readonly enter: (channel: ChannelName) => PublicationEntry;
  /** Publishes a message that no job has. */
  readonly send: (message: BusMessage) => Promise<void>;
}

export function createPublications(deps: PublicationsDeps): Publications {
  const { bus, database, rows, codec, store, lease, observer = {}, jobObserver } = deps;
  const room = createPublishRoom();
  const outage = createToldOnce((error) =>
    observer.unreachable?.({ channel: "agent_results", group: "outbox", error }),
  );
  const dead = (channel: ChannelName, reason: string): void =>
    observer.deadLettered?.({ channel, group: "outbox", attempt: 1, reason });

  async function send(message: BusMessage): Promise<void> {
    try {
      await bus.publish([message]);
    } catch (error) {
      if (!(error instanceof MessageTooLargeError) && !(error instanceof TypeError)) throw error;
      const instead = insteadOfTooLarge(message);
      if (instead !== undefined) await bus.publish([instead]);
      await buryMessage(database, messageColumns(message, codec), error.message);
      dead(message.channel, error.message);
    }
  }

  /** Publishes a held job's message, then stores that it is published. */
  function start(held: HeldJob, { channel, message, isMessage }: Publication): JobRun {
    const abandoned = new AbortController();
    const { signal } = abandoned;
    const onFailure = (cause: unknown): boolean => {
      outage.failed(cause);
      return false;
    };
    const notStored = (cause: unknown): boolean => {
      jobObserver.storeFailed("release", cause);
      return false;
    };
    const sent = async (): Promise<true> => {
      if (message !== undefined) await send(message);
      outage.worked();
      return true;
    };
    async function run(): Promise<void> {
      const isSent = await settle({ store: sent, onFailure, signal });
      if (!isSent) return void (await rows.published(held, channel, "ready").catch(notStored));
      const end = (): Promise<boolean> =>
        isMessage
          ? rows.remove(held)
          : rows.published(held, channel, channel === "agent_results" ? "ended" : "waiting");
      await settle({ store: end, onFailure: notStored, signal });
    }
    // Nothing but its end is left to do: the worker neither drops it nor asks whether it is still held.
    return { ...held, drop: () => undefined, isEnding: true, abandon: () => abandoned.abort(), ended: run() };
  }

  function runTaken(job: TakenJob<ExecutionColumn>): JobRun {
    const { id, attempt, share, kind } = job;
    const channel = channelOf(share);
    const free = room.add((job.input?.length ?? 0) + (job.output?.length ?? 0));
    const run = start({ id, attempt }, { channel, message: readOr(job), isMessage: kind === publishKind });
    void run.ended.finally(free);
    return run;
  }

  function readOr(job: TakenJob<ExecutionColumn>): BusMessage | undefined {
    try {
      return openMessage(job, codec);
    } catch {
      const instead = insteadOfUnreadable(job);
      dead(instead?.channel ?? "agent_cancellations", "the message can't be read or unsealed");
      return instead;
    }
  }

  const kind: JobKind<ExecutionColumn> = {
    kind: publishKind,
    room: room.left,
    free: room.left,
    reserve: room.reserve,
    run: runTaken,
  };
  const worker = createJobWorker({ store, lease, kind, observer: jobObserver });

  return {
    send,
    enter: (channel) => {
      const { as, stored, notStored } = worker.enter(shareOf(channel));
      const isMessage = channel === "agent_cancellations";
      return {
        as,
        stored: (held, message) => stored(held, () => start(held, { channel, message, isMessage })),
        notStored,
      };
    },
    start: worker.start,
    wake: worker.wake,
    lose: worker.lose,
    stop: worker.stop,
  };
}
