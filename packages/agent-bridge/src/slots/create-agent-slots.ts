import type { AgentSlots } from "./agent-slots.ts";

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
      let given = false;
      return () => {
        if (given) return;
        given = true;
        add(name, -1);
      };
    },
    free,
    taken: () => taken,
    readings: () => new Map(byAgent),
  };
}
