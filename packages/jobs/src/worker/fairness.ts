import type { WantedJobs } from "../table/job.ts";

/**
 * Tracks which shares have waiting jobs, as far as this process knows, so that no new job starts in the place of an older one of its share.
 */
export interface Fairness {
  /**
   * Whether a job of this share may start on arrival: `free`, the room of its share, and `room`, that of the process, exceed what the older
   * waiting jobs need.
   */
  readonly isNext: (share: string, free: number, room: number) => boolean;
  /** Announces that a waiting job is being stored. Call the returned function when it is stored or has failed. */
  readonly queue: (share: string) => () => void;
  /** Announces a read of waiting jobs. It finds everything queued before. */
  readonly look: () => Look;
}

export interface Look {
  /** An upper bound of the waiting jobs of a share that this process has stored. */
  readonly known: (share: string) => number;
  /**
   * Only these shares have more waiting jobs than room was reserved for; jobs of others may start. Call again after some
   * were taken, with the shares that have more.
   */
  readonly found: (shares: Iterable<string>) => void;
  /** Jobs wait for room in the process, so new ones must wait too. */
  readonly noRoom: () => void;
}

export function createFairness(): Fairness {
  let waiting: ReadonlySet<string> | "unknown" = "unknown";
  /** Numbers of jobs by share: being stored, stored since the last look began, and stored before it. */
  const storing = new Map<string, number>();
  let justStored = new Map<string, number>();
  let stored = new Map<string, number>();
  const counts = () => [storing, justStored, stored];
  const countOf = (share: string): number => counts().reduce((sum, count) => sum + (count.get(share) ?? 0), 0);
  const countOfAll = (): number =>
    counts().reduce((sum, count) => sum + count.values().reduce((part, one) => part + one, 0), 0);

  return {
    isNext: (share, free, room) =>
      waiting !== "unknown" && !waiting.has(share) && countOf(share) < free && countOfAll() < room,
    queue: (share) => {
      add(storing, share, 1);
      return () => {
        add(storing, share, -1);
        add(justStored, share, 1);
      };
    },
    look: () => {
      for (const [share, count] of justStored) add(stored, share, count);
      justStored = new Map();
      return {
        known: (share) => stored.get(share) ?? 0,
        found: (shares) => {
          waiting = new Set(shares);
          stored = new Map();
        },
        noRoom: () => void (waiting = "unknown"),
      };
    },
  };
}

function add(counts: Map<string, number>, share: string, by: number): void {
  const count = (counts.get(share) ?? 0) + by;
  if (count > 0) counts.set(share, count);
  else counts.delete(share);
}

/** A share with waiting jobs. */
export interface ShareRoom {
  readonly share: string;
  /** How many more of its jobs may run here. */
  readonly free: number;
}

/** Distributes free room: one job per share in turn, so that one share's long queue delays no other share. */
export function shareRoom(room: number, shares: readonly ShareRoom[]): WantedJobs[] {
  const wanted = shares.map(({ share }) => ({ share, most: 0 }));
  for (let left = room, given = -1; left > 0 && given !== 0;) {
    given = 0;
    for (const [index, one] of wanted.entries()) {
      if (left === 0 || one.most >= (shares[index]?.free ?? 0)) continue;
      one.most += 1;
      left -= 1;
      given += 1;
    }
  }
  return wanted.filter(({ most }) => most > 0);
}

/** How long a look is valid, milliseconds. */
const lookMs = 250;

/** Represents all shares; no share has this name. */
const anyShare = "";

/** Remembers which shares have jobs that wait, so that not every take has to look for them. */
export function createKnownShares(look: () => Promise<readonly string[]>) {
  let known: readonly string[] = [];
  let until = 0;
  /** Shares with jobs that arrived since the last look. */
  let news = new Set<string>();

  return {
    /** Returns shares with jobs to take: those that had more, if no others have new jobs, otherwise by a look. */
    find: async (): Promise<readonly string[]> => {
      const shares = known;
      known = [];
      const isGood = shares.length > 0 && performance.now() < until && news.isSubsetOf(new Set(shares));
      news = new Set();
      if (isGood) return shares;
      until = performance.now() + lookMs;
      return look();
    },
    /** These shares have more jobs than were taken, in the order of the next take. */
    haveMore: (shares: readonly string[]): void => void (known = shares),
    /** Jobs of this share, or of any, may have come. */
    lookAgain: (share: string = anyShare): void => void news.add(share),
  };
}
