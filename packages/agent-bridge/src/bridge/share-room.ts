import type { CallShare } from "../calls/call-store.ts";

/** An agent with waiting calls. */
export interface Seat {
  readonly agent: string;
  /** How many more of its calls may run. */
  readonly free: number;
}

/** Distributes free room: one call per agent in turn, so that one agent's long queue delays no other agent. */
export function shareRoom(room: number, seats: readonly Seat[]): CallShare[] {
  const shares = seats.map(({ agent }) => ({ agent, most: 0 }));
  for (let left = room, given = -1; left > 0 && given !== 0;) {
    given = 0;
    for (const [index, share] of shares.entries()) {
      if (left === 0 || share.most >= (seats[index]?.free ?? 0)) continue;
      share.most += 1;
      left -= 1;
      given += 1;
    }
  }
  return shares.filter(({ most }) => most > 0);
}
