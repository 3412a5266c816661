/** Knows of which agents calls wait, as far as this process can, so that none that comes is begun before an older one. */
export interface Turns {
  /** Whether a call of this agent may be begun as it comes: no other that waits could be begun in its place. */
  readonly isNext: (agent: string) => boolean;
  /** A call is being stored that is to wait; to be told when it is stored, or could not be. */
  readonly queue: (agent: string) => () => void;
  /** A look for calls that wait begins. What was queued before is in what it finds. */
  readonly look: () => Look;
}

export interface Look {
  /** These agents had calls that wait: all else may be begun. Once more after some were taken, with those that have more. */
  readonly found: (agents: Iterable<string>) => void;
  /** Whoever waits waits for room in the process: what comes has to wait too. */
  readonly foundNoRoom: () => void;
}

export function createTurns(): Turns {
  let waiting: ReadonlySet<string> | "anybody" = "anybody";
  /** Stored since the last look began. */
  let since = new Set<string>();
  const storing = new Map<string, number>();

  return {
    isNext: (agent) => waiting !== "anybody" && !waiting.has(agent) && !since.has(agent) && !storing.has(agent),
    queue: (agent) => {
      storing.set(agent, (storing.get(agent) ?? 0) + 1);
      return () => {
        const left = (storing.get(agent) ?? 0) - 1;
        if (left > 0) storing.set(agent, left);
        else storing.delete(agent);
        since.add(agent);
      };
    },
    look: () => {
      if (waiting !== "anybody") waiting = waiting.union(since);
      since = new Set();
      return {
        found: (agents) => void (waiting = new Set(agents)),
        foundNoRoom: () => void (waiting = "anybody"),
      };
    },
  };
}
