import type { Agent } from "./agent.ts";

/** The agents of this zone, by name. */
export interface AgentDirectory {
  /** Name of the agent that answers when none is asked for. */
  readonly defaultName: string;
  /** The agent of that name, the default one without a name, `undefined` when there is none of that name. */
  resolve(name?: string): Agent | undefined;
  /** All agents, in the order they were given. */
  list(): Agent[];
}

/** Throws an `Error` when two agents share a name, or when no agent has the default's name. */
export function createAgentDirectory(agents: readonly Agent[], defaultName: string): AgentDirectory {
  const byName = new Map<string, Agent>();
  for (const agent of agents) {
    if (byName.has(agent.name)) throw new Error(`Two agents have the name "${agent.name}"; names must be unique.`);
    byName.set(agent.name, agent);
  }
  if (!byName.has(defaultName)) {
    const names = [...byName.keys()].map((name) => `"${name}"`).join(", ") || "none";
    throw new Error(`The default agent "${defaultName}" does not exist. Agents: ${names}.`);
  }
  return {
    defaultName,
    resolve: (name = defaultName) => byName.get(name),
    list: () => [...byName.values()],
  };
}
