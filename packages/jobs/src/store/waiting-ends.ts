import type { CompiledQuery } from "kysely";
import type { JobEnd, LeaseId } from "../table/job.ts";

/** The end of a job that this process has leased. */
export interface EndingJob<Own extends string = never> {
  readonly leaseId: LeaseId;
  readonly end: JobEnd<Own>;
  /** Whether another process waits for it: PostgreSQL notifies it at once. */
  readonly notifies?: boolean;
}

/** Ends jobs in one commit. Returns for each whether it was leased. */
type EndJobs<Own extends string> = (
  jobs: readonly EndingJob<Own>[],
  also: readonly CompiledQuery[],
) => Promise<readonly boolean[]>;

interface WaitingEnd<Own extends string> {
  readonly ending: EndingJob<Own>;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (isLeased: boolean | Promise<boolean>) => void;
}

/** How long the end of a child waits for that of its parent, milliseconds. */
const togetherMs = 20;

/** Ends of children, which share the commit of their parent's end when both end at about the same time. */
export class WaitingEnds<Own extends string> {
  readonly #endJobs: EndJobs<Own>;
  readonly #waiting = new Map<string, Set<WaitingEnd<Own>>>();

  constructor(endJobs: EndJobs<Own>) {
    this.#endJobs = endJobs;
  }

  /** Holds the end of a child for that of its parent, for some milliseconds. Resolves with whether it was leased. */
  hold(parent: string, ending: EndingJob<Own>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const ofParent = this.#waiting.get(parent);
        ofParent?.delete(one);
        if (ofParent?.size === 0) this.#waiting.delete(parent);
        resolve(this.#endJobs([ending], []).then(([isLeased = false]) => isLeased));
      }, togetherMs);
      const one: WaitingEnd<Own> = { ending, timer, resolve };
      this.#waiting.set(parent, (this.#waiting.get(parent) ?? new Set()).add(one));
    });
  }

  /** Ends jobs with the held ends of their children. */
  async end(jobs: readonly EndingJob<Own>[], also: readonly CompiledQuery[]): Promise<readonly boolean[]> {
    const children = jobs.flatMap(({ leaseId: { id } }) => {
      const ofJob = [...(this.#waiting.get(id) ?? [])];
      this.#waiting.delete(id);
      return ofJob;
    });
    for (const { timer } of children) clearTimeout(timer);
    const stored = this.#endJobs([...jobs, ...children.map(({ ending }) => ending)], also);
    // Each child retries by itself when the commit fails.
    for (const [index, { resolve }] of children.entries())
      resolve(stored.then((ended) => ended[jobs.length + index] ?? false));
    return (await stored).slice(0, jobs.length);
  }
}
