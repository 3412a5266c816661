import type { JobLease } from "../store/job-lease.ts";
import type { LeaseId } from "../table/job-tables.ts";
import type { Fairness } from "./take-kind.ts";
import type { JobRoom } from "./job-kind.ts";
import type { RunningJobs } from "./running-jobs.ts";

export interface Arrival {
  /** `leased`: store it as leased to this process; it starts at once. `ready`: it waits. */
  readonly as: "leased" | "ready";
  /** Call it once, when it is known whether the job was stored. False: it existed, or the store didn't answer. */
  readonly settle: (isStored: boolean) => void;
}

type Settled = Pick<Arrival, "settle">;

/** Settles arrivals by what `store` resolves with: whether each job was stored. None was if it rejects. */
export async function storeArrivals(
  arrivals: readonly Settled[],
  store: () => Promise<readonly boolean[]>,
): Promise<readonly boolean[]> {
  let stored: readonly boolean[] = [];
  try {
    stored = await store();
    return stored;
  } finally {
    for (const [index, { settle }] of arrivals.entries()) settle(stored[index] === true);
  }
}

export const storeArrival = async (arrival: Settled, store: () => Promise<boolean>): Promise<boolean> =>
  (await storeArrivals([arrival], async () => [await store()]))[0] === true;

/**
 * Stores an arriving job with `store`, and resolves with its result. `jobOf` returns the job to start; undefined when it was not stored.
 * Returns `None` when the job can't enter.
 */
type AddJob<Job extends LeaseId, None = never> = <Result>(
  share: string,
  store: (as: Arrival["as"]) => Promise<Result>,
  jobOf: (result: Result, as: Arrival["as"]) => Job | undefined,
) => Promise<Result> | None;

/** Lets arriving jobs start here immediately, or wait behind others. */
export function createArrivals<Job extends LeaseId>(deps: {
  readonly lease: JobLease;
  readonly kind: JobRoom;
  readonly fairness: Fairness;
  readonly running: RunningJobs<Job>;
  readonly roomLeft: () => number;
  readonly wake: (share?: string) => void;
  /** Looks for jobs that wait for a freed slot. */
  readonly wakeIfFull: () => void;
}) {
  const { lease, kind, fairness, running, roomLeft, wake, wakeIfFull } = deps;

  function enterHere(share: string, jobOf: () => Job): Arrival | undefined {
    const free = roomLeft() > 0 ? kind.reserve(share) : undefined;
    if (free === undefined) return undefined;
    const settle = (isStored: boolean): void => {
      if (isStored) return running.start(jobOf(), free);
      // If it was stored and only the response was lost, it is a stray.
      free();
      wakeIfFull();
    };
    return { as: "leased", settle };
  }

  function enterQueue(share: string): Arrival {
    const end = fairness.queue(share);
    const settle = (isStored: boolean): void => {
      end();
      if (isStored) wake(share);
    };
    return { as: "ready", settle };
  }

  function enter(share: string, jobOf: () => Job): Arrival {
    const isNext = !lease.isOver() && fairness.isNext(share, kind.free(share), kind.room());
    return (isNext ? enterHere(share, jobOf) : undefined) ?? enterQueue(share);
  }

  const adding =
    (way: (share: string, jobOf: () => Job) => Arrival | undefined): AddJob<Job, undefined> =>
    (share, store, jobOf) => {
      let job: Job | undefined;
      const arrival = way(share, () => job as Job);
      if (arrival === undefined) return undefined;
      const { as, settle } = arrival;
      const storeAs = async (): ReturnType<typeof store> => {
        const result = await store(as);
        job = jobOf(result, as);
        return result;
      };
      return storeAs().finally(() => settle(job !== undefined));
    };

  return {
    /** Adds a job. It starts here if its share has room and no older job could use it. */
    add: adding(enter) as AddJob<Job>,
    /** Adds a job that must start here, before older ones. Returns undefined without room. */
    addHere: adding(enterHere),
    /** As `add`, for a job that another part stores. `jobOf` returns the stored job. */
    enter,
  };
}
