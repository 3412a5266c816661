import type { JobEntry, LaneStore, LeasedJob } from "@crosszone/jobs";
import type { UnreadableRecordError } from "./endings.ts";
import type { InboxColumn } from "./inbox-jobs.ts";
import type { RecordJob } from "./record-rows.ts";
import type {
  InboxRecord,
  LaneLease,
  Progress,
  Question,
  RecordLease,
  StopRecord,
  StopTarget,
  TakenRecord,
  TeamThread,
} from "./records.ts";
import type { AnsweredThread, Standing, ThreadQueue } from "./thread-store.ts";

/** The size of the inbox. */
export interface InboxLoad {
  /** Records that wait for a worker. */
  readonly waiting: number;
  readonly inWork: number;
  /** Records that failed too often and need an operator. */
  readonly parked: number;
  /** Age of the oldest record that is not parked, milliseconds; 0 if there is none. */
  readonly oldestMs: number;
}

/** The workers of this process, as its inbox needs them. Must not throw. */
export interface InboxProcess {
  /** Announces an arriving record. Undefined if this process has no worker for it. */
  readonly enter: (kind: InboxRecord["kind"]) => JobEntry<RecordJob> | undefined;
  readonly isRunning: (requestId: string) => boolean;
  /** Records may be available: of this kind, or of any when it is absent. */
  readonly onReady: (kind?: string) => void;
  /** Other processes have this process's records, or may have them soon: it must stop all work, and post nothing. */
  readonly onLost: () => void;
  /** The lease could not be renewed or the inbox not be read; the operation is repeated. */
  readonly onFailure: (cause: unknown) => void;
}

/**
 * Stores records from before Slack's event is acknowledged until they are done. Several processes can share one inbox. A record is leased
 * to one of them; when that process stops renewing its lease, another one leases the record. Methods with a lease reject with
 * `LeaseLostError` (`endings.ts`) and change nothing if the lease was lost. `complete` is safe to repeat after a lost response, and so are
 * all methods without a lease.
 */
export interface Inbox {
  /** How long this process's lease lasts without renewal, milliseconds. */
  readonly leaseMs: number;
  /**
   * Begins and renews this process's lease, which it needs to lease records. Listens for records that other processes store. Safe to repeat
   * after an error.
   */
  open(process: InboxProcess): Promise<void>;
  /** Ends the lease. Records still leased are available to other processes soon. */
  close(): Promise<void>;
  /** Returns true if other processes may have this process's records by now. */
  isLeaseOver(): boolean;
  /**
   * Stores the record with its claims: atomic, and durable once it resolves. `duplicate` if another record has any of its claims, even a
   * finished one; claims are stored for at least a day. Rejects if the record may not be stored; the same record can then be passed again.
   */
  accept(record: InboxRecord): Promise<"accepted" | "duplicate">;
  /** Records as jobs; their kind is their share. Only the oldest record of a thread and kind can be leased, once it is due. */
  readonly jobs: Pick<LaneStore<InboxColumn>, "waitingShares" | "take" | "lost" | "leases" | "release">;
  /** Reads the record of a leased job. */
  read<K extends InboxRecord["kind"]>(job: LeasedJob<InboxColumn>): TakenRecord<K> | UnreadableRecordError;
  /** Resolves with the state of a question and its thread, which work on it needs. */
  standing(record: Question): Promise<Standing>;
  /** Stores progress; absent members stay unchanged. With an answer, also joins the thread, if given, in the same commit. */
  note(lease: RecordLease, progress: Progress, answered?: AnsweredThread): Promise<void>;
  /** Deletes a record that is answered, or that must not be retried. Its claims stay. */
  complete(lease: LaneLease): Promise<void>;
  /** Releases the record for a retry after `afterMs` milliseconds. Until then, later records of its thread wait too. */
  retryLater(lease: RecordLease, afterMs: number): Promise<void>;
  /** Releases the record to another process, after `afterMs` milliseconds if given. The attempt does not count. */
  release(lease: RecordLease, afterMs?: number): Promise<void>;
  /** Parks a record that failed too often, for an operator; its thread continues without it. `why` must contain nothing private. */
  park(lease: LaneLease, why: string): Promise<void>;
  /**
   * Marks the open questions of the target that were accepted before the stop record `by`, if it exists. Resolves with the number of
   * questions that this record has marked, including earlier calls.
   */
  stop(target: StopTarget, by: Pick<StopRecord, "request_id"> & Partial<Pick<StopRecord, "user_id">>): Promise<number>;
  /** Resolves with true if the question was marked. */
  isStopped(requestId: string): Promise<boolean>;
  load(): Promise<InboxLoad>;
  /** Resolves with the number of open questions of a thread. */
  queueIn(thread: TeamThread): Promise<ThreadQueue>;
  /** Resolves with true if the question still waits for its first lease. */
  isWaiting(requestId: string): Promise<boolean>;
}
