import type { WantedJobs } from "../table/job.ts";

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

/** Remembers which shares have jobs that wait, so that not every take has to look for them. */
export interface KnownShares {
  /** Returns shares with jobs to take: those that had more, if no others have new jobs, otherwise by a look. */
  readonly find: () => Promise<readonly string[]>;
  /** These shares have more jobs than were taken, in the order of the next take. */
  readonly haveMore: (shares: readonly string[]) => void;
  /** Jobs of this share, or of any, may have come. */
  readonly lookAgain: (share?: string) => void;
}

/** How long a look is valid, milliseconds. */
const lookMs = 250;

/** Represents all shares; no share has this name. */
const anyShare = "";

export function createKnownShares(look: () => Promise<readonly string[]>): KnownShares {
  let known: readonly string[] = [];
  let until = 0;
  /** Shares with jobs that arrived since the last look. */
  let news = new Set<string>();

  return {
    find: async () => {
      const shares = known;
      known = [];
      const isGood = shares.length > 0 && performance.now() < until && news.isSubsetOf(new Set(shares));
      news = new Set();
      if (isGood) return shares;
      until = performance.now() + lookMs;
      return look();
    },
    haveMore: (shares) => void (known = shares),
    lookAgain: (share = anyShare) => void news.add(share),
  };
}
