import type { WantedJobs } from "./job.ts";

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
