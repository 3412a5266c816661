/**
 * Tracks which agents have waiting calls, as far as this process knows, so that no new call starts before an older one.
 */
export interface Turns {
  /** Whether a call of this agent may start on arrival: no older call could start in its place. */
  readonly isNext: (agent: string) => boolean;
  /** Announces that a waiting call is being stored. Call the returned function when it is stored or has failed. */
  readonly queue: (agent: string) => () => void;
  /** Announces a read of waiting calls. It finds everything queued before. */
  readonly look: () => Look;
}

export interface Look {
  /**
   * Only these agents had waiting calls; calls of others may start. Call again after some were taken, with the agents
   * that have more.
   */
  readonly found: (agents: Iterable<string>) => void;
  /** Calls wait for room in the process, so new ones must wait too. */
  readonly foundNoRoom: () => void;
}

export function createTurns(): Turns {
  let waiting: ReadonlySet<string> | "anybody" = "anybody";
  /** Agents with calls stored since the last read started. */
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
