import type { ExecutionColumn, ExecutionJobTables } from "@crosszone/agent-calls";
import type { Arrival, End, JobContext, LeasedJob, LeaseId, ProcessJobs } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { retry } from "@crosszone/service-kit/timing";
import type { Database } from "@crosszone/sql";
import type { BusEmit, BusMessage, ChannelName, KafkaBus } from "../bus/kafka-bus.ts";
import { createOutageReport, MessageTooLargeError } from "../bus/kafka-errors.ts";
import { type DeadLetterTables, messageColumns, storeDeadLetter } from "./dead-letters.ts";
import {
  channelOf,
  createPublishRoom,
  insteadOfTooLarge,
  insteadOfUnreadable,
  openMessage,
  publishKind,
  shareOf,
} from "./publish-jobs.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;

interface PublicationsDeps {
  readonly jobs: ProcessJobs<ExecutionColumn>;
  readonly emit: BusEmit;
  readonly bus: KafkaBus;
  readonly database: Database<ZoneTables>;
  readonly codec: RecordCodec;
}

/** A leased job whose message is to be published. */
interface Publication extends LeaseId {
  readonly channel: ChannelName;
  /** Undefined when it is unreadable, and no other replaces it. */
  readonly message: BusMessage | undefined;
  /** The job is only the message. */
  readonly isMessage: boolean;
  /** Characters of a job that was read from the database. */
  readonly size?: number;
}

/** Returns the publication of a job that was stored with this message. */
export const publicationOf = ({ id, attempt }: LeaseId, message: BusMessage): Publication => ({
  id,
  attempt,
  channel: message.channel,
  message,
  isMessage: message.channel === "agent_cancellations",
});

const backoff = { firstMs: 50, longestMs: 2_000 };

/** Publishes the messages of jobs: those that this process stored, and those that were left. */
export function createPublications(deps: PublicationsDeps) {
  const { jobs, emit } = deps;
  const { left, reserve, add: count } = createPublishRoom();
  const outage = createOutageReport((cause) =>
    emit("bus_unreachable", { channel: "agent_results", group: "outbox", cause }),
  );

  function read(row: LeasedJob<ExecutionColumn>): Publication {
    const { id, attempt, share, kind } = row;
    const size = (row.input?.length ?? 0) + (row.output?.length ?? 0);
    return {
      id,
      attempt,
      channel: channelOf(share),
      message: messageOf(deps, row),
      isMessage: kind === publishKind,
      size,
    };
  }

  async function run(job: Publication, { signal }: JobContext): Promise<End> {
    const { message, channel, isMessage, size } = job;
    const free = size === undefined ? undefined : count(size);
    try {
      if (message !== undefined) await retry(() => send(deps, message), { ...backoff, signal, onRetry: outage.failed });
      outage.worked();
    } finally {
      free?.();
    }
    // After a power loss a message may be published again.
    if (isMessage) return { remove: "published" };
    const as = channel === "agent_results" ? "ended" : "waiting";
    return { outcome: "published", store: () => jobs.store.outside.settle(job, { share: shareOf(channel), as }) };
  }

  const { start, stop, add, enter } = jobs.workOn(
    { kind: publishKind, room: left, free: left, reserve, read, run },
    (operation, cause) => emit("bus_store_failed", { operation: operation === "end" ? "release" : operation, cause }),
  );
  return {
    /** Publishes a message that no job has. */
    send: (message: BusMessage): Promise<void> => send(deps, message),
    /** Announces a message that another part stores with a job. */
    enter: (leaseId: LeaseId, message: BusMessage): Arrival =>
      enter(shareOf(message.channel), () => publicationOf(leaseId, message)),
    add,
    start,
    stop,
  };
}

export type Publications = ReturnType<typeof createPublications>;

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
