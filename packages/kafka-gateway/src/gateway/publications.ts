import {
  createJobWorker,
  type ExecutionColumn,
  type ExecutionJobTables,
  type JobKind,
  type JobRun,
  type JobWorker,
  type LeasedJob,
  type LeaseId,
  retryUntilStored,
} from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import type { BusEmit, BusMessage, ChannelName } from "../bus/bus-message.ts";
import type { KafkaBus } from "../bus/kafka-bus.ts";
import { createOutageReport, MessageTooLargeError, type OutageReport } from "../bus/kafka-errors.ts";
import { storeDeadLetter, type DeadLetterTables, messageColumns } from "../database/dead-letters.ts";
import type { GatewayRows } from "./gateway-rows.ts";
import type { GatewayOptions } from "./kafka-gateway.ts";
import {
  insteadOfTooLarge,
  insteadOfUnreadable,
  openMessage,
  channelOf,
  createPublishRoom,
  publishKind,
  shareOf,
} from "./publish-jobs.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;

export interface PublicationsDeps extends Pick<GatewayOptions<ZoneTables>, "store" | "lease"> {
  readonly emit: BusEmit;
  readonly bus: Pick<KafkaBus, "publish">;
  readonly database: Database<ZoneTables>;
  readonly rows: GatewayRows;
  readonly codec: RecordCodec;
}

/** The message of a job. */
interface Publication {
  readonly channel: ChannelName;
  /** Undefined when it is unreadable, and no other replaces it. */
  readonly message: BusMessage | undefined;
  /** The job is only the message. */
  readonly isMessage: boolean;
}

/** How to store a job whose message is to be published. Call either `stored` or `notStored` afterwards. */
export interface PublicationEntry {
  readonly as: "leased" | "ready";
  /** The job is stored. The message of a leased one is published at once. */
  readonly stored: (leaseId: LeaseId, message: BusMessage) => void;
  readonly notStored: () => void;
}

/** Publishes the messages of jobs: those that this process stored, and those that were left. */
export interface Publications extends Pick<JobWorker, "start" | "wake" | "lose" | "stop"> {
  readonly enter: (channel: ChannelName) => PublicationEntry;
  /** Publishes a message that no job has. */
  readonly send: (message: BusMessage) => Promise<void>;
}

export function createPublications(deps: PublicationsDeps): Publications {
  const { store, lease, emit } = deps;
  const room = createPublishRoom();
  const publishing: Publishing = {
    ...deps,
    send: (message) => send(deps, message),
    outage: createOutageReport((cause) =>
      emit("bus_unreachable", { channel: "agent_results", group: "outbox", cause }),
    ),
  };

  function runLeased(job: LeasedJob<ExecutionColumn>): JobRun {
    const { id, attempt, share, kind } = job;
    const channel = channelOf(share);
    const free = room.add((job.input?.length ?? 0) + (job.output?.length ?? 0));
    const publication = { channel, message: messageOf(deps, job), isMessage: kind === publishKind };
    const run = startPublishing(publishing, { id, attempt }, publication);
    void run.ended.finally(free);
    return run;
  }

  const kind: JobKind<ExecutionColumn> = {
    kind: publishKind,
    room: room.left,
    free: room.left,
    reserve: room.reserve,
    run: runLeased,
  };
  const { start, wake, lose, stop, enter } = createJobWorker({
    store,
    lease,
    kind,
    observer: { storeFailed: storeFailed(emit) },
  });

  return {
    send: publishing.send,
    enter: (channel) => {
      const { as, stored, notStored } = enter(shareOf(channel));
      const isMessage = channel === "agent_cancellations";
      return {
        as,
        stored: (leaseId, message) =>
          stored(leaseId, () => startPublishing(publishing, leaseId, { channel, message, isMessage })),
        notStored,
      };
    },
    start,
    wake,
    lose,
    stop,
  };
}

const storeFailed =
  (emit: BusEmit) =>
  (operation: string, cause: unknown): void =>
    emit("bus_store_failed", { operation, cause });

const reportDeadLetter = ({ emit }: PublicationsDeps, channel: ChannelName, because: string): void =>
  emit("bus_message_dead", { channel, group: "outbox", attempt: 1, because });

async function send(deps: PublicationsDeps, message: BusMessage): Promise<void> {
  const { bus, database, codec } = deps;
  try {
    await bus.publish([message]);
  } catch (error) {
    if (!(error instanceof MessageTooLargeError) && !(error instanceof TypeError)) throw error;
    const instead = insteadOfTooLarge(message);
    if (instead !== undefined) await bus.publish([instead]);
    await storeDeadLetter(database, messageColumns(message, codec), error.message);
    reportDeadLetter(deps, message.channel, error.message);
  }
}

/** Returns a job's message, or the failure that replaces an unreadable one. */
function messageOf(deps: PublicationsDeps, job: LeasedJob<ExecutionColumn>): BusMessage | undefined {
  try {
    return openMessage(job, deps.codec);
  } catch {
    const instead = insteadOfUnreadable(job);
    reportDeadLetter(deps, instead?.channel ?? "agent_cancellations", "the message can't be read or unsealed");
    return instead;
  }
}

interface Publishing extends Pick<PublicationsDeps, "rows" | "emit"> {
  readonly send: Publications["send"];
  readonly outage: OutageReport;
}

/** Publishes a leased job's message, then stores that it is published. */
function startPublishing(
  publishing: Publishing,
  leaseId: LeaseId,
  { channel, message, isMessage }: Publication,
): JobRun {
  const { rows, outage } = publishing;
  const abandoned = new AbortController();
  const { signal } = abandoned;
  const onFailure = (cause: unknown): boolean => {
    outage.failed(cause);
    return false;
  };
  const notStored = (cause: unknown): boolean => {
    storeFailed(publishing.emit)("release", cause);
    return false;
  };
  const sent = async (): Promise<true> => {
    if (message !== undefined) await publishing.send(message);
    outage.worked();
    return true;
  };
  const end = (): Promise<boolean> =>
    isMessage
      ? rows.remove(leaseId)
      : rows.published(leaseId, channel, channel === "agent_results" ? "ended" : "waiting");
  async function run(): Promise<void> {
    const isSent = await retryUntilStored({ store: sent, onFailure, signal });
    if (!isSent) return void (await rows.published(leaseId, channel, "ready").catch(notStored));
    await retryUntilStored({ store: end, onFailure: notStored, signal });
  }
  // Only its end is left to do: the worker neither drops it nor checks its lease.
  return { ...leaseId, drop: () => undefined, isEnding: true, abandon: () => abandoned.abort(), ended: run() };
}
