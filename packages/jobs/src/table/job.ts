import type { JobTable } from "./job-tables.ts";

/** A lease: a job and the number of its lease. The store refuses changes by others, and after another lease. */
export interface LeaseId {
  readonly id: string;
  /** How often the job was leased, from 1. */
  readonly attempt: number;
  /** Its lane, if it has one. */
  readonly lane?: string | null;
}

/** The values of a zone's own columns. */
export type OwnValues<Own extends string> = Readonly<Partial<Record<Own, string | number | null>>>;

/** A job to store. Absent members are null. */
export interface NewJob<Own extends string = never> extends Pick<JobTable, "id" | "kind" | "share" | "record"> {
  readonly lane?: string;
  readonly key?: string;
  readonly parent?: string;
  readonly team?: string | null;
  readonly input?: string | null;
  /** Time until it is due, milliseconds; due at once when absent. */
  readonly dueInMs?: number;
  /** Time until its deadline, milliseconds. */
  readonly deadlineMs?: number;
  /** `leased`: to this process, for the first time. `waiting`: until something outside this database ends it. */
  readonly as: "ready" | "leased" | "waiting";
  readonly own?: OwnValues<Own>;
}

/** A job as taken. */
export type LeasedJob<Own extends string = never> = LeaseId &
  Pick<JobTable, "kind" | "share" | "parent" | "team" | "record" | "input" | "output"> &
  Readonly<Record<Own, string | number | null>> & {
    readonly lane?: string | null;
    /** Time until the deadline, milliseconds; negative after it, null without one. */
    readonly remaining_ms: number | null;
    /** Time since it was stored, milliseconds. */
    readonly waited_ms: number;
  };

/** What a job is, and how it ended. */
export type FoundJob = Pick<JobTable, "state" | "record" | "outcome" | "output">;

export interface JobEnd<Own extends string = never> {
  /** A word of its kind. */
  readonly outcome: string;
  readonly output: string | null;
  readonly own?: OwnValues<Own>;
}

export interface LostJob extends LeaseId {
  /** Its outcome when it has ended; null when another process has it or may take it, undefined when it is deleted. */
  readonly outcome: string | null | undefined;
}

export interface WantedJobs {
  readonly share: string;
  readonly most: number;
}

/** The load of a kind. */
export interface JobReadings {
  /** Jobs that have not ended and are not parked. */
  readonly open: number;
  /** Jobs that wait for a process or for their lane. */
  readonly waiting: number;
  readonly parked: number;
  /** Age of the oldest that waits, milliseconds; 0 without any. */
  readonly oldestWaitingMs: number;
  /** Age of the oldest open one, milliseconds; 0 without any. */
  readonly oldestOpenMs: number;
}
