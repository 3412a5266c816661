import type { JobKind } from "./job-worker.ts";

/** Room for `most` jobs at a time, whatever their shares. */
export function createRoom(most: number): Pick<JobKind, "room" | "free" | "reserve"> {
  let used = 0;
  const room = (): number => most - used;
  return {
    room,
    free: room,
    reserve: () => {
      if (room() <= 0) return undefined;
      used += 1;
      let isFree = false;
      return () => {
        if (!isFree) used -= 1;
        isFree = true;
      };
    },
  };
}
