interface Bounded {
  readonly name: string;
  readonly max_concurrency: number;
}

/** Limits the concurrent tasks of each agent in this process, so that a slow agent doesn't block others. */
export interface AgentSlots {
  /** Takes a slot. Returns a function that frees it (further calls do nothing), or undefined when none is free. */
  readonly take: (agent: Bounded) => (() => void) | undefined;
  /** Returns the free slots for this agent, within the limit of the process. */
  readonly free: (agent: Bounded) => number;
  /** Returns the taken slots by agent name, without agents that have none. */
  readonly readings: () => ReadonlyMap<string, number>;
}

/** Creates slots. `most` is the limit of concurrent tasks of all agents in this process. */
export function createAgentSlots({ most }: { readonly most: number }): AgentSlots {
  const byAgent = new Map<string, number>();
  let taken = 0;

  const free: AgentSlots["free"] = ({ name, max_concurrency }) =>
    Math.max(0, Math.min(most - taken, max_concurrency - (byAgent.get(name) ?? 0)));
  const add = (name: string, change: 1 | -1): void => {
    taken += change;
    const left = (byAgent.get(name) ?? 0) + change;
    if (left === 0) byAgent.delete(name);
    else byAgent.set(name, left);
  };

  return {
    take: (agent) => {
      if (free(agent) === 0) return undefined;
      const { name } = agent;
      add(name, 1);
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        add(name, -1);
      };
    },
    free,
    readings: () => new Map(byAgent),
  };
}
